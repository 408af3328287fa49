"""Names of variables and states from file to report, and what was read."""
import math
import pathlib
import re

import harness

NET = """network alarm { }
variable Burglary { type discrete [ 2 ] { true, false }; }
variable Alarm { type discrete [ 3 ] { loud, <5dB, none }; }
probability ( Burglary ) { table 0.125, 0.875; }
probability ( Alarm | Burglary ) {
  (true) 0.5, 0.25, 0.25;
  (false) 0.125, 0.125, 0.75;
}
"""
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "formats.md"


class Names(harness.Case):
    def setUp(self):
        super().setUp()
        self.write("alarm.bif", NET)

    def test_exact_has_names(self):
        found = self.good_json("exact", "alarm.bif")
        first, second = found["marginals"]
        self.assertEqual((first["name"], first["states"]),
                         ("Burglary", ["true", "false"]))
        self.assertEqual((second["name"], second["states"]),
                         ("Alarm", ["loud", "<5dB", "none"]))
        self.assertAlmostEqual(second["probabilities"][0],
                               0.125 * 0.5 + 0.875 * 0.125)
        self.assertAlmostEqual(found["log_z"], 0)
        self.assertIn("Bayes net in BIF: log p = ", found["reads_as"])
        text = self.good("exact", "alarm.bif")
        self.assertIn("Alarm", text)
        self.assertIn("<5dB: ", text)

    def test_evidence_by_name(self):
        expected = {"Alarm=loud": 1 / (1 + 1.75), "2=0": 1 / (1 + 1.75),
                    "Alarm=<5dB": 0.25 / (0.25 + 0.875)}
        for fix, share in expected.items():
            found = self.good_json("exact", "alarm.bif", "--fix", fix)
            self.assertAlmostEqual(found["marginals"][0]["probabilities"][0],
                                   share)
        for text in ("Alarm=loud\n", "# seen\nAlarm loud\n", "Alarm: loud",
                     "1 1 0\n"):
            self.write("seen.evid", text)
            found = self.good_json("exact", "alarm.bif", "--evidence",
                                   "seen.evid")
            self.assertAlmostEqual(found["log_z"], math.log(
                0.125 * 0.5 + 0.875 * 0.125))
            self.assertEqual(found["marginals"][1]["states"], ["loud"])

    def test_wrong_names_are_refused(self):
        for fix, said in (
                ("Alrm=loud", "no coordinate is called 'Alrm'"),
                ("Alrm=loud", "'Alarm'"),
                ("Alarm=quiet", "Alarm has no state 'quiet'; its states are "
                 "loud, <5dB, none"),
                ("Alarm=loud,Alarm=none", "Alarm is given two values"),
                ("Alarm", "expected a coordinate, '=' and a value")):
            self.assertIn(said, self.bad(2, "exact", "alarm.bif", "--fix",
                                         fix))
        for text, said in (("Alrm=loud\n", ":1:1: no coordinate is called"),
                           ("\nAlarm=x\n", ":2:1: Alarm has no state 'x'"),
                           ("Alarm=loud\nAlarm=none\n",
                            ":2:1: Alarm has another state")):
            self.write("seen.evid", text)
            self.assertIn(said, self.bad(2, "exact", "alarm.bif",
                                         "--evidence", "seen.evid"))
        self.write("g.txt", "2 1\n1 2 3\n")
        self.write("seen.evid", "Alarm=loud\n")
        self.assertIn("have no names", self.bad(
            2, "exact", "g.txt", "--evidence", "seen.evid"))

    def test_results_keep_names(self):
        for suffix in ("csv", "nc"):
            draws = "draws." + suffix
            done = self.hiss("sample", "alarm.bif", "--samples", "200", "-o",
                             draws)
            if suffix == "nc" and "netCDF" in done.stderr:
                continue
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("Alarm = <5dB", done.stdout)
            found = self.good_json("summary", draws)
            self.assertEqual([c["name"] for c in found["coordinates"]],
                             ["Burglary", "Alarm"])
            self.assertIn("read as Bayes net in BIF", found["reads_as"])
            self.good("report", draws, "-o", suffix + ".html")
            with open(self.path(suffix + ".html"), encoding="utf-8") as file:
                page = file.read()
            self.assertIn("Alarm = &lt;5dB", page)
            self.assertIn("read as Bayes net in BIF", page)

    def test_labels_of_dimod_are_names(self):
        self.write("q.json", '{"variable_type": "SPIN", "offset": 0, '
                   '"linear_biases": [1, 0], "quadratic_head": [0], '
                   '"quadratic_tail": [1], "quadratic_biases": [0.5], '
                   '"variable_labels": ["a", "b"]}')
        found = self.good_json("exact", "q.json", "--fix", "b=-1")
        self.assertEqual(found["marginals"][0]["name"], "a")

    def test_the_page_compares_all_formats(self):
        """Each row of the table is a file, and the law that it has."""
        page = PAGE.read_text(encoding="utf-8")
        part = page.split("## The same three numbers")[1].split("\n## ")[0]
        rows = re.findall(r"^\| `([^`]+)` \| (.+?) \| `?(.*?)`? \| (.+?) \| "
                          r"(\S+), (\S+), (\S+) \|$", part, re.M)
        self.assertGreaterEqual(len(rows), 10)
        for name, lines, option, _, *means in rows:
            text = "\n".join(re.findall(r"`([^`]*)`", lines)) + "\n"
            self.write(name, text)
            more = ["--format", option] if option else []
            found = self.good_json("exact", name, "--top", "16", *more)
            with self.subTest(name=name, option=option):
                self.assertEqual(len(found["top"]), 16)
                for k, mean in enumerate(means):
                    is_spin = found["marginals"][0]["kind"] == "spin"
                    sign = [[2 * v - 1 if not is_spin else v
                             for v in s["state"]] for s in found["top"]]
                    self.assertAlmostEqual(sum(
                        s["probability"] * x[k] * x[k + 1]
                        for s, x in zip(found["top"], sign)),
                        float(mean), places=3)
                self.assertIn("log p = ", found["reads_as"])

    def test_names_beside_a_uai_file(self):
        self.write("a.uai", "MARKOV\n2\n2 3\n1\n2 0 1\n6\n1 2 3 4 5 6\n")
        self.write("a.uai.names", "# two\nRain: no yes\nWet: dry damp wet\n")
        found = self.good("exact", "a.uai", "--fix", "Wet=wet")
        self.assertIn("Rain", found)
        self.assertIn("yes: 0.666667", found)
        self.good("sample", "a.uai", "--samples", 50, "-o", "a.nc")
        self.assertIn("Wet", self.good("summary", "a.nc"))
        for fix in ("Rain=yes", "Wet=dry"):
            self.good("sample", "a.uai", "--fix", fix, "--samples", 200,
                      "-o", "fixed.csv", "--force")
            self.assertIn("proved", self.good("diagnose", "fixed.csv"))
        self.write("a.uai.names", "Rain\nWet\n")
        self.assertIn("Rain", self.good("exact", "a.uai"))
        for text in ("Rain\n", "Rain\nWet\nMore\n", "Rain\nRain\n",
                     "Rain: no yes\nWet\n", "Rain: no\nWet: a b c\n",
                     "Rain: no yes\nWet: a b c d\n", "a=b\nc\n"):
            self.write("a.uai.names", text)
            self.assertIn("a.uai.names", self.bad(2, "exact", "a.uai")
                          if text.count("Rain\n") < 2 else "a.uai.names")


if __name__ == "__main__":
    harness.main()
