"""Bad calls: the exit code, nothing on stdout, a message that helps."""
import harness


class Calls(harness.Case):
    def test_a_command_is_needed(self):
        self.assertIn("sample", self.bad(2))

    def test_the_nearest_command_is_named(self):
        self.assertIn("did you mean sample?", self.bad(2, "smaple"))
        self.assertIn("did you mean verify?", self.bad(2, "help", "verfiy"))
        self.assertNotIn("did you mean", self.bad(2, "frobnicate"))

    def test_the_nearest_option_is_named(self):
        message = self.bad(2, "sample", "bernoulli4", "--chanis", "3")
        self.assertIn("did you mean --chains?", message)
        self.assertIn("usage: hiss sample MODEL", message)
        self.assertIn("--time-limit", self.bad(2, "sample", "bernoulli4",
                                               "--timelimit=3"))
        self.assertIn("-x", self.bad(2, "sample", "bernoulli4", "-x"))

    def test_mistakes_of_newcomers(self):
        """What is there, what was expected, what to do."""
        self.write("empty.uai", "")
        self.write("notes.txt", "hello world\n")
        self.good("sample", "ising(side=2,beta=0.1)", "--samples", "9", "-o",
                  "run.csv")
        for words, said in (
                (("sample", "."), "it is a folder, expected a file"),
                (("sample", "empty.uai"), "the file is empty, expected a"),
                (("sample", "notes.txt"), "notes.txt:1:1: found 'hello'"),
                (("sample", "gone.uai"), "gone.uai: cannot be opened"),
                (("sample", "isnig"), "did you mean 'ising'?"),
                (("sample", "ising"), "side must be given"),
                (("sample", "ising", "side=8"), "in quotes, such as"),
                (("sample", "ising(side=8,", "beta=1)"), "in quotes, such as"),
                (("sample", "ising side=8"), "expected '(' or the end"),
                (("sample", "run.csv"), "these are draws that hiss wrote"),
                (("sample", "gibbs"), "'gibbs' is a sampler"),
                (("sample", "bernoulli4", "gibbs"), "--sampler gibbs?"),
                (("sample", "bernoulli4", "--sampler", "ising(side=3)"),
                 "is a model, expected a sampler"),
                (("sample", "bernoulli4", "-n", "-5"), "only -o, -h"),
                (("sample", "bernoulli4", "-samples", "5"), "--samples?"),
                (("sample", "bernoulli4", "--sam", "5"),
                 "did you mean --sampler or --samples?"),
                (("sample", "bernoulli4", "-o", "."), "is a folder"),
                (("sample", "bernoulli4", "-o", "x"), "unknown suffix"),
                (("sample", "bernoulli4", "extra"), "it takes MODEL"),
                (("sample", "bernoulli4", "--fix", "5=1"),
                 "x.5: coordinates are x.1 to x.4"),
                (("summary", "run.csv", "--observable", "x.5"),
                 "x.5: coordinates are x.1 to x.4"),
                (("summary", "run.csv", "--observable", "x[2:9]"),
                 "x.9: coordinates are x.1 to x.4"),
                (("summary", "run.csv", "--observable", "maen(x)"),
                 "did you mean mean?"),
                (("summary", "notes.txt"), "expected .nc or .csv"),
                (("diagnose", "bernoulli4"), "expected .nc or .csv"),
                (("--samples", "5", "sample"), "options stand behind it"),
                (("bernoulli4",), "did you mean hiss sample bernoulli4?"),
                (("run.csv",), "did you mean hiss summary run.csv?"),
                (("list", "model"), "did you mean models?"),
                (("completions", "tcsh"), "expected bash, zsh or fish"),
                (("version", "x"), "it takes none"),
        ):
            with self.subTest(words=words):
                self.assertIn(said, self.bad(2, *words))
        self.assertIn("there is no folder gone; make it first",
                      self.bad(3, "sample", "bernoulli4", "-o", "gone/x.nc"))

    def test_words_are_counted(self):
        self.assertIn("MODEL", self.bad(2, "sample"))
        self.assertIn("SPEC", self.bad(2, "explain"))
        self.assertIn("extra", self.bad(2, "exact", "bernoulli4", "extra"))
        self.assertIn("--sampler", self.bad(2, "verify", "bernoulli4"))

    def test_options_want_values(self):
        for words in (["--chains"], ["--sampler", "--json"], ["-o"]):
            self.assertIn("needs a value",
                          self.bad(2, "sample", "bernoulli4", *words))
        self.assertIn("takes no value",
                      self.bad(2, "sample", "bernoulli4", "--json=yes"))

    def test_whole_numbers_are_strict(self):
        for option, value in (
                ("chains", "0"), ("chains", "-1"), ("chains", "1e9"),
                ("chains", "1.5"), ("chains", ""), ("chains", "4x"),
                ("chains", " 4"), ("chains", "0x10"), ("chains", "nan"),
                ("samples", "x"), ("samples", "0"), ("samples", "1e400"),
                ("samples", "99999999999999999999"), ("warmup", "-1"),
                ("thin", "0"), ("evals", "0"), ("evals", "inf"),
                ("seed", "-1"), ("seed", "18446744073709551616"),
                ("threads", "-1"), ("threads", "1000000")):
            with self.subTest(option=option, value=value):
                message = self.bad(2, "sample", "bernoulli4",
                                   f"--{option}={value}")
                self.assertIn(f"--{option}", message)
                self.assertRegex(message, r"expected \d+ \.\. \d+")

    def test_times_are_strict(self):
        for value in ("0", "-1", "5x", "nan", "inf", "1e99", "", "s", "1m30"):
            with self.subTest(value=value):
                message = self.bad(2, "sample", "bernoulli4",
                                   f"--time-limit={value}")
                self.assertIn("60s", message)

    def test_specs_are_explained(self):
        for spec in ("hisss", "hiss(eta=-1)", "hiss(eta=nan)", "hiss(ett=1)",
                     "hiss(inner=dmala(alpha=0.2)", "hiss(inner=pt(base=gwg))",
                     "hiss(inner=hiss)", "", "hiss(eta=abc)"):
            with self.subTest(spec=spec):
                self.bad(2, "sample", "bernoulli4", "--sampler", spec)
                self.bad(2, "explain", spec)
        self.assertIn("hiss", self.bad(2, "explain", "hisss").split("\n")[0])

    def test_models_are_explained(self):
        for model in ("no-such-file.uai", "isign(side=3)", "ising(side=0)",
                      "ising(side=3", "ising(side=3,beta=x)", "",
                      "table(no-such-file)"):
            with self.subTest(model=model):
                self.bad(2, "sample", model)
                self.bad(2, "exact", model)
        self.assertIn("ising", self.bad(2, "sample", "isign").split("\n")[0])

    def test_too_large_to_enumerate(self):
        self.bad(2, "exact", "ising(side=8)")
        self.bad(2, "verify", "ising(side=8)", "--sampler", "gibbs")

    def test_lists(self):
        self.assertIn("samplers", self.bad(2, "list", "sampler"))
        self.assertIn("models", self.bad(2, "list", "frobs"))

    def test_arguments_cannot_drive_the_terminal(self):
        message = self.bad(2, "sample", "a\033[2Jb")
        self.assertNotIn("\033", message)
        self.assertNotIn("\033", self.bad(2, "\033[2J"))


if __name__ == "__main__":
    harness.main()
