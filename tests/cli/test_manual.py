"""docs/hiss.1 has the options that the command has, and no others."""
import os
import re
import shutil
import subprocess

import harness

COMMANDS = tuple(
    "sample scan optimize exact verify compare arena summary diagnose "
    "judge modes report select communities list explain convert reproduce "
    "completions version".split())


def in_manual(text):
    """{section or command: {option: its value's name}} of the page."""
    found = {}
    for part in re.split(r"^\.S[HS] ", text, flags=re.M)[1:]:
        title = part.split("\n")[0]
        words = title.split()
        name = words[1] if words[0] == "hiss" and len(words) > 1 else title
        found[name] = {
            option.replace("\\-", "-"): value for option, value in re.findall(
                r"^(?:\\fB\\-\w\\fR, )?\\fB\\-\\-([\w\\-]+?)\\fR"
                r"(?: \\fI([\w:]+)\\fR)?$", part, re.M)}
    return found


def in_help(text):
    """(own, common) options of a help text, likewise."""
    own, common = text.split("\nOptions of every command:")
    common = common.split("\nExamples:")[0]
    find = re.compile(r"^  (?:-\w,|   ) --([\w-]+)(?: ([A-Z:]+)\b)?", re.M)
    return dict(find.findall(own)), dict(find.findall(common))


class Manual(harness.Case):
    def setUp(self):
        super().setUp()
        self.page = os.path.join(harness.SOURCE, "docs", "hiss.1")
        with open(self.page, encoding="utf-8") as file:
            self.text = file.read()

    def test_options(self):
        manual = in_manual(self.text)
        for command in COMMANDS:
            own, common = in_help(self.good(command, "--help"))
            self.assertEqual(manual[command], own, command)
            self.assertEqual(manual["OPTIONS OF EVERY COMMAND"], common)
            self.assertIn("json", common)

    def test_commands(self):
        listed = re.findall(r"^  (\w+)  ", self.good("--help"), re.M)
        self.assertEqual(listed, [*COMMANDS, "help"])

    def test_it_is_sound(self):
        if not shutil.which("groff"):
            self.skipTest("needs groff")
        done = subprocess.run(["groff", "-man", "-Tascii", "-ww", self.page],
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    harness.main()
