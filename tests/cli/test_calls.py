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
