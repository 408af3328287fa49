"""Every link of README.md and docs/ leads to a file, and to a heading of it.

Addresses on the net are not asked for: there may be none.
"""
import re
import sys
import unittest

import extract

OTHERS = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
FOLDERS = ("docs|examples|tools|tests|bench|paper|python|include|src|cli|cmake|"
           "fuzz|packaging|data")
INVENTED = (  # files that a page tells its reader to write
    "src/kernel/gibbs/uniform.c", "src/model/pair/star.c",
    "src/format/formats/bonds.c", "src/kernel/langevin/paths/whole.c",
    "src/x/foo.c", "tests/unit/x/test_foo.c")


def pages():
    return extract.pages() + [extract.ROOT / name for name in OTHERS]


class Links(unittest.TestCase):
    def test_links(self):
        broken, count = [], 0
        for page in pages():
            text = page.read_text(encoding="utf-8")
            for line, target in extract.links(text):
                if re.match(r"[a-z]+:", target):
                    continue
                count += 1
                path, _, anchor = target.partition("#")
                file = page.parent / path if path else page
                where = f"{page.relative_to(extract.ROOT)}:{line}"
                if not file.exists():
                    broken.append(f"{where}: there is no {path}")
                elif anchor and file.suffix == ".md" and anchor not in \
                        extract.anchors(file.read_text(encoding="utf-8")):
                    broken.append(f"{where}: {path} has no heading #{anchor}")
        print(f"{count} links in {len(pages())} pages")
        self.assertGreater(count, 50)
        self.assertEqual(broken, [], "\n".join(broken))

    def test_mentions(self):
        """Files and targets of make that prose names exist."""
        makefile = (extract.ROOT / "Makefile").read_text(encoding="utf-8")
        targets = " ".join(re.findall(r"^([a-z][a-z -]*):", makefile, re.M))
        broken = []
        for page in pages():
            prose = "\n".join(extract.without_blocks(
                page.read_text(encoding="utf-8")))
            broken += [f"{page.name}: make {name}"
                       for name in re.findall(r"`make ([a-z-]+)", prose)
                       if name not in targets.split()]
            broken += [f"{page.name}: {name}"
                       for name in re.findall(rf"`((?:{FOLDERS})/[\w/.-]*\w)`",
                                              prose)
                       if name not in INVENTED
                       and not (extract.ROOT / name).exists()
                       and not (page.parent / name).exists()]
        self.assertEqual(broken, [])

    def test_every_page_can_be_found(self):
        """A page that nothing links to is a page that nobody reads."""
        reached, todo = set(), [extract.ROOT / "README.md"]
        while todo:
            page = todo.pop()
            if page in reached or page.suffix != ".md" or not page.exists():
                continue
            reached.add(page)
            for _, target in extract.links(page.read_text(encoding="utf-8")):
                path = target.partition("#")[0]
                if path and not re.match(r"[a-z]+:", path):
                    todo.append((page.parent / path).resolve())
        lost = [str(page.relative_to(extract.ROOT))
                for page in extract.pages() if page.resolve() not in reached
                and page.parent.name != "python"]  # that is for PyPI
        self.assertEqual(lost, [])


if __name__ == "__main__":
    sys.exit(unittest.main())
