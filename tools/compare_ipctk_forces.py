"""Compares the barrier and the work of friction, with first and second derivatives, with the IPC Toolkit (pip install
ipctk numpy).

    cargo build --release -p drystone-abd --example force_samples
    python tools/compare_ipctk_forces.py target/release/examples/force_samples [--count 100000]

The toolkit's barrier is one of squared distances; the chain rule gives the derivatives by the distance. Everything must
agree to 1e-8 of its size.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import ipctk
import numpy as np


def run(tool, records):
    with tempfile.TemporaryDirectory() as folder:
        given, made = pathlib.Path(folder, "in"), pathlib.Path(folder, "out")
        records.astype("<f8").tofile(given)
        subprocess.run([tool, given, made], check=True)
        return np.fromfile(made, "<f8").reshape(-1, 7)


def inputs(count, rng):
    """Distances from a millionth of d̂ to beyond it, with and without a separation; slips around the edge of the cone."""
    reach = 10 ** rng.uniform(-5, 0, count)
    separation = np.where(np.arange(count) % 2 == 0, 0.0, reach * 10 ** rng.uniform(-1, 1, count))
    gap = reach * np.where(np.arange(count) % 3 == 0, 10 ** rng.uniform(-6, 0, count), rng.uniform(0, 1.2, count))
    edge = 10 ** rng.uniform(-8, 0, count)
    slip = edge * 10 ** rng.uniform(-4, 2, count)
    return np.stack([separation + gap, reach, separation, slip, edge], axis=1)


def reference(distance, reach, separation, slip, edge):
    # As the tool: the gap times the sum, which keeps the digits of small gaps.
    y, limit = (distance - separation) * (distance + separation), reach * (reach + 2 * separation)
    scale = 1 / limit ** 2
    value, by_y, by_yy = (f(y, limit) * scale for f in
                          (ipctk.barrier, ipctk.barrier_first_derivative, ipctk.barrier_second_derivative))
    barrier = [value, by_y * 2 * distance, by_yy * 4 * distance ** 2 + by_y * 2]
    friction = [ipctk.smooth_friction_f0(slip, edge), ipctk.smooth_friction_f1(slip, edge),
                ipctk.smooth_friction_f2(slip, edge), ipctk.smooth_friction_f1_over_x(slip, edge)]
    return barrier + friction


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=100_000)
    options = parser.parse_args()
    records = inputs(options.count, np.random.default_rng(3))
    ours = run(options.tool, records)
    theirs = np.array([reference(*record) for record in records])
    # Near d̂ values vanish by cancellation: their size there is what rounding of the argument makes of them.
    distance, reach, _, slip, edge = records.T
    floor = np.stack([np.full(len(records), 1e-8), 1e-8 / reach, 1e-8 / reach ** 2, edge * 1e-8, np.full(len(records), 1e-8),
                      1e-8 / edge, 1e-8 / edge], axis=1)
    error = (np.abs(ours - theirs) / (np.abs(theirs) + floor)).max(axis=0)
    names = ["barrier", "its slope", "its curvature", "friction", "its slope", "its curvature", "slope over slip"]
    for name, worst in zip(names, error):
        print(f"{name:16} {worst:.1e}")
    return int(error.max() > 1e-8)


if __name__ == "__main__":
    sys.exit(main())
