"""Workers that are asked in turn, what they answered, and the files that come of it.

A worker is a program that answers requests from stdin, a line each, with
seconds; between requests it waits and costs nothing.  So ours and the peers'
are measured alternately, round by round, and the best of each counts.
"""
import csv
import json
import math
import os
import select
import statistics
import subprocess

TIMEOUT = 300  # seconds of one request


class Missing(Exception):
    """A figure that cannot be had here, and why."""


class Worker:
    def __init__(self, *command, **environment):
        self.command = command
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
                env=dict(os.environ, **environment))
        except OSError as error:
            raise Missing(f"{command[0]}: {error.strerror}") from None

    def ask(self, *words):
        try:
            self.process.stdin.write("\t".join(map(str, words)) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Missing(f"{self.command[-1]} has ended") from None
        if not select.select([self.process.stdout], [], [], TIMEOUT)[0]:
            self.process.kill()
            raise Missing(f"no answer to '{' '.join(map(str, words))}' in {TIMEOUT} s")
        line = self.process.stdout.readline()
        if not line or line.startswith("error: "):
            raise Missing(line[7:].strip() or f"{self.command[-1]} has ended")
        return [float(word) for word in line.split()]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Store:
    """Answers by name, as lists in the order of the rounds."""

    def __init__(self):
        self.answers, self.missing = {}, {}

    def take(self, rounds, *requests):
        """Asks each of (name, function) in turn, so many rounds."""
        for _ in range(rounds):
            for name, function in requests:
                if name in self.missing:
                    continue
                try:
                    self.answers.setdefault(name, []).append(function())
                except Missing as error:
                    self.missing[name] = str(error)

    def all(self, name):
        if name in self.missing:
            raise Missing(self.missing[name])
        if name not in self.answers:
            raise Missing(f"'{name}' was not measured")
        return self.answers[name]

    def best(self, name):
        """The fewest seconds."""
        return min(answer[0] for answer in self.all(name))

    def median(self, function, *names):
        """Of function(answers of one round), the names' answers being seconds."""
        rounds = zip(*([answer[0] for answer in self.all(name)] for name in names))
        return statistics.median(function(*one) for one in rounds)


# --- results ------------------------------------------------------------------

FIELDS = ("name", "value", "unit", "limit", "peer", "ratio", "path", "command")


def short(number):
    """At most four digits that count."""
    if number is None:
        return "-"
    return f"{number:.0f}" if abs(number) >= 1000 else f"{number:.3g}"


def print_table(rows):
    width = max([len(row["name"]) for row in rows] + [4])
    print(f"\n{'name':{width}} {'value':>9} {'unit':10} {'limit':>9} {'peer':>9} {'ratio':>9}  path")
    for row in rows:
        print(f"{row['name']:{width}} {short(row['value']):>9} {row['unit']:10} "
              f"{short(row['limit']):>9} {short(row['peer']):>9} {short(row['ratio']):>9}  "
              f"{row['path']}".rstrip())


# --- decibels -----------------------------------------------------------------

BAR = 10  # characters of 1 dB each, to the left and to the right


def against_calibration(row, seconds):
    """How fast a row is in units of the calibration loop, whose round takes so many
    seconds: a machine twice as fast has the same number.  None of other units."""
    if not row["value"]:
        return None
    per_second = {"1/ns": 1e9 * row["value"], "ns": 1e9 / row["value"]}
    per_second |= {f"ms/{what}": 1e3 / row["value"] for what in
                   ("sample", "sweep", "population", "step")}
    rate = per_second.get(row["unit"])
    return rate and rate * seconds


def bar(decibels):
    """A mark in the middle, and a dash for each decibel on its side."""
    length = min(BAR, round(abs(decibels)))
    left, right = ("-" * length, "") if decibels < 0 else ("", "+" * length)
    return f"{left:>{BAR}}|{right:<{BAR}}"


def print_decibels(rows, seconds, expected):
    """A line for each row that has an expectation; the least of all, or None."""
    found = []
    for row in rows:
        now, then = against_calibration(row, seconds), expected.get(row["name"])
        if now and then:
            found.append((10 * math.log10(now / then), row["name"]))
    if not found:
        return None
    width = max(len(name) for _, name in found)
    print("\nrates against expectations (bench/expected.json), in decibels: 3 dB is a factor of 2")
    for decibels, name in found:
        print(f"{name:{width}} {decibels:+6.1f} dB  {bar(decibels)}")
    return min(found)


def write_files(rows, folder, header):
    with open(os.path.join(folder, "results.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
    with open(os.path.join(folder, "results.csv"), "w", newline="") as f:
        f.write(f"# {header}\n")
        out = csv.DictWriter(f, FIELDS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def panel(title, label, values, log):
    """Horizontal bars, the first row on top, a line at 1."""
    count = len(values)
    numbers = [value for _, value in values]
    span = {"low": 0.1, "high": 30 * max(numbers)} if log else {"low": 0, "high": max(1.25, 1.15 * max(numbers))}
    return {"title": title, "width": 560, "height": 90 + 20 * count, "mark": 1,
            "x": {"label": label, "log": log, **span},
            "y": {"low": -0.6, "high": count - 0.4, "reversed": True,
                  "ticks": [[i, name] for i, (name, _) in enumerate(values)]},
            "series": [{"style": "rows", "color": 0, "x": numbers, "y": list(range(count)),
                        "text": [short(value) for value in numbers]}]}


def draw_charts(charts, path, program):
    """Writes the charts to an SVG file, side by side; program: bench_chart."""
    done = subprocess.run([program], input=json.dumps(charts), text=True, check=True,
                          stdout=subprocess.PIPE)
    with open(path, "w") as f:
        f.write(done.stdout)


def share(row):
    """Of its limit: rates by value / limit, times the other way round."""
    ratio = row["value"] / row["limit"]
    return 1 / ratio if row["unit"][:2] in ("ns", "ms") else ratio


def draw(rows, path, program):
    """Two panels: speed over that of each peer, and the share of its limit that each
    row without a peer reaches.  False if there is nothing to draw."""
    ratios = [(row["name"], row["ratio"]) for row in rows if row["ratio"]]
    shares = [(row["name"], share(row)) for row in rows if row["limit"] and not row["ratio"]]
    panels = [panel(*one) for one in (
        ("speed over that of the peer", "ratio", ratios, True),
        ("share of the limit", "1: at the limit", shares, False)) if one[2]]
    if panels:
        draw_charts(panels, path, program)
    return bool(panels)
