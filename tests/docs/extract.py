"""What a page of Markdown holds: fenced blocks, headings, links.

Marks are comments, which no reader sees, on the lines before a block:

    <!-- not run: REASON -->       the block is counted, with its reason
    <!-- slow: REASON -->          it is run by `make test-slow` alone
    <!-- shortened: OPTIONS -->    run with these values, --samples 10 say
    <!-- not live: REASON -->      no run button in the site (docs/play/live.js)
    <!-- afresh: REASON -->        each line without the outputs of the others
    <!-- needs: MODULE ... -->     left out where Python has no such module
    <!-- data: PATH -->            left out where the repository has no PATH
    <!-- gallery: REASON -->       it is run by `make test-gallery` alone

and, for a whole page,

    <!-- file: NAME = PATH -->     PATH of the repository is there as NAME
    <!-- in: the repository -->    commands begin at the top of a clone
    <!-- shortened everywhere: OPTIONS -->, and so for afresh and slow
"""
import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^( *)(`{3,})(\w*)\s*$")
MARK = re.compile(r"<!-- ([a-z ]+): (.+?) -->\s*$")
COMMANDS = r"(hiss|make|mpirun|srun|pip|python3?|build/|tools/|/usr/)"
INDENTED = re.compile(rf"^ {{4,}}(\$ )?([A-Z_]+=\S* )*{COMMANDS}[ \w/]")


@dataclasses.dataclass
class Block:
    page: str
    line: int
    language: str
    text: str
    marks: dict


def pages():
    """README.md, docs/ and its folders, the pages of the other roots."""
    found = [ROOT / "README.md", ROOT / "python" / "README.md"]
    found += sorted((ROOT / "docs").rglob("*.md"))
    return [page for page in found if page.exists()]


def blocks(page, text):
    """All fenced blocks with the marks on the lines before them."""
    found, marks, lines = [], {}, iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        mark, fence = MARK.match(line), FENCE.match(line)
        if mark:
            marks[mark[1]] = mark[2]
        elif fence:
            inside = []
            for _, line in lines:
                if line.strip() == fence[2]:
                    break
                inside.append(line.removeprefix(fence[1]))
            found.append(Block(page, number, fence[3],
                               "\n".join(inside) + "\n", marks))
            marks = {}
        elif line.strip():
            marks = {}
    return found


def without_blocks(text):
    """The page with its fenced blocks blank, so that lines keep numbers."""
    out, end = [], None
    for line in text.splitlines():
        fence = FENCE.match(line)
        if end is None and fence:
            end = fence[2]
            line = ""
        elif end is not None:
            end = None if line.strip() == end else end
            line = ""
        out.append(line)
    return out


def page_marks(text, name):
    """The values of all marks of this name on a page."""
    return [m[2] for m in map(MARK.match, text.splitlines())
            if m and m[1] == name]


def anchors(text):
    """What a link may have after #, as GitHub and the site make it."""
    seen, found = {}, set()
    for line in without_blocks(text):
        found.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
        heading = re.match(r"#{1,6} +(.+?) *#*$", line)
        if not heading:
            continue
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1])
        slug = re.sub(r"[^\w\- ]", "", words.lower()).strip()
        slug = slug.replace(" ", "-")
        count = seen[slug] = seen.get(slug, 0) + 1
        found.add(slug if count == 1 else f"{slug}-{count - 1}")
    return found


def links(text):
    """(line, target) of every link and picture outside of blocks and code."""
    for number, line in enumerate(without_blocks(text), 1):
        line = re.sub(r"`[^`]*`", "", line)
        for target in re.findall(r"\]\(<?([^()\s>]+(?:\([^()]*\))?)", line):
            yield number, target
        for target in re.findall(r'(?:src|href)="([^"]+)"', line):
            yield number, target
