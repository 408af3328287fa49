"""The data that come with hiss, and tools/get_data for the rest."""
import functools
import gzip
import hashlib
import http.server
import importlib.machinery
import importlib.util
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "data")
TOOL = os.path.join(ROOT, "tools", "get_data")
COMPAS = b"days,of,nobody\n"


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def sha256(text):
    return hashlib.sha256(text).hexdigest()


def the_tool():
    """tools/get_data as a module."""
    loader = importlib.machinery.SourceFileLoader("get_data", TOOL)
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader("get_data", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


class OnBoard(unittest.TestCase):
    def setUp(self):
        self.sums = dict(reversed(line.split()) for line in
                         read(DATA, "SHA256SUMS").decode().splitlines())

    def test_files_are_what_they_were(self):
        for name, expected in self.sums.items():
            self.assertEqual(sha256(read(DATA, name)), expected, name)

    def test_nothing_else_is_tracked(self):
        done = subprocess.run(["git", "ls-files", "data"], cwd=ROOT, text=True,
                              capture_output=True, check=False)
        if done.returncode or not done.stdout:
            self.skipTest("not a clone")
        self.assertEqual(set(done.stdout.split()), {
            f"data/{name}" for name in
            (*self.sums, "SHA256SUMS", "README.md")})

    def test_the_readme_names_each(self):
        table = dict(re.findall(r"^\| `([\w./-]+)` .*\| `([0-9a-f]{64})` \|$",
                                read(DATA, "README.md").decode(), re.M))
        plain = {}
        for name in self.sums:
            text = read(DATA, name)
            if name.endswith(".gz"):
                text = gzip.decompress(text)
            plain[name] = sha256(text)
        self.assertEqual(table, plain)

    def test_the_program_knows_the_same_hashes(self):
        known = read(ROOT, "src/model/data/dataset_known.c").decode()
        paper = (read(ROOT, "paper/networks/bnn.c")
                 + read(ROOT, "paper/experiments/tsp.c")).decode()
        for name in self.sums:
            text = read(DATA, name)
            if name.endswith(".gz"):
                text = gzip.decompress(text)
            if name.startswith("bnn/"):
                self.assertIn(sha256(text), known, name)
                self.assertIn(sha256(text), paper, name)
        (compas,) = the_tool().SETS["compas"][1].values()
        self.assertIn(compas, known)
        self.assertIn(compas, paper)


class Fetched(unittest.TestCase):
    def setUp(self):
        box = tempfile.TemporaryDirectory(prefix="hiss-data-")
        self.addCleanup(box.cleanup)
        self.box = box.name
        self.tool = os.path.join(self.box, "get_data")
        (real,) = the_tool().SETS["compas"][1].values()
        dbn = the_tool().SETS["DBN_11"][1]
        text = read(TOOL).decode().replace(real, sha256(COMPAS))
        self.members = {}
        for path, right in dbn.items():  # invented ones in their place
            self.members[path] = f"{path}\n".encode()
            text = text.replace(right, sha256(self.members[path]))
        with open(self.tool, "w", encoding="utf-8") as file:
            file.write(text)

    def run_tool(self, *words, **env):
        env = {**{k: v for k, v in os.environ.items()
                  if k != "HISS_DATA" and not k.lower().endswith("_proxy")},
               **env}
        return subprocess.run([sys.executable, "-B", self.tool, *words],
                              cwd=self.box, env=env, text=True, check=False,
                              capture_output=True, timeout=100)

    def path(self, *name):
        return os.path.join(self.box, *name)

    def put(self, name, text):
        with open(self.path(name), "wb") as file:
            file.write(text)
        return f"file://{self.path(name)}"

    def files(self, folder):
        return sorted(name for _, _, names in os.walk(self.path(folder))
                      for name in names)

    def test_from_a_server(self):
        self.put("compas", COMPAS)
        handler = functools.partial(Silent, directory=self.box)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        done = self.run_tool("compas", "--from", f"{address}/compas")
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(
            read(self.path("data/bnn/compas-scores-two-years.csv")), COMPAS)
        done = self.run_tool("compas", "--from", f"{address}/none", "--force")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("the server answers 404", done.stderr)
        server.shutdown()
        server.server_close()
        done = self.run_tool("compas", "--from", f"{address}/compas", "--force")
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stderr, "^get_data: compas: .* cannot be reached"
                                      ": .*; without a network, .*\n$")
        self.assertEqual(self.files("data"), ["compas-scores-two-years.csv"])

    def test_what_is_there_is_not_fetched(self):
        where = self.put("compas", COMPAS)
        for folder, words, env in (("data", (), {}),
                                   ("mine", ("--to", "mine"), {}),
                                   ("set", (), {"HISS_DATA": "set"})):
            done = self.run_tool("compas", "--from", where, *words, **env)
            self.assertEqual(done.returncode, 0, done)
            self.assertIn(folder, done.stdout)
            done = self.run_tool("compas", "--from", "file:///none", *words,
                                 **env)
            self.assertEqual(done.returncode, 0, done)
            self.assertIn("is there", done.stdout)

    def test_another_file_is_refused(self):
        done = self.run_tool("compas", "--from", self.put("x", COMPAS + b"\n"))
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("is another file", done.stderr)
        self.assertEqual(self.files("data"), [])

    def test_files_of_an_archive(self):
        def archive(names):
            text = io.BytesIO()
            with tarfile.open(fileobj=text, mode="w:gz") as out:
                for name in names:
                    entry = tarfile.TarInfo("a/" + os.path.basename(name))
                    entry.size = len(self.members[name])
                    out.addfile(entry, io.BytesIO(self.members[name]))
            return text.getvalue()

        whole = archive(self.members)
        for text, message in ((archive(list(self.members)[:2]), "has no"),
                              (whole[:-40], "cannot be read"),
                              (b"", "cannot be read")):
            done = self.run_tool("DBN_11", "--from", self.put("x", text))
            self.assertEqual(done.returncode, 1, done)
            self.assertIn(message, done.stderr)
            self.assertEqual(self.files("data"), [])
        done = self.run_tool("DBN_11", "--from", self.put("x", whole))
        self.assertEqual(done.returncode, 0, done)
        for name, text in self.members.items():
            self.assertEqual(read(self.path("data", name)), text)

    def test_bad_calls(self):
        for words in ((), ("compass",), ("--to",)):
            self.assertEqual(self.run_tool(*words).returncode, 2, words)
        self.assertIn("compas", self.run_tool("--list").stdout)


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    unittest.main()
