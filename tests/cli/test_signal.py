"""Ctrl-C at any moment: the exit code, and what was drawn."""
import json
import os
import resource
import signal
import time

import harness

LONG = ["sample", "bernoulli4", "--time-limit", "10m", "--warmup", 100]


class Signal(harness.Case):
    def interrupt(self, process, number, work=1.0):
        """After so many seconds of work: with the draws of LONG."""
        self.assertTrue(harness.wait_for_work(process, work))
        process.send_signal(number)
        out, err = process.communicate(timeout=harness.TIMEOUT)
        return process.returncode, out, err

    def whole(self, found):
        """The file that JSON tells of has every draw."""
        rows = harness.rows_of(self.path(found["output"]))[2]
        self.assertEqual(
            [(int(r[0]), int(r[1])) for r in rows],
            [(c, d) for c in range(found["chains"])
             for d in range(found["samples"])])
        self.assertTrue(all(len(r) == 3 + found["dim"] for r in rows))

    def test_what_was_drawn_is_saved(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start(*LONG, "--json", "-o", "x.csv", "--force")
            code, out, err = self.interrupt(process, number)
            self.assertEqual(code, 128 + number, err)
            found = json.loads(out)
            self.assertEqual(found["ended"], "stopped")
            self.assertGreater(found["samples"], 0)
            self.assertTrue(any("signal" in w for w in found["warnings"]))
            self.whole(found)
            self.assertEqual(os.listdir(self.folder), ["x.csv"])

    def test_a_summary_comes_as_well(self):
        code, out, err = self.interrupt(self.start(*LONG), signal.SIGINT)
        self.assertEqual(code, 130, err)
        self.assertIn("log p", out)
        self.assertIn("stopping", err)

    def ends_soon(self, process, number=signal.SIGINT):
        """After a signal it computes for less than a second."""
        before = harness.seconds_used(process)
        process.send_signal(number)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        out, err = process.communicate(timeout=harness.TIMEOUT)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime - usage.ru_utime - before
        self.assertLess(took, 1.0, err)
        self.assertEqual(process.returncode, 128 + number, err)
        return out, err

    def test_in_a_pilot(self):
        """Its parts have long steps on a large model: none is waited for."""
        for sampler, work in (("auto", 0.3), ("auto", 1.5), ("bridge", 1),
                              ("pt(levels=auto)", 2)):
            process = self.start("sample", "mixture(k=6,d=5000,seed=1)",
                                 "--sampler", sampler, "-o", "x.csv")
            self.assertTrue(harness.wait_for_work(process, work), sampler)
            _, err = self.ends_soon(process)
            self.assertIn("nothing to save", err)
            self.assertEqual(os.listdir(self.folder), [])

    def test_in_warm_up_and_sampling(self):
        """Steps of a tenth of a second; the summary that follows is short."""
        for work in (0.3, 1.5):
            process = self.start("sample", "ising(side=512,beta=0.44)",
                                 "--sampler", "gibbs", "--samples", 2000,
                                 "--warmup", 20, "--threads", 1)
            self.assertTrue(harness.wait_for_work(process, work))
            self.ends_soon(process, signal.SIGTERM)

    def test_after_very_many_draws(self):
        """A summary of them would take long."""
        process = self.start("sample", "bernoulli4", "--sampler", "gibbs",
                             "--samples", "2e7", "--threads", 1, "--warmup", 1)
        self.assertTrue(harness.wait_for_work(process, 2.5))
        self.ends_soon(process)

    def test_while_modes_are_looked_for(self):
        """The draws are there; what was printed so far is, too."""
        process = self.start("sample", "rbm(visible=784,hidden=500)",
                             "--sampler", "dmala", "--chains", 16,
                             "--samples", 200, "--modes", "full", "-o",
                             "x.csv", "--mar", "x.MAR")
        harness.wait_until(lambda: os.path.exists(self.path("x.MAR")), process)
        self.assertTrue(harness.wait_for_work(process, 1.5))
        out, _ = self.ends_soon(process)
        self.assertIn("model ", out)
        self.assertEqual(sorted(os.listdir(self.folder)), ["x.MAR", "x.csv"])
        self.assertEqual(len(harness.rows_of(self.path("x.csv"))[2]), 3200)

    def test_before_the_first_draw(self):
        process = self.start("sample", "bernoulli4", "--warmup", "1e11",
                             "--samples", 10, "-o", "x.csv")
        code, out, err = self.interrupt(process, signal.SIGINT)
        self.assertEqual((code, out), (130, ""), err)
        self.assertIn("hiss: ", err)
        self.assertEqual(os.listdir(self.folder), [])

    def test_twice_is_at_once(self):
        process = self.start(*LONG, "-o", "x.csv")
        self.assertTrue(harness.wait_for_work(process))
        process.send_signal(signal.SIGINT)
        code, _, err = self.interrupt(process, signal.SIGINT, 0)
        self.assertEqual(code, 130, err)

    def test_once_more_while_the_draws_are_written(self):
        """They are written all the same; then the process ends."""
        for samples in (5000, 20000, 80000):  # until it is caught writing
            process = self.start("sample", "ising(side=32,beta=0.3)",
                                 "--sampler", "gibbs", "--chains", 4,
                                 "--samples", samples, "--force", "-o",
                                 "x.csv", "--mar", "x.MAR")
            harness.wait_until(lambda: any(".part" in n for n in
                                           os.listdir(self.folder)), process)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=harness.TIMEOUT)
            if process.returncode != 0:
                break
        self.assertIn(process.returncode, (130, 143), err)
        self.assertEqual(sorted(os.listdir(self.folder)), ["x.MAR", "x.csv"])
        self.assertEqual(len(harness.rows_of(self.path("x.csv"))[2]),
                         4 * samples)

    def test_verify_has_no_half_verdict(self):
        process = self.start("verify", "bernoulli4", "--sampler", "gibbs",
                             "--replicates", "2e9", "--pairs", "p.csv")
        code, out, err = self.interrupt(process, signal.SIGINT)
        self.assertEqual((code, out), (130, ""), err)
        self.assertEqual(os.listdir(self.folder), [])

    def test_before_any_work(self):
        process = self.start("exact", "ising(side=5,beta=0.4)")
        time.sleep(0.1)  # any moment will do
        code, out, err = self.interrupt(process, signal.SIGINT, 0)
        self.assertIn(code, (130, -signal.SIGINT, 0), err)

    def test_ignored_signals_stay_ignored(self):
        def nohup():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        process = self.start(*LONG, "--json", prepare=nohup)
        self.assertTrue(harness.wait_for_work(process))
        process.send_signal(signal.SIGHUP)
        self.assertTrue(harness.wait_for_work(process, 1.5))
        code, out, err = self.interrupt(process, signal.SIGTERM)
        self.assertEqual(code, 128 + signal.SIGTERM, err)


if __name__ == "__main__":
    harness.main()
