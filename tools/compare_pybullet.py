"""Times the published demolition without a chain in Bullet (pip install pybullet) and in `abd`, one thread each, in turn.

    cargo build --release -p drystone-scenes --example abd_table
    python tools/compare_pybullet.py target/release/examples/abd_table [--seconds 0.5] [option.KEY=VALUE ...]

Prints milliseconds per step over the same simulated time from the throw on, and their ratio beside the ratio printed in
the affine body paper (Table 1). Options are handed to `abd`.
"""

import argparse
import math
import re
import subprocess
import time

import pybullet as bullet

GRIDS = {16: (1, 2, 7), 142: (2, 10, 7), 562: (8, 10, 7)}
PUBLISHED = {(16, 100): 3 / 2, (16, 240): 2.2 / 1.5, (16, 1000): 2 / 3, (142, 100): 92 / 68, (142, 240): 41 / 58,
             (142, 1000): 19 / 82, (562, 100): 657 / 629, (562, 240): 328 / 809, (562, 1000): 102 / 804}


def bullet_time(size, rate, seconds):
    """Mean seconds per step in Bullet with its defaults."""
    bullet.connect(bullet.DIRECT)
    bullet.setGravity(0, 0, -9.81)
    bullet.setTimeStep(1 / rate)
    frictionless = dict(lateralFriction=0.0, restitution=0.0)
    ground = bullet.createMultiBody(0, bullet.createCollisionShape(bullet.GEOM_PLANE), basePosition=[0, 0, -1])
    bullet.changeDynamics(ground, -1, **frictionless)
    cube = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=[0.5] * 3)
    deep, wide, high = GRIDS[size]
    for x in range(deep):
        for y in range(wide):
            for z in range(high):
                place = [7.4119 + 1.05 * x, -4.5 + 1.05 * y, -0.45 + 1.05 * z]
                body = bullet.createMultiBody(1000, cube, basePosition=place)
                bullet.changeDynamics(body, -1, **frictionless)
    ball = bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=1)
    place = [7.4119 - 3.5 + 1.4, -4.5 + 0.525 * (wide - 1), -0.45 + 3.15]
    body = bullet.createMultiBody(7680 * 4 / 3 * math.pi, ball, basePosition=place)
    bullet.changeDynamics(body, -1, **frictionless)
    bullet.resetBaseVelocity(body, [10, 0, 0])
    steps = round(seconds * rate)
    start = time.perf_counter()
    for _ in range(steps):
        bullet.stepSimulation()
    spent = time.perf_counter() - start
    bullet.disconnect()
    return spent / steps


def abd_time(tool, size, rate, seconds, options):
    steps = round(seconds * rate)
    command = [tool, "wrecking-ball", f"size={size}", f"dt={1 / rate}", f"steps={steps}", "threads=1", *options]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    iterations = float(re.search(r"([\d.]+) iterations", text)[1])
    return float(re.search(r"total ([\d.]+)", text)[1]) / 1e3, iterations


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(GRIDS))
    parser.add_argument("--rates", type=int, nargs="*", default=[100, 240, 1000])
    parser.add_argument("options", nargs="*")
    options = parser.parse_args()
    print("bodies  1/dt  abd ms (iterations)  Bullet ms  ratio  published")
    for size in options.sizes:
        for rate in options.rates:
            theirs = bullet_time(size, rate, options.seconds)
            ours, iterations = abd_time(options.tool, size, rate, options.seconds, options.options)
            print(f"{size:6} {rate:5} {1e3 * ours:9.2f} ({iterations:4.1f}) {1e3 * theirs:12.2f} "
                  f"{ours / theirs:8.2f} {PUBLISHED[size, rate]:8.2f}", flush=True)


if __name__ == "__main__":
    main()
