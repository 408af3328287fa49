"""What the scripts of the gallery share: hiss, its cost, and a small figure."""
import json
import math
import os
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = pathlib.Path("build/gallery")
OUT.mkdir(parents=True, exist_ok=True)
SKIP = 77  # exit code: something that the page needs is not installed
COLORS = "#0969da", "#d1570b", "#1a7f37"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIP)


def cpu(*command, **more):
    """(finished process, its processor seconds)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, text=True, capture_output=True, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, (after.ru_utime + after.ru_stime
                  - before.ru_utime - before.ru_stime)


def hiss(*words, codes=(0,)):
    """(the JSON answer of hiss, processor seconds); one thread."""
    program = os.environ.get("HISS") or ROOT / "build/release/hiss"
    done, spent = cpu(str(program), *map(str, words), "--json", "--quiet",
                      "--threads", "1")
    if done.returncode not in codes:
        sys.exit(f"hiss {' '.join(map(str, words))}: exit code "
                 f"{done.returncode}\n{done.stderr}{done.stdout}")
    return json.loads(done.stdout), spent


def claim(holds, what):
    """Every statement of a page is checked; the first that fails ends it."""
    if not holds:
        sys.exit(f"does not hold: {what}")
    print(f"holds: {what}")


class Figure:
    """Points, lines and bars between two axes, as SVG."""

    def __init__(self, title, x, y, xlabel, ylabel, log="", width=640,
                 height=330, left=60, xticks=None, below=45):
        self.range, self.log = {"x": x, "y": y}, log
        self.box = {"x": (left, width - 20), "y": (height - below, 55)}
        self.parts = []
        self.legends = left
        self.text(left, 22, title, "start", "600 14px")
        self.axes(xlabel, ylabel, xticks, width, height)
        self.size = width, height

    def at(self, axis, value):
        low, high = self.range[axis]
        if axis in self.log:
            low, high, value = math.log(low), math.log(high), math.log(value)
        first, last = self.box[axis]
        return first + (last - first) * (value - low) / (high - low)

    def ticks(self, axis):
        low, high = self.range[axis]
        if axis in self.log:
            return [10.0 ** k for k in range(math.ceil(math.log10(low) - 1e-9),
                                             math.floor(math.log10(high)) + 1)]
        step = 10 ** math.floor(math.log10((high - low) / 3))
        step *= next((m for m in (5, 2) if (high - low) / (step * m) >= 3), 1)
        return [k * step for k in range(math.ceil(low / step - 1e-9),
                                        math.floor(high / step + 1e-9) + 1)]

    def axes(self, xlabel, ylabel, xticks, width, height):
        (left, right), (bottom, top) = self.box["x"], self.box["y"]
        for y in self.ticks("y"):
            self.line(left, self.at("y", y), right, self.at("y", y), "#d8dee4")
            self.text(left - 6, self.at("y", y) + 4, f"{y:g}", "end")
        for x, name in enumerate(xticks or ()):
            self.text(self.at("x", x) + 4, bottom + 12, name, "end", turn=-60)
        for x in () if xticks else self.ticks("x"):
            self.text(self.at("x", x), bottom + 17, f"{x:g}")
        self.line(left, bottom, right, bottom, "#57606a")
        self.text((left + right) / 2, height - 8, xlabel)
        self.text(8, top - 10, ylabel, "start")

    def text(self, x, y, words, anchor="middle", font="12px", color="#24292f",
             turn=0):
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" '
            f'transform="rotate({turn} {x:.1f} {y:.1f})" style="font:{font} sans-serif">{words}</text>')

    def line(self, x0, y0, x1, y1, color, width=1, dash=""):
        self.parts.append(
            f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" '
            f'stroke="{color}" stroke-width="{width}" stroke-dasharray="{dash}"/>')

    def level(self, y):
        self.line(self.box["x"][0], self.at("y", y), self.box["x"][1],
                  self.at("y", y), "#57606a", 1.5, "5 4")

    def points(self, xs, ys, number, joined=False, errors=None, radius=3):
        at = [(self.at("x", x), self.at("y", y)) for x, y in zip(xs, ys)]
        color = COLORS[number]
        for (a, b), (c, d) in zip(at, at[1:]) if joined else ():
            self.line(a, b, c, d, color, 1.5)
        for (a, _), y, e in zip(at, ys, errors or ()):
            self.line(a, self.at("y", y - e), a, self.at("y", y + e), color, 1.5)
        self.parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{radius}" '
                       f'fill="{color}"/>' for a, b in at]

    def legend(self, *names):
        x = self.box["x"][1]
        for number, name in reversed(list(enumerate(names))):
            self.text(x, 40, name, "end", color=COLORS[number])
            x -= 7 * len(name) + 24

    def save(self, name):
        width, height = self.size
        (OUT / name).write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} '
            f'{height}" width="{width}" height="{height}"><rect width="100%" '
            'height="100%" fill="#fff"/>\n' + "\n".join(self.parts)
            + "\n</svg>\n", encoding="utf-8")
