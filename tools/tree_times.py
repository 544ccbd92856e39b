"""MuJoCo beside `structured` on trees: time per simulated second at equal error.

usage: tree_times.py FOLDER

FOLDER holds pairs N.xml (a tree with its state as a key frame) and N.json (where it shall end, and what `structured` took). Every
integrator of MuJoCo takes the same stretch in steps of several lengths, timed by processor time, on one thread. `cargo xtask trees` makes
the folder and calls this with everything installed.
"""

import json
import sys
import time
from pathlib import Path

import mujoco
import numpy as np

INTEGRATORS = {
    "Euler": mujoco.mjtIntegrator.mjINT_EULER,
    "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
    "RK4": mujoco.mjtIntegrator.mjINT_RK4,
}
STEPS = [2, 3, 5, 7, 10, 14, 20, 28, 40, 56, 80, 160, 320, 640, 1280, 2560]
TARGETS = [1e-3, 1e-4, 1e-5, 1e-6]
LONGEST = 1.5
"""Seconds after which no shorter steps of an integrator are tried."""


def measure(path: Path, told: dict) -> list[dict]:
    """Seconds per step and error of every integrator and step."""
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    names = list(told["exact"])
    bodies = [model.body(name).id for name in names]
    exact = np.array([told["exact"][name] for name in names])
    out = []
    for name, integrator in INTEGRATORS.items():
        model.opt.integrator = integrator
        for steps in STEPS:
            model.opt.timestep = told["simulated"] / steps
            taken, spent = 0, 0.0
            while spent < 0.2:
                mujoco.mj_resetDataKeyframe(model, data, 0)
                mujoco.mj_step(model, data)
                begun = time.process_time()
                mujoco.mj_step(model, data, nstep=steps - 1)
                spent += time.process_time() - begun
                taken += steps - 1
            mujoco.mj_kinematics(model, data)
            error = float(np.linalg.norm(data.xipos[bodies] - exact, axis=1).max())
            out.append({"integrator": name, "steps": steps, "seconds": spent / taken, "error": error})
            if spent > LONGEST:
                break
    return out


def cheapest(rows: list[dict], target: float) -> dict | None:
    """What reaches an error in the least time."""
    good = [row for row in rows if row["error"] <= target]
    return min(good, key=lambda row: row["steps"] * row["seconds"], default=None)


def told_of(row: dict | None, simulated: float) -> str:
    """A cell of the table."""
    if row is None:
        return "not reached"
    total = row["steps"] * row["seconds"] / simulated
    return f"{1e3 * total:.3g} ({row['integrator']}, {row['steps'] / simulated:.0f} Hz, {1e6 * row['seconds']:.3g} µs)"


def main() -> None:
    """Measures and prints."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    folder = Path(sys.argv[1])
    print(f"MuJoCo {mujoco.__version__}: ms of processor time per simulated second (integrator, rate, time per step)\n")
    print("| bodies | error | `structured` | MuJoCo | MuJoCo over `structured` |\n|---|---|---|---|---|")
    for path in sorted(folder.glob("*.json"), key=lambda path: int(path.stem)):
        told = json.loads(path.read_text())
        theirs = measure(path.with_suffix(".xml"), told)
        simulated = told["simulated"]
        for target in TARGETS:
            ours, other = cheapest(told["ours"], target), cheapest(theirs, target)
            ratio = "–"
            if ours and other:
                ratio = f"{other['steps'] * other['seconds'] / (ours['steps'] * ours['seconds']):.2f}"
            cells = [told_of(ours, simulated), told_of(other, simulated), ratio]
            print(f"| {told['bodies']} | {target:.0e} m | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
