"""Draws of CMSGen, UniGen and hiss from three constraints of verification."""
import collections
import importlib.util
import itertools
import math
import time

from common import OUT, Figure, claim, hiss, skip

CHAINS = 4
DRAWS = {"cmsgen": 20000, "unigen": 2000, "hiss": 20000}


def word(first, size, value):
    """The literals that are all false only where the word has that value."""
    return [-(first + i) if value >> i & 1 else first + i for i in range(size)]


def constraints():
    """{name: (what SystemVerilog calls it, number of bits, clauses)}."""
    unique = [word(a, 3, v) + word(b, 3, v) for v in range(8)
              for a, b in ((1, 4), (1, 7), (4, 7))]
    less = [word(1, 4, a) + word(5, 4, b) for a in range(16)
            for b in range(a + 1)]
    return {"implies": ("s -> d == 0", 9, [[-1, -k] for k in range(2, 10)]),
            "less": ("a < b", 8, less),
            "unique": ("unique {a, b, c}", 9, unique)}


def by_cmsgen(clauses, draws, seed):
    import pycmsgen

    solver = pycmsgen.Solver(seed=seed)
    solver.add_clauses(clauses)
    return [tuple(map(int, solver.solve()[1][1:])) for _ in range(draws)]


def by_unigen(clauses, draws, seed):
    import pyunigen

    sampler = pyunigen.Sampler(seed=seed)
    for clause in clauses:
        sampler.add_clause(clause)
    # It returns whole batches: the first ones are kept.
    found = sampler.sample(num=draws)[2][:draws]
    return [tuple(int(literal > 0) for literal in x) for x in found]


def write(path, chains):
    with open(path, "w", encoding="utf-8") as file:
        names = ",".join(f"x.{i + 1}" for i in range(len(chains[0][0])))
        file.write(f"chain,draw,{names}\n")
        for chain, draws in enumerate(chains):
            for k, x in enumerate(draws):
                file.write(f"{chain},{k},{','.join(map(str, x))}\n")


def drawn(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.strip().split(",") for line in file if line[0] != "#"]
    at = [i for i, name in enumerate(rows[0]) if name.startswith("x.")]
    return [tuple(int(row[i]) for i in at) for row in rows[1:]]


def drawn_by(by, name, clauses, draws):
    """The file of draws of one of the three, and its processor seconds."""
    path = OUT / f"{name}-{by}.csv"
    if by == "hiss":
        _, spent = hiss("sample", OUT / f"{name}.cnf", "--samples",
                        draws // CHAINS, "--chains", CHAINS, "-o", path, "--force")
        return path, spent
    make = by_cmsgen if by == "cmsgen" else by_unigen
    began = time.process_time()
    chains = [make(clauses, draws // CHAINS, seed + 1) for seed in range(CHAINS)]
    spent = time.process_time() - began
    write(path, chains)
    return path, spent


def row(by, name, bits, clauses, draws):
    """(verdict, largest R-hat, deviation of all frequencies in sd)."""
    path, spent = drawn_by(by, name, clauses, draws)
    answer, _ = hiss("judge", path, "--model", OUT / f"{name}.cnf", codes=(0, 1))
    mixing = next(f["text"] for f in answer["findings"]
                  if f["name"] == "mixing")
    rhat = float(mixing.split("R-hat ")[1].split(",")[0])
    solutions = [x for x in itertools.product((0, 1), repeat=bits)
                 if all(any(x[abs(v) - 1] == (v > 0) for v in c) for c in clauses)]
    count, expected = collections.Counter(drawn(path)), draws / len(solutions)
    ratios = [count[x] / expected for x in solutions]
    chi = sum(expected * (r - 1) ** 2 for r in ratios)
    sd = (chi - len(ratios) + 1) / math.sqrt(2 * len(ratios) - 2)
    print(f"{name:9}{len(solutions):9}  {by:7}{draws:6} {1e3 * spent / draws:7.3f} ms"
          f"{rhat:7.3f}{min(ratios):8.2f}{max(ratios):7.2f}{sd:9.1f} sd  "
          f"{answer['verdict']}", flush=True)
    return answer["verdict"], rhat, sd, ratios


def draw(rows):
    figure = Figure("120 solutions of a < b, each equally likely", (0, 120),
                    (0, 2.6), "solutions, by their frequency",
                    "frequency / uniform")
    figure.level(1)
    for number, by in enumerate(("hiss", "cmsgen")):
        figure.points(range(120), sorted(rows["less", by][3]), number, radius=2)
    figure.legend("hiss", "CMSGen")
    figure.save("sat.svg")


def main():
    for module in ("pycmsgen", "pyunigen"):
        if not importlib.util.find_spec(module):
            skip(f"{module} is not installed")
    print("constraint solutions by     draws   per draw  R-hat  rarest"
          "   most  all shares  hiss judge")
    rows = {}
    for name, (words, bits, clauses) in constraints().items():
        body = "".join(" ".join(map(str, c)) + " 0\n" for c in clauses)
        (OUT / f"{name}.cnf").write_text(
            f"c {words}\np cnf {bits} {len(clauses)}\n{body}")
        for by, draws in DRAWS.items():
            rows[name, by] = row(by, name, bits, clauses, draws)
    draw(rows)
    claim(all(r[1] < 1.01 for r in rows.values()), "R-hat is below 1.01 everywhere")
    claim(all(abs(r[2]) < 5 for (_, by), r in rows.items() if by != "cmsgen"),
          "draws of hiss and UniGen are uniform within 5 sd")
    claim(all(rows[name, "cmsgen"][2] > 10 for name in constraints()),
          "draws of CMSGen are not: more than 10 sd in all three")
    claim(all(rows[name, "cmsgen"][0] == "wrong" for name in ("implies", "less")),
          "hiss judge calls two of them wrong")
    claim(all(r[0] == "proved" for (_, by), r in rows.items() if by != "cmsgen"),
          "hiss judge proves the draws of hiss and UniGen")


if __name__ == "__main__":
    main()
