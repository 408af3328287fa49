"""Workers that are asked in turn, what they answered, and the files that come of it.

A worker is a program that answers requests from stdin, a line each, with
seconds; between requests it waits and costs nothing.  So ours and the peers'
are measured alternately, round by round, and the best of each counts.
"""
import csv
import json
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


def write_files(rows, folder, header):
    with open(os.path.join(folder, "results.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
    with open(os.path.join(folder, "results.csv"), "w", newline="") as f:
        f.write(f"# {header}\n")
        out = csv.DictWriter(f, FIELDS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def bars(title, label, span, values, log):
    """One panel of gnuplot: horizontal bars, the first row on top, a line at 1.
    Numbers stand behind their bars, beyond the line where it would cross them; ticks
    at the names, which would show as a dash behind a short bar, are left out."""
    place = "($2 < 1 ? 1 : $2)" if log else "(1.03)"
    low, count = span.split(":")[0], len(values)
    data = "\n".join(f"{count - i} {value:.6g} {name} {short(value)}"
                     for i, (name, value) in enumerate(values))
    return (f"$data << EOD\n{data}\nEOD\n"
            f"set title '{title}'\nset xlabel '{label}'\n"
            f"{'set' if log else 'unset'} logscale x\nset xrange [{span}]\n"
            f"set yrange [0.4:{count + 0.6}]\nset ytics scale 0\n"
            "set arrow 1 from 1, graph 0 to 1, graph 1 nohead lc rgb '#888888' back\n"
            f"plot $data using (0.5*($2+{low})):1:(0.5*($2-{low})):(0.32):ytic(3) "
            "with boxxyerror fs solid lc rgb '#4477aa' notitle, \\\n"
            f"     $data using {place}:1:4 with labels left offset 0.6,0 noenhanced font ',10' "
            "notitle\n")


def draw(rows, shares, path):
    """Two panels: speed over that of each peer, and which share of its limit each figure
    reaches; shares: (name, share).  False without gnuplot or anything to draw."""
    ratios = [(row["name"], row["ratio"]) for row in rows if row["ratio"]]
    panels = []
    if ratios:
        top = 30 * max(value for _, value in ratios)
        panels.append(bars("speed over that of the peer", "ratio", f"0.1:{top:.3g}", ratios, True))
    if shares:
        panels.append(bars("share of the limit", "1: at the limit", "0:1.25", shares, False))
    if not panels:
        return False
    height = 120 + 20 * max(len(ratios), len(shares))
    script = (f"set terminal svg size 1000,{height} font 'sans-serif,12' background '#ffffff'\n"
              f"set output '{path}'\nset style fill solid\nset grid xtics lc rgb '#dddddd'\n"
              "set ytics noenhanced nomirror\nset xtics nomirror\nset border 3\n"
              f"set multiplot layout 1,{len(panels)}\n" + "".join(panels) + "unset multiplot\n")
    try:
        subprocess.run(["gnuplot"], input=script, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True
