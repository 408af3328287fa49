"""The judges of the pages, judged: what must be seen is seen."""
import unittest

import extract
import renew
import test_commands

PAGE = """# A page, with a comma

<!-- not run: needs root -->
```sh
make install
```

```console
$ hiss list
one
```

    hiss sample bernoulli4

[a link](other.md#there) and `[no link](x)`

## A page, with a comma
"""


class Extract(unittest.TestCase):
    def test_blocks(self):
        first, second = extract.blocks("x", PAGE)
        self.assertEqual(first.marks, {"not run": "needs root"})
        self.assertEqual((second.language, second.line, second.marks),
                         ("console", 8, {}))
        self.assertEqual(test_commands.sessions(second.text),
                         [["hiss list", ["one"]]])

    def test_links_and_headings(self):
        self.assertEqual(list(extract.links(PAGE)), [(15, "other.md#there")])
        self.assertEqual(extract.anchors(PAGE),
                         {"a-page-with-a-comma", "a-page-with-a-comma-1"})

    def test_indented_commands_are_seen(self):
        found = [line for line in extract.without_blocks(PAGE)
                 if extract.INDENTED.match(line)]
        self.assertEqual(found, ["    hiss sample bernoulli4"])

    def test_what_agrees(self):
        for shown, printed in [("a ... c", "a b c"), ("a\n...", "a\nb\nc"),
                               ("took 3 s", "took 0.25 s"), ("x  y\nz", "x y z"),
                               ("threads 2", "threads 64"), ("...", "")]:
            self.assertTrue(test_commands.agrees(shown, printed), shown)
        for shown, printed in [("a ... c", "a b d"), ("ESS 12", "ESS 13"),
                               ("a", "a b"), ("a b", "a"), ("a.c", "abc"),
                               ("trusted", "NOT trusted")]:
            self.assertFalse(test_commands.agrees(shown, printed), shown)

    def test_shortened(self):
        self.assertEqual(
            test_commands.shorten("hiss sample x --samples 1e6 -o y",
                                  "--samples 10 --chains 2"),
            "hiss sample x --samples 10 -o y")

    def test_renewed(self):
        shown = ["mean 1.5 of x", "...", "the largest 3, at ..."]
        printed = "head\nmean 2.5 of x\nother\nthe largest 4, at x.7 today\n"
        self.assertEqual(
            renew.shown_anew(shown, printed),
            ["mean 2.5 of x", "...", "the largest 4, at ..."])
        self.assertIsNone(renew.shown_anew(["gone", "..."], printed))


if __name__ == "__main__":
    unittest.main()
