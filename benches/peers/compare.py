"""Compares `tapeless bench` with PyTorch and JAX (frameworks.py) in one run, and prints a table of ratios.

    cargo build --release
    python3 -m venv venv && venv/bin/pip install -r benches/peers/requirements.txt
    venv/bin/python benches/peers/compare.py

Take a quiet machine: nothing else running, nothing compiling. The rounds alternate between the programs; each figure is the
median over the rounds of the medians of several runs."""
import argparse, json, os, pathlib, statistics, subprocess, sys

parser = argparse.ArgumentParser()
parser.add_argument("--width", type=int, default=64)
parser.add_argument("--layers", type=int, default=4)
parser.add_argument("--batch", type=int, default=10000)
parser.add_argument("--rounds", type=int, default=3)
arguments = parser.parse_args()

here = pathlib.Path(__file__).resolve().parent
program = here.parent.parent / "target" / "release" / "tapeless"
shape = ["--width", str(arguments.width), "--layers", str(arguments.layers), "--batch", str(arguments.batch)]
environment = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
environment["OMP_WAIT_POLICY"] = "PASSIVE"

WORKS = {
    "hessian": ("value, gradient, Hessian", ["--derive", "value,gradient,hessian"]),
    "heat": ("u, u_t, u_xx + u_yy", ["--derive", "value,u_x2,u_x0x0 + u_x1x1"]),
    "laplacian": ("value, gradient, Laplacian", ["--derive", "value,gradient,laplacian(u)"]),
    "step": ("training step of u_t - 0.1*(u_xx + u_yy)", ["--train", "u_x2 - 0.1*(u_x0x0 + u_x1x1)"]),
}
# Work, precision, whose best way to compare with, and the ratio that is aimed at.
GOALS = [
    ("hessian", "f32", "jax", 3.2),
    ("hessian", "f32", "torch", 5.5),
    ("heat", "f32", "torch", 6.0),
    ("laplacian", "f32", "folx", 8.0),
    ("hessian", "f64", "jax", 3.2),
    ("step", "f32", "torch", 5.0),
    ("step", "f32", "jax", 5.0),
]


def lines(command):
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return result.stdout.splitlines()


def ours(work, precision, threads=()):
    command = [str(program), "bench", "--json", "--precision", precision, *shape, *WORKS[work][1], *threads]
    return json.loads(lines(command)[-1])


peers, rates, peaks = {}, {}, []
for _ in range(arguments.rounds):
    for precision in ("f32", "f64"):
        for line in lines([sys.executable, str(here / "frameworks.py"), "--precision", precision, *shape]):
            row = json.loads(line)
            if "error" in row:
                print("not measured:", row["name"], row["error"])
                continue
            peers.setdefault((row["work"], precision, row["name"]), []).append(arguments.batch / row["median_s"])
        for work in WORKS:
            rates.setdefault((work, precision), []).append(ours(work, precision)["points_per_second_median"])
    for threads in ("1", "2"):
        row = ours("hessian", "f32", ("--threads", threads))
        rates.setdefault(("hessian", "f32", threads), []).append(row["points_per_second_median"])
        if threads == "1":
            peaks.append(row["gflops"] / row["fma_peak_gflops"])

rates = {key: statistics.median(values) for key, values in rates.items()}
peers = {key: statistics.median(values) for key, values in peers.items()}
print(f"3-{arguments.width}x{arguments.layers}-1 tanh, {arguments.batch} points, {len(os.sched_getaffinity(0))} cores; points per second\n")
print("| work | type | tapeless | other | its points/s | ratio |\n|---|---|---|---|---|---|")
for (work, precision, name), rate in sorted(peers.items()):
    mine = rates[(work, precision)]
    print(f"| {WORKS[work][0]} | {precision} | {mine:,.0f} | {name} | {rate:,.0f} | {mine / rate:.2f} |")
print("\n| goal | aimed at | found |\n|---|---|---|")
for work, precision, family, goal in GOALS:
    best = max(rate for (w, p, name), rate in peers.items() if (w, p) == (work, precision) and name.startswith(family))
    print(f"| {WORKS[work][0]}, {precision}, against the best of {family} | {goal} | {rates[(work, precision)] / best:.2f} |")
print(f"| products of the Hessian run, share of the FMA peak, one thread | 0.75 | {statistics.median(peaks):.2f} |")
print(f"| two threads against one | 1.9 | {rates[('hessian', 'f32', '2')] / rates[('hessian', 'f32', '1')]:.2f} |")
