"""Completions of the shells: what they offer is what the command takes."""
import re
import shutil
import subprocess

import harness

# what is typed, and what must be offered; the scratch folder holds run.nc
CASES = (
    (("hiss", "sa"), ["sample"]),
    (("hiss", "ver"), ["verify", "version"]),
    (("hiss", "sample", "--sam"), ["--sampler", "--samples"]),
    (("hiss", "sample", "--sampler", "dm"), ["dmala"]),
    (("hiss", "sample", "x", "--chains", ""), []),
    (("hiss", "sample", "x", "-o", "r"), ["run.nc"]),
    (("hiss", "sample", "bern"), ["bernoulli4"]),
    (("hiss", "sample", "x", "--init", "r"), ["random", "run.nc"]),
    (("hiss", "sample", "x", "-o", "-", "--to", "n"), ["nc", "npz"]),
    (("hiss", "sample", "x", "--modes", ""), ["full", "no", "quick"]),
    (("hiss", "sample", "x", "--device", "c"), ["cpu", "cuda"]),
    (("hiss", "explain", "aut"), ["auto"]),
    (("hiss", "exact", "x", "--format", "ua"), ["uai"]),
    (("hiss", "exact", "x", "--qu"), ["--quiet"]),
    (("hiss", "report", "r"), ["run.nc"]),
    (("hiss", "list", "m"), ["models"]),
    (("hiss", "reproduce", "t"), ["theory", "tsp"]),
    (("hiss", "completions", ""), ["bash", "fish", "zsh"]),
    (("hiss", "help", "ex"), ["exact", "explain"]),
)

# _arguments and its kin are shown what they are given
ZSH = """
_describe() { print -rl -- "${(@P)2}" }
_arguments() { print -rl -- "$@" }
words=(%s)
CURRENT=%d
source %s
"""


class Completions(harness.Case):
    def setUp(self):
        super().setUp()
        self.write("run.nc", "")

    def shell(self, name):
        """The file with its completions, once the shell has parsed it."""
        if not shutil.which(name):
            self.skipTest(f"needs {name}")
        self.write(f"hiss.{name}", self.good("completions", name))
        self.run_in(name, "-n", f"hiss.{name}")
        return f"hiss.{name}"

    def run_in(self, *words):
        done = subprocess.run(words, cwd=self.folder, capture_output=True,
                              text=True, check=False, timeout=harness.TIMEOUT)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def test_bash(self):
        script = self.shell("bash")
        for words, wanted in CASES:
            quoted = " ".join(f"'{word}'" for word in words)
            out = self.run_in(
                "bash", "--norc", "-c",
                f"source {script}; COMP_WORDS=({quoted}); "
                f"COMP_CWORD={len(words) - 1}; _hiss 2>/dev/null; "
                'printf "%s\\n" "${COMPREPLY[@]}"')
            self.assertEqual(sorted(out.split()), wanted, words)

    def test_bash_with_an_equals_sign(self):
        script = self.shell("bash")
        for words, wanted in (
                ("hiss sample --sampler =", True),
                ("hiss sample --sampler = gi", False)):
            out = self.run_in(
                "bash", "--norc", "-c",
                f"source {script}; COMP_WORDS=({words}); "
                f"COMP_CWORD={len(words.split()) - 1}; _hiss; "
                'printf "%s\\n" "${COMPREPLY[@]}"').split()
            self.assertIn("gibbs", out)
            self.assertEqual("dmala" in out, wanted)

    def test_fish(self):
        script = self.shell("fish")
        for words, wanted in CASES:
            out = self.run_in("fish", "--no-config", "-c",
                              f"source {script}; complete -C '{' '.join(words)}'")
            self.assertEqual([line.split("\t")[0]
                              for line in out.splitlines()], wanted, words)

    def test_zsh(self):
        script = self.shell("zsh")

        def shown(*words):
            return self.run_in("zsh", "-f", "-c",
                               ZSH % (" ".join(words), len(words), script))

        offered = re.findall(r"^([\w]+):", shown("hiss", "s"), re.M)
        listed = re.findall(r"^  (\w+)  ", self.good("--help"), re.M)
        self.assertEqual(offered, listed)
        given = shown("hiss", "sample", "--s")
        self.assertRegex(given, r"(?m)^--sampler=\[.*\]:SPEC:\(.*\bdmala\b")
        self.assertRegex(given, r"(?m)^\*:MODEL:.*\bbernoulli4\b.*_files")
        self.assertRegex(given, r"(?m)--output=\[.*\]:FILE:_files$")
        self.assertRegex(shown("hiss", "list", "m"),
                         r"(?m)^\*:.*:\(models samplers formats devices\)$")

    def test_every_option_of_every_command(self):
        script = self.good("completions", "bash")
        for command in re.findall(r"^  (\w+)  ", self.good("--help"), re.M):
            if command == "help":
                continue
            helped = re.findall(r"^  (?:-\w,|   ) (--[\w-]+)",
                                self.good(command, "--help").split(
                                    "\nExamples:")[0], re.M)
            offered = re.search(rf"^    {command}\) options='([^']*)'", script,
                                re.M).group(1).split()
            self.assertEqual([o for o in offered if o.startswith("--")],
                             helped)

    def test_another_shell(self):
        self.assertIn("expected bash, zsh or fish; did you mean fish?",
                      self.bad(2, "completions", "fihs"))


if __name__ == "__main__":
    harness.main()
