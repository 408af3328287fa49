"""Every link of README.md and docs/ leads to a file, and to a heading of it.

Addresses on the net are not asked for: there may be none.
"""
import re
import sys
import unittest

import extract

OTHERS = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")


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
        """`docs/x.md` in prose is a page that exists."""
        broken = []
        for page in pages():
            for line in extract.without_blocks(
                    page.read_text(encoding="utf-8")):
                for name in re.findall(r"`((?:docs|examples)/[\w/.-]+\.\w+)`",
                                       line):
                    if not ((extract.ROOT / name).exists() or
                            (page.parent / name).exists()):
                        broken.append(f"{page.name}: {name}")
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
