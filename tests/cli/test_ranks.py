"""A run that processes share draws what one process draws.

HISS_MPIRUN names the launcher; without it, or without MPI in the program,
nothing is tried.  HISS_CLIFF is a plug-in whose U is NaN at one state,
HISS_CUDA_HOST the stand-in for cards.
"""
import contextlib
import json
import os
import signal
import subprocess
import unittest

import harness

MPIRUN = os.environ.get("HISS_MPIRUN", "")
CLIFF = os.environ.get("HISS_CLIFF", "")
CARDS = os.environ.get("HISS_CUDA_HOST", "")
MODEL = "ising(side=6,beta=0.4407)"
BAD = "MARKOV\n1\n2\n1\n1 0\n2 1 x\n"
GOOD = "MARKOV\n1\n2\n1\n1 0\n2 1 2\n"
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_base_warn_component_unused": "0",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "ASAN_OPTIONS": "detect_leaks=0",  # of MPI itself
}


def children(parent):
    """Processes that a process has started."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[1]) == parent:
            found.append(int(name))
    return sorted(found)


@unittest.skipUnless(MPIRUN, "no mpirun, or hiss was built without MPI")
class Ranks(harness.Case):
    @classmethod
    def setUpClass(cls):
        """Some machines (containers) have an mpirun that starts nothing."""
        done = subprocess.run([MPIRUN, "-n", "2", harness.HISS, "--version"],
                              env=harness.environment(**ENVIRONMENT),
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=harness.TIMEOUT,
                              check=False)
        if done.returncode != 0:
            raise unittest.SkipTest("mpirun cannot start two processes: " +
                                    " ".join(done.stderr.split()))

    def launch(self, ranks, *words, env=None, launcher=()):
        """Starts `ranks` processes of the command, in a session of their
        own."""
        return subprocess.Popen(
            [MPIRUN, "-q", *launcher, "-n", str(ranks), harness.HISS,
             *map(str, words)],
            cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=harness.default_signals, start_new_session=True,
            env=harness.environment(**ENVIRONMENT, **(env or {})))

    def end(self, process):
        """Waits, but not for ever."""
        try:
            out, err = process.communicate(timeout=harness.TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            self.fail(f"no end after {harness.TIMEOUT} s: {out} {err}")
        return subprocess.CompletedProcess(process.args, process.returncode,
                                           out, err)

    def shared(self, ranks, *words, **how):
        done = self.end(self.launch(ranks, *words, **how))
        self.assertEqual(done.returncode, 0, done)
        return done.stdout

    def draws(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return [line for line in file if not line.startswith("#")]

    def same(self, ranks, *words, more=()):
        """The draws and the summary of one process."""
        words = ["sample", *words, "--json", "--quiet", "--force", "-o"]
        one = json.loads(self.good(*words, "one.csv", "--threads", 1))
        for count in ranks:
            told = json.loads(self.shared(count, *words, "many.csv", *more))
            self.assertEqual(self.draws("many.csv"), self.draws("one.csv"),
                             (count, words))
            self.assertEqual(told["ranks"], count)
            for key in set(one) - {"seconds", "threads", "ranks", "output"}:
                self.assertEqual(told[key], one[key], (count, key, words))

    def test_groups_are_shared_out(self):
        for spec in ("dmala(alpha=auto)", "hiss(eta=auto,inner=dmala)"):
            self.same((2, 4), MODEL, "--sampler", spec, "--chains", 70,
                      "--samples", 60)
        self.same((1, 2), MODEL, "--sampler", "gibbs", "--chains", 70,
                  "--samples", 60, "--thin", 3, "--warmup", 0,
                  more=("--threads", 2))

    @unittest.skipUnless(CARDS, "no stand-in for cards")
    def test_a_card_per_rank(self):
        """Draws are those of one processor; levels of a chain stay on one card,
        though there are fewer groups than ranks."""
        words = ["sample", MODEL, "--samples", 20, "--json", "--quiet",
                 "--force", "-o"]
        for spec, chains in (("gibbs", 70), ("pt(base=gibbs,levels=9)", 12)):
            how = ["--sampler", spec, "--chains", chains]
            self.good(*words, "one.csv", *how)
            told = json.loads(self.shared(
                2, *words, "many.csv", *how, "--device", "cuda",
                env={"HISS_CUDA": CARDS, "HISS_CUDA_CARDS": "2"}))
            self.assertEqual(self.draws("many.csv"), self.draws("one.csv"))
            self.assertEqual(told["device"], "cuda:0 (stand-in for a card 0), "
                                             "the first of 2 ranks")
        done = self.end(self.launch(
            2, *words, "none.csv", "--device", "cuda",
            env={"HISS_CUDA": CARDS, "HISS_CUDA_CARDS": "0"}))
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no card", done.stderr)

    def test_more_ranks_than_groups(self):
        self.same((4,), MODEL, "--sampler", "gibbs", "--chains", 20,
                  "--samples", 50)

    def test_tiles_of_a_group_are_shared_out(self):
        """4 x 24 replicas are six tiles of one group."""
        self.same((2, 3, 4), MODEL, "--sampler",
                  "pt(base=dmala(alpha=auto),levels=24)", "--chains", 4,
                  "--samples", 100)
        self.same((4,), MODEL, "--sampler", "pt(base=gibbs,levels=24)",
                  "--chains", 18, "--samples", 50)
        self.same((3,), MODEL, "--sampler", "pt(base=gibbs,levels=24)",
                  "--chains", 4, "--samples", 50, "--init", "best")
        self.same((2,), "potts(side=3,states=3,beta=0.8)", "--sampler",
                  "pt(base=gibbs,levels=9,swap_every=2)", "--chains", 5,
                  "--samples", 50)

        self.same((2, 3), MODEL, "--sampler",
                  "replicas(base=dmala(alpha=auto),count=12)", "--chains", 4,
                  "--samples", 50)

    def test_states_that_replicas_exchange_stay_together(self):
        self.same((4,), MODEL, "--sampler",
                  "pt(base=gibbs,levels=24,houdayer=2)", "--chains", 4,
                  "--samples", 50)

    def test_pilots(self):
        self.same((2, 4), "pairs(d=16)", "--chains", 18, "--samples", 100)
        self.same((4,), MODEL, "--sampler", "pt(base=gibbs,levels=auto)",
                  "--chains", 18, "--samples", 50)

    def test_budgets(self):
        for spec, chains in (("gibbs", 36), ("pt(base=gibbs,levels=24)", 4)):
            self.same((4,), MODEL, "--sampler", spec, "--chains", chains,
                      "--evals", 1e6)
            self.same((4,), MODEL, "--sampler", spec, "--chains", chains,
                      "--ess", 400)

    def test_all_files(self):
        words = ["sample", MODEL, "--sampler", "pt(base=gibbs,levels=24)",
                 "--chains", 4, "--samples", 50, "--save-warmup", "--quiet"]
        self.good(*words, "-o", "one.npz", "--mar", "one.MAR")
        self.shared(4, *words, "-o", "many.npz", "--mar", "many.MAR")
        self.assertEqual(self.draws("one.MAR"), self.draws("many.MAR"))
        self.assertTrue(os.path.getsize(self.path("many.npz")) > 1000)

    def test_marginals_of_strands(self):
        words = ["sample", MODEL, "--sampler", "replicas(gibbs,count=12)",
                 "--chains", 4, "--samples", 50, "--quiet"]
        self.good(*words, "-o", "one.csv", "--mar", "one.MAR")
        self.shared(3, *words, "-o", "many.csv", "--mar", "many.MAR")
        self.assertEqual(self.draws("one.MAR"), self.draws("many.MAR"))

    def test_resume_with_any_number(self):
        """Wherever the time limit stops it, the rest is the same."""
        for spec, chains in (("hiss(eta=auto,inner=gwg)", 36),
                             ("replicas(base=gwg,count=24)", 4),
                             ("pt(base=dmala(alpha=auto),levels=24)", 4)):
            words = ["sample", MODEL, "--sampler", spec, "--chains", chains,
                     "--samples", 200, "--thin", 20, "--warmup", 1000,
                     "--quiet", "--force"]
            self.good(*words, "-o", "whole.csv")
            self.end(self.launch(2, *words, "-o", "part.csv", "--checkpoint",
                                 "ck", "--checkpoint-every", "0.02s",
                                 "--time-limit", "0.2s"))
            for ranks in (4, 0, 3):
                for name in ("ck", "ck.draws"):
                    with open(self.path(name), "rb") as file:
                        data = file.read()
                    with open(self.path("again" + name[2:]), "wb") as file:
                        file.write(data)
                again = ["sample", "--resume", "again", "--time-limit", "1h",
                         "--quiet", "--force"]
                if ranks:
                    self.shared(ranks, *again)
                else:
                    self.good(*again)
                self.assertEqual(self.draws("part.csv"),
                                 self.draws("whole.csv"), (spec, ranks))

    def wait_for(self, name, process):
        """Until a file is there; False if the process ended before."""
        return harness.wait_until(lambda: os.path.exists(self.path(name)),
                                  process)

    def test_a_killed_rank_ends_the_run(self):
        words = ["sample", MODEL, "--sampler",
                 "pt(base=dmala(alpha=auto),levels=24)", "--chains", 4,
                 "--samples", 400, "--thin", 100, "--quiet", "--force"]
        self.good(*words, "-o", "whole.csv")
        process = self.launch(4, *words, "-o", "part.csv", "--checkpoint",
                              "ck", "--checkpoint-every", "0.02s")
        self.assertTrue(self.wait_for("ck", process))
        ranks = children(process.pid)
        for rank in ranks[-1:]:
            with contextlib.suppress(ProcessLookupError):  # it is done
                os.kill(rank, signal.SIGKILL)
        done = self.end(process)
        if not os.path.exists(self.path("part.csv")):
            self.assertNotEqual(done.returncode, 0, done)
        self.shared(2, "sample", "--resume", "ck", "--quiet", "--force")
        self.assertEqual(self.draws("part.csv"), self.draws("whole.csv"))

    def test_a_signal_to_one_rank_stops_all(self):
        process = self.launch(3, "sample", MODEL, "--sampler", "gibbs",
                              "--chains", 40, "--time-limit", "1h",
                              "--quiet", "--json", "--warmup", 10, "-o",
                              "part.csv", "--checkpoint", "ck",
                              "--checkpoint-every", "0.02s")
        self.assertTrue(self.wait_for("ck", process))
        os.kill(children(process.pid)[-1], signal.SIGTERM)
        done = self.end(process)
        self.assertEqual(done.returncode, 128 + signal.SIGTERM, done)
        self.assertEqual(json.loads(done.stdout)["ended"], "stopped")
        self.assertTrue(os.path.exists(self.path("part.csv")))

    def failed(self, process, *parts):
        """Ends with code 2 and one message, which has these parts."""
        done = self.end(process)
        self.assertEqual(done.returncode, 2, done)
        self.assertEqual(done.stdout, "", done)
        self.assertEqual(done.stderr.count("hiss: "), 1, done)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_one_message_for_all(self):
        self.failed(self.launch(4, "sample", "missing.uai"), "missing.uai")
        self.failed(self.launch(4, "sample", MODEL, "--chain", 3), "--chains")
        self.failed(self.launch(4, "sample", MODEL, "--sampler", "hits"),
                    "did you mean")
        self.write("there.csv", "")
        self.failed(self.launch(2, "sample", MODEL, "-o", "there.csv"),
                    "--force")

    def test_a_fault_of_one_rank(self):
        """Its working folder has another model file."""
        os.mkdir(self.path("other"))
        self.write("model.uai", GOOD)
        words = ["sample", "model.uai", "--quiet"]
        more = [":", "-n", "2", "-wdir", self.path("other"), harness.HISS,
                *words]
        self.write("other/model.uai", BAD)
        self.failed(self.launch(1, *words, *more), "model.uai:6:5")
        self.write("other/model.uai", GOOD.replace("1 2\n", "1 3\n"))
        self.failed(self.launch(1, *words, *more), "different models")

    @unittest.skipUnless(CLIFF, "its plug-in was not built")
    def test_a_model_that_fails_on_the_way(self):
        for spec, chains in (("dmala(alpha=1)", 40),
                             ("pt(base=dmala(alpha=1),levels=24)", 4)):
            self.failed(self.launch(4, "sample", f"plugin({CLIFF})",
                                    "--sampler", spec, "--chains", chains,
                                    "--samples", 100000, "--quiet"),
                        "U is NaN or +infinity in chain")

    def test_what_is_not_shared(self):
        done = self.end(self.launch(3, "list", "models"))
        self.assertEqual(done.stdout.count("bernoulli4"),
                         self.good("list", "models").count("bernoulli4"))
        self.assertEqual(done.stderr.count("rank 0 runs alone"), 1, done)
        self.assertEqual(self.shared(2, "sample", "--help"),
                         self.good("sample", "--help"))
        apart = self.shared(2, "sample", "bernoulli4", "--quiet", "--full",
                            env={"HISS_RANKS": "off"})
        self.assertEqual(apart.count("\naccepted"), 2)


if __name__ == "__main__":
    harness.main()
