"""Memory that runs out at any allocation of the process, those of jansson,
netCDF and HDF5 included: exit 2 or 3, and no file or a whole one.

Quick: some of the allocations, evenly spread.  HISS_TEST_SLOW: every one.
"""
import os
import re
import signal

import harness

SCARCE = os.environ.get("HISS_SCARCE")
IS_SLOW = "HISS_TEST_SLOW" in os.environ
QUICK = 24
RUN = ["sample", "bernoulli4", "--samples", 20, "--warmup", 5, "--threads", 1,
       "--quiet"]
SEARCH = ["optimize", "ising(side=3,beta=1)", "--restarts", 2, "--threads", 1,
          "--quiet"]
# ends that the libraries make themselves: crashes inside libhdf5, and the exit
# of libnetcdf when it cannot be initialised
HDF5 = {-signal.SIGSEGV, -signal.SIGABRT, 255}


class Scarce(harness.Case):
    def setUp(self):
        super().setUp()
        if not SCARCE:
            self.skipTest("no library to load before the program")

    def starve(self, at, once, *words):
        env = {"LD_PRELOAD": SCARCE, "SCARCE_AT": str(at),
               "SCARCE_COUNT": self.path("count")}
        if once:
            env["SCARCE_ONCE"] = "yes"
        return self.hiss(*words, env=env)

    def count(self, *words):
        done = self.starve(0, False, *words)
        self.assertIn(done.returncode, (0, 1), done)
        with open(self.path("count"), encoding="utf-8") as file:
            return int(file.read())

    def keys(self, name):
        """What a result's manifest has, without its numbers."""
        page = self.path("keys.html")
        self.good("report", name, "-o", page, "--force")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        return re.findall(r"^  &quot;(\w+)&quot;:", text, re.M) or \
            re.findall(r'^  "(\w+)":', text, re.M)

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def every(self, name, *words, whole, may_crash=False, before=None):
        """All places of a command, whose file is `name`."""
        total = self.count(*words)
        step = 1 if IS_SLOW else max(1, total // QUICK)
        self.assertGreater(total, 50)
        told = 0
        for once in (False, True):
            # the last places first: files are written at the end
            for at in range(total, 0, -step):
                if name and os.path.exists(self.path(name)):
                    os.remove(self.path(name))
                if before:
                    before()
                done = self.starve(at, once, *words)
                where = (at, once, done)
                if not (may_crash and done.returncode in HDF5):
                    self.assertIn(done.returncode, (0, 1, 2, 3, 4), where)
                told += done.returncode in (2, 3)
                if name and os.path.exists(self.path(name)):
                    whole(name, where)
                elif name:
                    self.assertNotIn(done.returncode, (0, 1), where)
                self.assertFalse([n for n in os.listdir(self.folder)
                                  if ".part" in n and done.returncode >= 0],
                                 where)
                for left in os.listdir(self.folder):
                    if ".part" in left:
                        os.remove(self.path(left))
        self.assertGreater(told, 0)

    def whole_result(self, name):
        self.good(*RUN, "-o", "ref" + name)
        keys = self.keys("ref" + name)
        self.assertIn("sampler", keys)

        def check(name, where):
            # without its last keys only if that was told
            found = self.keys(name)
            if where[2].returncode in (0, 1):
                self.assertEqual(found, keys, where)
            else:
                self.assertEqual(found, keys[:len(found)], where)
        return check

    def test_sample(self):
        self.every("x.csv", *RUN, "-o", "x.csv",
                   whole=self.whole_result("x.csv"))

    def test_sample_netcdf(self):
        self.every("x.nc", *RUN, "-o", "x.nc",
                   whole=self.whole_result("x.nc"))

    def checkpoint(self):
        """Of a run that was killed, the shortest that lasts long enough."""
        thin = 5000
        while True:
            thin *= 2
            process = self.start("sample", "bernoulli4", "--sampler", "gibbs",
                                 "--samples", 20, "--thin", thin, "--warmup",
                                 10, "--threads", 1, "-o", "ref.csv",
                                 "--checkpoint", "ck", "--checkpoint-every",
                                 "0.001s", "--quiet", "--force")
            harness.wait_until(lambda: os.path.exists(self.path("ck")), process)
            process.kill()
            process.communicate()
            if os.path.exists(self.path("ck")):
                return

    def test_resume(self):
        self.checkpoint()
        names = ("ck", "ck.draws")
        kept = [self.bytes(name) for name in names]

        def restore():
            for name, data in zip(names, kept):
                with open(self.path(name), "wb") as file:
                    file.write(data)

        def check(name, where):
            self.assertIn("sampler", self.keys(name), where)
        self.every("x.csv", "sample", "--resume", "ck", "--quiet", "-o",
                   "x.csv", "--force", whole=check, before=restore)

    def test_report(self):
        self.good(*RUN, "-o", "r.csv")
        self.good("report", "r.csv", "-o", "ref.html")
        page = self.bytes("ref.html")

        def check(name, where):
            text = self.bytes(name)
            self.assertIn(b"</html>", text, where)
            self.assertEqual(text.count(b"<h2"), page.count(b"<h2"), where)
            for tag in (b"td", b"tr", b"table", b"section", b"svg"):
                self.assertEqual(len(re.findall(b"<%s[ >]" % tag, text)),
                                 text.count(b"</%s>" % tag), where)
        self.every("r.html", "report", "r.csv", "-o", "r.html", whole=check)

    def test_diagnose(self):
        for name, may_crash in (("r.csv", False), ("r.nc", True)):
            self.good(*RUN, "-o", name)
            self.every(None, "diagnose", name, "--threads", 1, whole=None,
                       may_crash=may_crash)

    def test_optimize(self):
        def check(name, where):
            with open(self.path(name), encoding="utf-8") as file:
                self.assertEqual(len(file.read().splitlines()[-1].split()), 9,
                                 where)
        self.every("x.sol", *SEARCH, "-o", "x.sol", whole=check)


if __name__ == "__main__":
    harness.main()
