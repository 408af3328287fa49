#!/usr/bin/env python3
"""Takes the programs out of docs/extending.md.

usage: take_out.py PAGE SOURCES FOLDER

`<!-- file: x.c -->` before a block: it goes to FOLDER/x.c.  `<!-- line:
a/b.def -->`: FOLDER/a/b.def is SOURCES/a/b.def with the block at its end;
`<!-- first line: a/b.def -->`: at its beginning.
Prints nothing; a file that has not changed is left alone.
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"<!-- (file|line|first line): (\S+) -->\n"
                   r"(?:<!-- not run: [^\n]* -->\n)?```c\n(.*?)```\n", re.S)


def main(page, sources, folder):
    folder = pathlib.Path(folder)
    blocks = BLOCK.findall(pathlib.Path(page).read_text(encoding="utf-8"))
    for what, name, text in blocks:
        if what != "file":
            table = pathlib.Path(sources, name).read_text(encoding="utf-8")
            text = table + text if what == "line" else text + table
        out = folder / name
        out.parent.mkdir(parents=True, exist_ok=True)
        if not out.is_file() or out.read_text(encoding="utf-8") != text:
            out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
