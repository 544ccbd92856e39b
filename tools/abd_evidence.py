"""Runs the scenes of the affine body paper (Table 2) at its three time steps and sets our figures beside the printed ones.

    cargo build --release -p drystone-scenes --example abd_table
    python tools/abd_evidence.py target/release/examples/abd_table [--only net cards] [--rates 100 50 25] [--limit 300]
                                 [--csv abd.csv] [--again] [--threads 2] [--seconds 0.5]

Prints one table in Markdown: mean milliseconds per step of a run from its first step on, split as in the paper, and what the
run kept to. Every row is added to the CSV file as it ends, and rows that are there already are not run again unless
asked for, so an interrupted run loses nothing; `--table` prints what is there. A row that reaches the limit of wall time ends early and says how
many of its steps were done. Needs nothing but the standard library.
"""

import argparse
import csv
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

# The tolerances of the published scenes: reach of the contacts, and 0.05 m/s and friction from 0.01 m/s on as libuipc has them.
REACH = "option.contact_distance=1e-3"
FINE = "option.contact_distance=1e-4"
SLOW = "option.tolerance=0.05"
STICK = "option.friction_velocity=0.01"


def row(name, scene, seconds, options, paper):
    """A scene and simulated seconds; of the paper, for 1/100, 1/50 and 1/25 s, iterations and ms: Hess, Solve, CCD, Cons,
    Misc, total."""
    return SimpleNamespace(name=name, scene=scene, seconds=seconds, options=options,
                           paper=dict(zip((100, 50, 25), paper)))


ROWS = [
    row("ball", "wrecking-ball size=575", 4.0, [REACH, SLOW, STICK],
        [(8.8, 23, 53, 28, 31, 8, 140), (19.4, 67, 160, 78, 92, 18, 410), (42.6, 180, 444, 230, 27, 43, 1100)]),
    row("net", "chain-net size=8", 2.0, [REACH, SLOW, STICK],
        [(2.1, 11, 6, 16, 17, 9, 59), (2.4, 14, 7, 23, 23, 10, 70), (2.8, 18, 9, 290, 32, 10, 80)]),
    row("big-net", "chain-net size=16 ball=true", 2.0, [REACH, SLOW, STICK],
        [(13.5, 130, 241, 410, 430, 62, 780), (24.9, 250, 440, 820, 870, 83, 2400),
         (26.3, 270, 464, 930, 960, 86, 2700)]),
    row("cards", "card-house levels=10 boxes=2", 2.0, [REACH, SLOW, STICK, "option.friction_passes=1"],
        [(9.8, 14, 24, 9, 35, 4, 86), (13.3, 24, 37, 14, 43, 20, 130), (25.2, 45, 64, 35, 74, 9, 240)]),
    row("screw", "screw", 0.5, [FINE, SLOW, STICK],
        [(4.1, 0.4, 0.1, 39, 39, 9, 87), (3.2, 0.7, 0.1, 68, 68, 10, 140), (5.7, 1, 0.1, 110, 120, 10, 230)]),
    row("arch", "arch stones=101", 2.0, [REACH, SLOW, STICK],
        [(1.9, 2, 2, 1, 2, 2, 8.7), (3.2, 3, 2, 1, 3, 2, 13), (5.7, 5, 3, 3, 6, 3, 22)]),
    row("pendulum", "double-pendulum", 10.0, [],
        [(4.1, 1, 0.1, 3, 3, 1, 7), (4.3, 1, 0.1, 4, 3, 1, 9), (4.7, 1, 0.1, 5, 4, 1, 10)]),
    row("creature", "creature", 2.0, [REACH, SLOW, STICK],
        [(4.6, 12, 2, 20, 19, 5, 50), (5.6, 14, 0.2, 30, 25, 6, 70), (6.7, 17, 0.2, 40, 30, 6, 90)]),
    row("gears", "gears train=28 detail=1", 0.5, [REACH, SLOW, STICK], [None] * 3),
    row("fine-gears", "gears train=28 detail=10", 0.5, [REACH, SLOW, STICK],
        [(16.7, 4300, 4, 5400, 6000, 211, 11700), (19.3, 5800, 4, 6300, 7900, 219, 14500),
         (25.9, 7900, 6, 9300, 11200, 43, 20100)]),
    row("spikes", "spikes", 1.0, [REACH, SLOW, STICK], [None] * 3),
    row("fine-spikes", "spikes count=28 detail=5", 0.5, [REACH, SLOW, STICK],
        [(6.3, 3, 0.2, 2300, 560, 74, 2800), None, None]),
]
PHASES = ["hess_ms", "solve_ms", "ccd_ms", "cons_ms", "misc_ms", "total_ms"]
HEADS = ["scene", "1/dt", "steps", "bodies", "triangles", "iterations", "Hess", "Solve", "CCD", "Cons", "Misc",
         "total \\[ms\\]", "median", "most", "not converged", "‖AAᵀ−1‖", "closest \\[m\\]", "paper: iterations",
         "its Hess, Solve, CCD, Cons, Misc", "its total", "ours / paper"]


def known(path):
    """Rows of the CSV file by scene and rate; the last of several counts."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {(found["scene"], round(1 / float(found["dt"]))): found for found in csv.DictReader(file)}


def run(asked, wanted, rate):
    """Runs a row; it adds itself to the CSV file."""
    steps = max(1, round((asked.seconds or wanted.seconds) * rate))
    command = [asked.tool, *wanted.scene.split(), f"dt={1 / rate}", f"steps={steps}", f"limit={asked.limit}",
               f"csv={asked.csv}", *wanted.options, *asked.options]
    if asked.threads:
        command.append(f"threads={asked.threads}")
    print(f"{wanted.scene} at 1/{rate} s: {steps} steps", file=sys.stderr, flush=True)
    try:
        # A step is never cut short by the tool itself; one that takes this much longer than the row may is given up.
        ended = subprocess.run(command, capture_output=True, text=True, timeout=2 * asked.limit + 60)
    except subprocess.TimeoutExpired:
        print("  given up within a step", file=sys.stderr)
        return
    print(ended.stdout or ended.stderr, end="", file=sys.stderr, flush=True)


def cell(value):
    """Three digits."""
    value = float(value)
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}" if abs(value) >= 1e-3 or value == 0 else f"{value:.0e}"


def small(text):
    value = float(text)
    return f"{value:.1e}" if value < float("inf") else "–"


def line(wanted, rate, found):
    printed = wanted.paper.get(rate)
    paper = ["–"] * 3 if printed is None else [printed[0], ", ".join(str(ms) for ms in printed[1:6]), printed[6]]
    if found is None:
        return [f"`{wanted.scene}`", rate, "given up within a step", *["–"] * 14, *paper, "–"]
    steps = found["steps"] if found["steps"] == found["asked"] else f"{found['steps']} of {found['asked']} in time"
    ours = [cell(found[name]) for name in ["iterations", *PHASES, "median_ms", "most_ms"]]
    kept = [round(float(found["unconverged"])), small(found["distortion"]), small(found["closest"])]
    ratio = "–" if printed is None else cell(float(found["total_ms"]) / printed[-1])
    return [f"`{wanted.scene}`", rate, steps, found["bodies"], found["triangles"], *ours, *kept, *paper, ratio]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", help="the example abd_table")
    parser.add_argument("--only", nargs="*", choices=[wanted.name for wanted in ROWS], help="rows to run, by name")
    parser.add_argument("--rates", type=int, nargs="*", default=[100, 50, 25], help="steps per second")
    parser.add_argument("--limit", type=float, default=300.0, help="wall seconds for a row")
    parser.add_argument("--seconds", type=float, help="simulated, instead of those of each row")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--csv", type=Path, default=Path("abd_evidence.csv"))
    parser.add_argument("--again", action="store_true", help="run rows that are in the file already")
    parser.add_argument("--table", action="store_true", help="print the rows that are in the file, run none")
    parser.add_argument("options", nargs="*", default=[], help="option.KEY=VALUE for abd")
    asked = parser.parse_intermixed_args()
    rows = [wanted for wanted in ROWS if not asked.only or wanted.name in asked.only]
    print("| " + " | ".join(HEADS) + " |\n" + "|" + "---|" * len(HEADS), flush=True)
    for wanted in rows:
        for rate in asked.rates:
            if not asked.table and (asked.again or (wanted.scene, rate) not in known(asked.csv)):
                run(asked, wanted, rate)
            found = known(asked.csv).get((wanted.scene, rate))
            if found or not asked.table:
                print("| " + " | ".join(str(text) for text in line(wanted, rate, found)) + " |", flush=True)


if __name__ == "__main__":
    main()
