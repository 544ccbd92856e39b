"""Compares distances, gradients, Hessians, fading factors and times of impact with the IPC Toolkit (pip install ipctk
numpy), on random and degenerate stencils and on a set of published queries.

    cargo build --release -p drystone-geometry --example ipc_samples
    python tools/compare_ipctk_derivatives.py target/release/examples/ipc_samples [--count 100000] [--queries FOLDER]

Derivatives must agree to 1e-8 of their size, times of impact must never be later than those of Tight Inclusion, and no
true collision of the queries (https://github.com/Continuous-Collision-Detection/Sample-Queries) may be missed.
"""

import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile
from fractions import Fraction

import ipctk
import numpy as np

RECORD = 1 + 12 + 144 + 1 + 12 + 144 + 1


def run(tool, kind, start, end):
    """The tool's answers for stencils (n, 4, 3)."""
    records = np.concatenate([kind[:, None], start.reshape(-1, 12), end.reshape(-1, 12)], axis=1)
    with tempfile.TemporaryDirectory() as folder:
        given, made = pathlib.Path(folder, "in"), pathlib.Path(folder, "out")
        records.astype("<f8").tofile(given)
        subprocess.run([tool, given, made], check=True)
        return np.fromfile(made, "<f8").reshape(-1, RECORD)


def stencils(count, rng):
    """Random stencils of sizes over six orders, and ones with right angles, coplanar, parallel and nearly parallel parts."""
    start = rng.uniform(-1, 1, (count, 4, 3))
    kind = (np.arange(count) % 2).astype(float)
    flat = np.arange(count) % 10 == 3
    start[flat] = np.round(start[flat] * 2) / 2 + rng.uniform(-1e-3, 1e-3, (flat.sum(), 4, 3))
    near = (np.arange(count) % 10 == 5) & (kind == 1)
    shift = rng.uniform(-1, 1, (near.sum(), 1, 3))
    start[near, 2:] = start[near, :2] + shift + rng.uniform(-1, 1, (near.sum(), 2, 3)) * 10 ** rng.uniform(-6, -2, (near.sum(), 1, 1))
    size = 10 ** rng.uniform(-3, 3, (count, 1, 1))
    end = start + rng.uniform(-1, 1, (count, 4, 3))
    return kind, start * size, end * size


def reference(kind, x):
    """Distance, gradient, Hessian and fading with derivatives, by ipctk."""
    a, b, c, d = x
    if kind == 0:
        parts = [ipctk.point_triangle_distance(a, b, c, d), ipctk.point_triangle_distance_gradient(a, b, c, d),
                 ipctk.point_triangle_distance_hessian(a, b, c, d)]
        return parts + [1.0, np.zeros(12), np.zeros((12, 12))]
    threshold = ipctk.edge_edge_mollifier_threshold(a, b, c, d)
    return [ipctk.edge_edge_distance(a, b, c, d), ipctk.edge_edge_distance_gradient(a, b, c, d),
            ipctk.edge_edge_distance_hessian(a, b, c, d), ipctk.edge_edge_mollifier(a, b, c, d, threshold),
            ipctk.edge_edge_mollifier_gradient(a, b, c, d, threshold), ipctk.edge_edge_mollifier_hessian(a, b, c, d, threshold)]


def compare_derivatives(tool, count):
    rng = np.random.default_rng(1)
    kind, start, end = stencils(count, rng)
    ours = run(tool, kind, start, end)
    names = ["distance", "gradient", "hessian", "fading", "its gradient", "its hessian"]
    worst, over, ties = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0), 0
    for i in range(count):
        parts = np.split(ours[i, :-1], [1, 13, 157, 158, 170])
        for name, mine, theirs in zip(names, parts, reference(kind[i], start[i])):
            theirs = np.ravel(theirs)
            off = np.abs(mine - theirs).max() / max(np.abs(theirs).max(), 1e-300)
            if off > 1e-8:
                over[name] += 1
            worst[name] = max(worst[name], off if off <= 1e-8 else 0.0)
    for name in names:
        print(f"{name:13} agrees to {worst[name]:.1e} in {count - over[name]} of {count}")
    return over, ours, (kind, start, end)


def compare_times(ours, stencil, count):
    """Stencils moved until our time (or to the end where we found none) do not touch, by Tight Inclusion."""
    kind, start, end = stencil
    ccd, late, hits = ipctk.TightInclusionCCD(), 0, 0
    for i in range(count):
        function = ccd.point_triangle_ccd if kind[i] == 0 else ccd.edge_edge_ccd
        share = ours[i, -1] if ours[i, -1] >= 0 else 1.0
        # Its tolerance is a length, so that it is asked about stencils of size one.
        first, way = start[i] / np.abs(start[i]).max(), (end[i] - start[i]) / np.abs(start[i]).max()
        hits += function(*first, *(first + way))[0]
        if function(*first, *(first + share * way))[0]:
            # It may err on the safe side: only a pair that is seen to touch counts.
            distance = ipctk.point_triangle_distance if kind[i] == 0 else ipctk.edge_edge_distance
            late += min(distance(*(first + t * share * way)) for t in np.linspace(0, 1, 2001)) < 1e-12
    print(f"times of impact: {hits} collisions in {count}, {late} times too late")
    return late


def read_queries(folder):
    for path in sorted(pathlib.Path(folder).rglob("*.csv")):
        rows = [[int(x) for x in row] for row in csv.reader(open(path)) if row]
        for k in range(0, len(rows), 8):
            points = [[float(Fraction(r[2 * j], r[2 * j + 1])) for j in range(3)] for r in rows[k : k + 8]]
            yield path.parent.name == "edge-edge", points, bool(rows[k][6])


def compare_queries(tool, folder):
    kind, points, truth = map(np.array, zip(*read_queries(folder)))
    ours = run(tool, kind.astype(float), points[:, :4], points[:, 4:])[:, -1]
    hit = ours >= 0
    missed = int((truth & ~hit).sum())
    print(f"queries: {len(truth)}, {int(truth.sum())} collide, {missed} missed, {int((hit & ~truth).sum())} reported that do not")
    return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--queries")
    options = parser.parse_args()
    over, ours, stencil = compare_derivatives(options.tool, options.count)
    bad = sum(over.values()) + compare_times(ours, stencil, min(options.count, 5000))
    if options.queries:
        bad += compare_queries(options.tool, options.queries)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
