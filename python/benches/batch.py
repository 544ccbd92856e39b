"""World-steps per second of one robot in many worlds: `drystone.Batch`, one model of many worlds, and `mujoco.batch`, in turns in
one process; the best of several rounds each.

    pip install ./python gymnasium mujoco-core==4.0.1
    python python/benches/batch.py --worlds 1,64,4096 --threads 2
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import gymnasium
import numpy as np

import drystone

HUMANOID = Path(gymnasium.__file__).parent / "envs/mujoco/assets/humanoid.xml"


def ours(worlds: int, threads: int, solver: str, options: dict[str, object]) -> Callable[[int], None]:
    batch = drystone.Batch(drystone.load_robot(HUMANOID), worlds, solver, threads=threads, **options)
    batch.ctrl[:] = 0.0
    assert batch.qpos.shape[0] == worlds and batch.qvel.shape[0] == worlds

    def run(steps: int) -> None:
        for _ in range(steps):
            batch.step()

    return run


def one_model(worlds: int, threads: int, offset: float) -> Callable[[int], None]:
    scene = drystone.ModelBuilder()
    scene.replicate(drystone.load_robot(HUMANOID).model, worlds, offset=(offset, 0, 0))
    sim = drystone.Simulation(scene.finalize(), dt=0.003, threads=threads)
    assert sim.body_q.shape[0] >= worlds

    def run(steps: int) -> None:
        for _ in range(steps):
            sim.step()

    return run


def theirs(worlds: int, threads: int, integrator: str | None) -> Callable[[int], None]:
    import mujoco
    from mujoco.batch import Batch

    model = mujoco.MjModel.from_xml_path(str(HUMANOID))
    if integrator is not None:
        model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    batch = Batch(model, worlds, nthread=threads)
    control = batch.bind("ctrl")
    control[:] = 0.0
    assert batch.bind("qpos").shape[0] == worlds

    def run(steps: int) -> None:
        for _ in range(steps):
            batch.step()

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", default="1,64,4096")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--world-steps", type=int, default=20_000, help="of every round")
    parser.add_argument("--only", default="", help="words of which a way must contain one, parted by |")
    given = parser.parse_args()
    for worlds in (int(text) for text in given.worlds.split(",")):
        threads = min(given.threads, worlds)
        makers: dict[str, Callable[[], Callable[[int], None]]] = {
            "batch, vbd": lambda: ours(worlds, threads, "vbd", {}),
            "batch, vbd, 4 sweeps": lambda: ours(worlds, threads, "vbd", {"iterations": 4, "newton_steps": 4}),
            "batch, structured": lambda: ours(worlds, threads, "structured", {}),
            "one model, 3 m apart, vbd": lambda: one_model(worlds, threads, 3.0),
            "one model, in one place, vbd": lambda: one_model(worlds, threads, 0.0),
            "mujoco.batch, RK4 as the file": lambda: theirs(worlds, threads, None),
            "mujoco.batch, Euler": lambda: theirs(worlds, threads, "euler"),
        }
        words = given.only.split("|")
        chosen = {name: make for name, make in makers.items() if any(word in name for word in words)}
        runs = {name: make() for name, make in chosen.items()}
        # The same simulated time first, so that all have fallen over by as much.
        steps = max(3, given.world_steps // worlds)
        best = dict.fromkeys(runs, 0.0)
        for _ in range(given.rounds):
            for name, run in runs.items():
                start = time.perf_counter()
                run(steps)
                best[name] = max(best[name], worlds * steps / (time.perf_counter() - start))
        for name, rate in best.items():
            print(f"{worlds:5} worlds  {name:32} {rate:10.0f} world-steps/s")


if __name__ == "__main__":
    main()
