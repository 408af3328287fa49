"""The playground in chromium: load, run, stop, drop, judge, keys, widths.

Skipped where `make wasm` has not built it or there is no chromium.  HISS_SHOTS
names a folder for pictures of what was seen."""
import base64
import functools
import http.server
import os
import pathlib
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import browser  # noqa: E402
import harness  # noqa: E402
import test_draws  # noqa: E402

PLAY = test_draws.WASM.resolve() / "play"
SHOTS = os.environ.get("HISS_SHOTS")
DROP = """(() => { const all = new DataTransfer();
all.items.add(new File([Uint8Array.from(atob('%s'), c => c.charCodeAt(0))],
                       '%s'));
document.querySelector('.drop[data-for=%s]').dispatchEvent(
    new DragEvent('drop', {dataTransfer: all, bubbles: true, cancelable: true}));
})()"""
IS_IDLE = "!document.getElementById('go').disabled"
CLIPPED = """Array.from(document.querySelectorAll(
'button, label, h1, h2, .verdict, .findings li')).filter(part => {
const box = part.getBoundingClientRect();
return box.width > 1 && !part.classList.contains('hidden') &&
       (box.left < 0 || box.right > innerWidth)}).map(p => p.textContent)"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    asked = []

    def log_message(self, *what):
        Quiet.asked.append(self.path)


class Play(harness.Case):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()
        cls.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=str(PLAY)))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.there = f"http://127.0.0.1:{cls.server.server_port}/index.html"

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.shutdown()
        cls.server.server_close()

    # --- what a user does --------------------------------------------------

    def js(self, script):
        return self.browser.run(script)

    def until(self, script):
        end = time.monotonic() + harness.TIMEOUT
        while not self.js(script):
            self.assertLess(time.monotonic(), end, script)
            time.sleep(0.05)

    def open(self, address=None, fragment="", width=1400, scheme="light"):
        call = self.browser.call
        call("Emulation.setDeviceMetricsOverride", width=width, height=900,
             deviceScaleFactor=1, mobile=False)
        call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])
        call("Page.navigate", url="about:blank")
        self.browser.events = []
        call("Page.navigate", url=(address or self.there) + fragment)
        self.until("document.readyState === 'complete' && "
                   "!!document.getElementById('state')")
        self.until("!document.getElementById('state').textContent"
                   ".startsWith('Loading')")
        self.assertIn("Ready", self.text("state"))

    def text(self, name):
        return self.js(f"document.getElementById('{name}').textContent")

    def put(self, name, value):
        self.js(f"document.getElementById('{name}').value = {value!r}")

    def click(self, name):
        self.js(f"document.getElementById('{name}').click()")

    def drop(self, name, data, target="model"):
        self.js(DROP % (base64.b64encode(data).decode(), name, target))
        self.until(f"files.has('{name}')")

    def run_it(self, **fields):
        for name, value in fields.items():
            self.put(name, value)
        self.click("go")
        self.until(IS_IDLE)

    def read(self, name):
        """A file of the page."""
        return base64.b64decode(self.js(
            f"btoa(String.fromCharCode(...new Uint8Array(files.get('{name}')"
            ".slice(0, 60000))))"))

    def shoot(self, name):
        if not SHOTS:
            return
        size = self.js("[innerWidth, Math.min(4000, "
                       "document.documentElement.scrollHeight)]")
        shot = self.browser.call(
            "Page.captureScreenshot", captureBeyondViewport=True,
            clip={"x": 0, "y": 0, "width": size[0], "height": size[1],
                  "scale": 1})
        (pathlib.Path(SHOTS) / f"{name}.png").write_bytes(
            base64.b64decode(shot["data"]))

    def look(self, width):
        """What is wrong whatever the page shows."""
        self.assertEqual(self.browser.complaints(), [])
        self.assertLessEqual(
            self.js("document.documentElement.scrollWidth"), width)
        self.assertEqual(self.js(CLIPPED), [])

    # --- tests -------------------------------------------------------------

    def test_a_run_at_all_widths(self):
        for width, scheme in ((400, "dark"), (1400, "light"), (400, "light"),
                              (1400, "dark")):
            self.open(width=width, scheme=scheme)
            self.shoot(f"empty-{width}-{scheme}")
            self.run_it(model="mixture(k=4,d=12,strength_low=1)",
                        samples=200, observable="m")
            self.assertIn("trusted", self.text("verdict").lower())
            self.assertIn("4 found", self.text("modes"))
            self.assertIn("Observables", self.text("observables"))
            self.assertIn("hiss sample 'mixture(", self.text("native"))
            self.assertIn("--samples 200", self.text("native"))
            self.until("!!document.querySelector('iframe[data-is-loaded]')")
            self.look(width)
            self.shoot(f"run-{width}-{scheme}")

    def test_its_draws_are_native(self):
        self.open()
        self.run_it(model="ising(side=6,beta=0.44)", samples=60)
        self.good("sample", "ising(side=6,beta=0.44)", "--samples", 60, "-o",
                  "x.csv")
        with open(self.path("x.csv"), "rb") as file:
            want = [line for line in file if not line.startswith(b"#")]
        got = [line for line in self.read("draws.csv").splitlines(True)
               if not line.startswith(b"#")]
        self.assertGreater(len(got), 100)
        self.assertEqual(got[:-1], want[:len(got) - 1])

    def test_from_a_folder(self):
        Quiet.asked.clear()
        self.open(f"file://{PLAY}/index.html")
        self.run_it(model="bernoulli4", samples=100)
        self.assertIn("proved", self.text("verdict").lower())
        self.look(1400)
        self.assertEqual(Quiet.asked, [])

    def test_nothing_is_asked_for_after_loading(self):
        self.open()
        Quiet.asked.clear()
        self.run_it(model="bernoulli4", samples=100)
        self.assertEqual(Quiet.asked, [])

    def test_stop(self):
        for address in (self.there, f"file://{PLAY}/index.html"):
            self.open(address)
            self.put("samples", 400)
            self.put("sampler", "pt(base=gibbs,levels=40)")
            self.put("model", "ising(side=32,beta=0.44)")
            self.click("go")
            self.until("Number(document.getElementById('bar').value) > 0")
            self.shoot("running")
            self.click("stop")
            self.until(IS_IDLE + " || "
                       "!!document.querySelector('#summary table')")
            self.click("stop")  # the rest is not awaited
            self.until(IS_IDLE)
            self.run_it(model="bernoulli4", samples=50, sampler="")
            self.assertIn("proved", self.text("verdict").lower())
            self.look(1400)

    def test_a_file_is_dropped(self):
        self.open()
        example = test_draws.HERE.parents[1] / "docs" / "play" / "examples"
        self.drop("ring2.qubo", (example / "ring.qubo").read_bytes())
        self.assertIn("ring2.qubo", self.js(
            "document.querySelector('.files').textContent"))
        self.run_it(samples=100)
        self.assertIn("ring2.qubo", self.text("summary"))
        self.assertIn("read as", self.text("notes"))
        self.look(1400)

    def test_a_wrong_file(self):
        self.open()
        self.drop("bad.uai", b"MARKOV\n2\n2 two\n")
        self.run_it()
        self.assertIn("bad.uai:3:", self.text("verdict"))
        self.assertEqual(self.text("doing"), "failed")
        self.look(1400)
        self.shoot("wrong-file")

    def test_more_memory_than_there_is(self):
        self.open()
        self.run_it(model="ising(side=1000,beta=0.1)", sampler="gibbs",
                    samples=100000)
        self.assertIn("hiss:", self.text("verdict"))
        self.assertRegex(self.text("verdict"), "it needs at least .* left")
        self.shoot("memory")
        self.run_it(model="bernoulli4", samples=50, sampler="")
        self.assertIn("proved", self.text("verdict").lower())
        self.look(1400)

    def test_a_link(self):
        self.open(fragment="#model=ring.qubo&samples=70&chains=4&seed=3")
        self.until("!!document.querySelector('iframe')")
        self.until(IS_IDLE)
        self.assertIn("4 chains x 70 draws", self.text("summary"))
        self.assertIn("seed 3", self.text("summary"))
        self.assertIn("samples=70", self.js("address()"))

    def test_judge(self):
        self.good("sample", "ising(side=4,beta=0.3)", "--samples", 500, "-o",
                  "other.npz")
        with open(self.path("other.npz"), "rb") as file:
            data = file.read()
        self.open()
        self.drop("other.npz", data, "draws")
        for model, verdict in (("ising(side=4,beta=0.3)", "proved"),
                               ("ising(side=4,beta=0.4)", "wrong")):
            self.put("of", model)
            self.click("judge-go")
            self.until(IS_IDLE)
            self.assertIn(verdict, self.text("judgement").lower())
        self.look(1400)
        self.shoot("judge")

    def test_any_command(self):
        self.open()
        self.put("line", "hiss list samplers")
        self.click("line-go")
        self.until(IS_IDLE)
        self.assertIn("gibbs", self.text("output"))
        for line, why in (("hiss sample bernoulli4 | head", "one command"),
                          ("hiss nonsense", "exit code 2"),
                          ("hiss sample bernoulli4 --threads 3",
                           "one thread")):
            self.put("line", line)
            self.click("line-go")
            self.until(IS_IDLE)
            self.assertIn(why, self.text("output"))
        self.look(1400)

    def test_run_buttons(self):
        """A page of the docs, as the site has its blocks."""
        block = '<div class="language-%s highlight"><pre><code>%s' \
                '</code></pre></div>\n'
        blocks = [
            ("sh", "cat > a.uai <<'END'\nMARKOV\n2\n2 2\n1\n2 0 1\n4 1 2 3 4\n"
                   "END\n"),
            ("console", "$ hiss sample a.uai --samples 20 -o a.nc\n..."),
            ("console", "$ hiss summary a.nc   # what it says\n..."),
            ("console", "$ hiss version && echo yes\n$ hiss nonsense && echo "
             "no\n"),
            ("console", "$ hiss list models | head\n..."),
            ("console", "$ hiss list models\n...")]
        text = "<!DOCTYPE html><title>page</title>"
        for number, (kind, inside) in enumerate(blocks):
            text += "<!-- not live: slow -->\n" if number == 5 else ""
            text += block % (kind, inside.replace("<", "&lt;"))
        for script in ("engine.js", "shell.js", "live.js"):
            text += f'<script src="file://{PLAY}/{script}"></script>'
        self.write("page.html", text)
        self.browser.open(self.path("page.html"), 1400, "light")
        buttons = "document.querySelectorAll('button.hiss-run')"
        self.assertEqual(self.js(f"{buttons}.length"), 3)
        self.js(f"{buttons}[1].click()")
        self.until(f"{buttons}[1].textContent === 'Run again'")
        output = self.js("document.querySelectorAll('.hiss-output')[1]"
                         ".textContent")
        self.assertIn("$ hiss summary a.csv", output)
        self.assertIn("x.2", output)
        self.assertNotIn("exit code", output)
        self.js(f"{buttons}[2].click()")
        self.until(f"{buttons}[2].textContent === 'Run again'")
        output = self.js("document.querySelectorAll('.hiss-output')[2]"
                         ".textContent")
        self.assertIn("\nyes\n$ hiss nonsense && echo no\n", output)
        self.assertTrue(output.endswith("(exit code 2)\n"), output)
        self.assertEqual(self.browser.complaints(), [])

    def press(self, key, code, text=""):
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key,
                              code=key, text=text if kind == "keyDown" else "",
                              windowsVirtualKeyCode=code)

    def test_by_keys_alone(self):
        self.open()
        self.put("samples", 100)
        seen = []
        while "go" not in seen:
            self.press("Tab", 9)
            seen.append(self.js("document.activeElement.id"))
            self.assertLess(len(seen), 40, seen)
        for part in ("example", "model", "files", "sampler", "samples"):
            self.assertIn(part, seen)
        self.assertEqual(self.js("getComputedStyle(document.activeElement)"
                                 ".outlineStyle"), "solid")
        self.press("Enter", 13, "\r")
        self.until("document.getElementById('go').disabled")
        self.until(IS_IDLE)
        self.assertIn("trusted", self.text("verdict").lower())
        self.look(1400)


if __name__ == "__main__":
    why = test_draws.why_not()
    if not why and browser.PROGRAM is None:
        why = f"none of {', '.join(browser.NAMES)}"
    if not why and not (PLAY / "bundle.js").exists():
        why = f"there is no {PLAY}/bundle.js: `make wasm`"
    if why:
        print(f"skipped: {why}")
        sys.exit(77)
    unittest.main()
