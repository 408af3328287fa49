"""Which variables matter: three data sets, by hiss select and by R's BMS."""
import csv
import importlib.util
import shutil
import sys

from common import OUT, claim, cpu, hiss, skip

RUNS = 6
READ = f"""
suppressMessages({{library(BMS); library(MASS)}})
data(datafls)
write.csv(datafls, "{OUT}/growth.csv", row.names = FALSE)
crime <- UScrime
for (v in setdiff(names(crime), "So")) crime[[v]] <- log(crime[[v]])
write.csv(crime[, c("y", setdiff(names(crime), "y"))],
          "{OUT}/crime.csv", row.names = FALSE)
"""
# Inclusion probabilities by visits, or by all models.  BMS takes the seed of
# its chains from the clock.
BMS = """
suppressMessages(library(BMS))
args <- commandArgs(TRUE)
x <- read.csv(args[1])
for (run in 1:as.integer(args[3])) {
    m <- bms(x, burn = 1e4, iter = if (args[2] == "bd") 1e5 else NA, g = "UIP",
             mprior = "random", mcmc = args[2], user.int = FALSE)
    p <- coef(m, order.by.pip = FALSE)[, 1]
    cat(paste(names(p), p, sep = ",", collapse = "\\n"), "\\n", sep = "")
}
"""


def by_bms(name, how, runs=1):
    """({variable: its inclusion in each run}, processor seconds)."""
    done, spent = cpu("Rscript", "-e", BMS, OUT / f"{name}.csv", how, str(runs))
    if done.returncode:
        sys.exit(done.stderr)
    found = {}
    for line in done.stdout.split():
        variable, value = line.split(",")
        found.setdefault(variable, []).append(float(value))
    return found, spent


def by_hiss(name, formula="y ~ .", *more):
    answer, spent = hiss("select", OUT / f"{name}.csv", formula, *more)
    return {v["name"]: v for v in answer["variables"]}, answer, spent


def diabetes():
    from sklearn.datasets import load_diabetes

    data = load_diabetes(scaled=False)
    with open(OUT / "diabetes.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["y", *data.feature_names])
        out.writerows([y, *x] for y, x in zip(data.target, data.data))


def enumerated(name):
    ours, answer, spent = by_hiss(name)
    theirs, theirs_spent = by_bms(name, "enumerate")
    gap = max(abs(v["inclusion"] - theirs[k][0]) for k, v in ours.items())
    print(f"{name}: {2 ** len(ours)} models, {answer['verdict']}, hiss "
          f"{spent:.2f} s, BMS {theirs_spent:.2f} s, largest difference {gap:.9f}")
    print("  " + ", ".join(f"{k} {v['inclusion']:.3f}" for k, v in ours.items()
                           if v["inclusion"] > 0.5))
    return gap


def growth():
    ours, answer, spent = by_hiss("growth", "y ~ .", "--force", "--figure",
                                  OUT / "variables.svg")
    theirs, theirs_spent = by_bms("growth", "bd", RUNS)
    error, spread, mass, far = 0, 0, 0, 0
    print(f"growth: 2^{len(ours)} models, hiss {spent:.1f} s, "
          f"BMS {RUNS} runs in {theirs_spent:.1f} s")
    print("  variable        hiss          BMS")
    for k, v in sorted(ours.items(), key=lambda item: -item[1]["inclusion"]):
        p, mean = v["inclusion"], sum(theirs[k]) / RUNS
        variance = sum((x - mean) ** 2 for x in theirs[k]) / (RUNS - 1)
        error, spread = error + v["error"] ** 2, spread + variance
        mass += p * (1 - p)
        far += (p - mean) ** 2
        if p > 0.6:
            print(f"  {k:11}{p:.3f} +- {v['error']:.3f}  {mean:.3f} +- "
                  f"{(variance / RUNS) ** 0.5:.3f}")
    rates = mass / error / spent, mass / spread * RUNS / theirs_spent
    print(f"effective draws: {rates[0]:.0f} draws per second by hiss, "
          f"{rates[1]:.0f} draws per second by BMS")
    return answer, far / (error + spread / RUNS), rates


def main():
    if not shutil.which("Rscript"):
        skip("no Rscript: apt install r-cran-bms r-cran-mass")
    done, _ = cpu("Rscript", "-e", READ)
    if done.returncode:
        skip("no R package BMS or MASS: apt install r-cran-bms r-cran-mass")
    if not importlib.util.find_spec("sklearn"):
        skip("scikit-learn is not installed")
    diabetes()
    gaps = [enumerated("crime"), enumerated("diabetes")]
    pairs, answer, spent = by_hiss("diabetes", "y ~ .^2")
    print(f"diabetes, all pairs: 2^{len(pairs)} models, hiss {spent:.1f} s")
    print("  " + ", ".join(f"{k} {v['inclusion']:.2f} +- {v['error']:.2f}"
                           for k, v in pairs.items() if v["inclusion"] > 0.5))
    answer, far, rates = growth()
    claim(max(gaps) < 1e-6, "inclusion equals BMS's enumeration to 1e-6")
    claim(answer["verdict"] in ("trusted", "consistent", "not decided"),
          "hiss finds no fault in its draws of the growth data")
    claim(rates[0] > 5 * rates[1], "growth: at least 5 times BMS's effective draws")
    claim(far < 3, "growth: the mean square difference from BMS is below 3 errors^2")


if __name__ == "__main__":
    main()
