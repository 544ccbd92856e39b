"""Many cases of one scene: parameters, solvers and seeds, on all cores or on a cluster.

A sweep is a description and a folder. Every case has a key made of all that decides its result; what is done lies in the folder
under that key, so that a sweep that was stopped, or whose description has grown, goes on where it was. A case under way leaves
checkpoints and goes on from the last, on another node too if the folder is shared. A case that fails is a row with its error.

    >>> import tempfile
    >>> from drystone.sweep import Sweep, grid
    >>> sweep = Sweep("pyramid", grid(rows=[2, 3]), solvers=["vbd"], options=grid(iterations=[5, 10]), seconds=0.1)
    >>> rows = sweep.run(tempfile.mkdtemp(), progress=False)
    >>> [(row["rows"], row["iterations"], row["steps"]) for row in rows]
    [(2, 5, 6), (2, 10, 6), (3, 5, 6), (3, 10, 6)]
"""

import csv
import hashlib
import itertools
import json
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from ._drystone import Error, Simulation, __version__, load_robot, load_scene

__all__ = ["MEASURES", "Case", "Sweep", "grid", "load", "sample"]

Row = dict[str, Any]
Parameters = Mapping[str, object]

ROBOT_ENDINGS = (".xml", ".urdf", ".mjcf")
CHECKPOINT_SECONDS = 10.0
"""Time of the clock between two checkpoints of a case [s]."""


def grid(**values: Sequence[object]) -> list[dict[str, object]]:
    """Every combination of the values of every parameter; the last changes fastest."""
    return [dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())]


def sample(count: int, seed: int, /, **ranges: Sequence[float] | Mapping[str, Sequence[Any]]) -> list[dict[str, object]]:
    """So many random combinations. A parameter is drawn evenly from `(low, high)`, or as `{"log": (low, high)}`,
    `{"whole": (low, high)}` or `{"choice": […]}` say. The same seed gives the same."""
    generator = np.random.default_rng(seed)
    return [{name: _draw(generator, how) for name, how in ranges.items()} for _ in range(count)]


def _draw(generator: np.random.Generator, how: Sequence[float] | Mapping[str, Sequence[Any]]) -> object:
    kind, values = next(iter(how.items())) if isinstance(how, Mapping) else ("even", how)
    if kind == "choice":
        return values[int(generator.integers(len(values)))]
    low, high = values
    if kind == "whole":
        return int(generator.integers(int(low), int(high), endpoint=True))
    if kind == "log":
        return float(math.exp(generator.uniform(math.log(low), math.log(high))))
    if kind == "even":
        return float(generator.uniform(low, high))
    raise ValueError(f"there is no way to draw called `{kind}`; there are even, log, whole and choice")


Measure = Callable[[Simulation, float | None], float | None]


def _largest(figure: str) -> Measure:
    def measure(sim: Simulation, before: float | None) -> float | None:
        now: float | None = getattr(sim.report, figure)
        return before if now is None else now if before is None else max(before, now)

    return measure


def _last(figure: str) -> Measure:
    def measure(sim: Simulation, before: float | None) -> float | None:
        now: float | None = getattr(sim.report, figure)
        return now

    return measure


MEASURES: dict[str, Measure] = {
    "max_penetration": _largest("max_penetration"),
    "max_joint_error": _largest("max_joint_error"),
    "max_joint_angle_error": _largest("max_joint_angle_error"),
    "max_kinetic_energy": _largest("kinetic_energy"),
    "kinetic_energy": _last("kinetic_energy"),
    "potential_energy": _last("potential_energy"),
    "contact_count": _last("contact_count"),
    "iterations": _last("iterations"),
}
"""What can be measured by name: after every step, from the figure before. Lengths [m], angles [rad], energies [J]."""


@dataclass(frozen=True)
class Case:
    """One run: all that decides its result."""

    scene: str
    parameters: Parameters
    solver: str | None
    options: Parameters
    dt: float | None
    seconds: float | None
    measures: tuple[str, ...]

    def key(self) -> str:
        """A name for it, the same for the same scene (with the text of its file), settings and version."""
        path = Path(self.scene)
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        whole: list[object] = [__version__, self.scene if not text else text, dict(self.parameters), self.solver, dict(self.options)]
        whole += [self.dt, self.seconds, self.measures]
        return hashlib.sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()[:24]

    def simulation(self) -> tuple[Simulation, float]:
        """The simulation at its start and the time to simulate [s]."""
        if self.scene.endswith(ROBOT_ENDINGS):
            robot = load_robot(self.scene, **self.parameters)  # type: ignore[arg-type]
            dt = self.dt or robot.dt or 1 / 60
            return Simulation(robot.model, self.solver or "vbd", dt=dt, threads=1, **self.options), self.seconds or 5.0
        scene = load_scene(self.scene, **self.parameters)
        sim = scene.simulation(self.solver, dt=self.dt, threads=1, **self.options)
        return sim, self.seconds if self.seconds is not None else scene.seconds

    def settings(self) -> Row:
        """What was set, as columns."""
        return {**self.parameters, "solver": self.solver, **self.options}


def run_case(case: Case, folder: str) -> Row:
    """Runs a case, or goes on with it, and leaves its row in the folder; a row that is there already is the answer."""
    place = Path(folder)
    key = case.key()
    done, under_way = place / f"{key}.json", place / f"{key}.ck"
    if done.exists():
        kept: Row = json.loads(done.read_text(encoding="utf-8"))
        return kept
    row: Row = {"scene": case.scene, **case.settings(), "key": key, "error": None}
    start = time.perf_counter()
    try:
        sim, seconds = case.simulation()
        row["solver"] = sim.solver
        figures = _go_on(sim, under_way, case)
        steps = round(seconds / sim.dt)
        saved = time.perf_counter()
        while sim.step_count < steps:
            sim.step()
            for name in case.measures:
                figures[name] = MEASURES[name](sim, figures[name])
            if time.perf_counter() - saved > CHECKPOINT_SECONDS:
                _write(under_way, json.dumps(figures).encode() + b"\n" + sim.checkpoint())
                saved = time.perf_counter()
        row |= {"steps": sim.step_count, "time": sim.time, **figures, "state_hash": f"{sim.state_hash():016x}"}
    except (Error, ValueError, TypeError, OSError) as error:
        row["error"] = f"{type(error).__name__}: {error}"
    row |= {"wall_seconds": time.perf_counter() - start, "node": platform.node(), "processor": platform.machine()}
    _write(done, json.dumps(row, default=str).encode())
    under_way.unlink(missing_ok=True)
    return row


def _go_on(sim: Simulation, under_way: Path, case: Case) -> dict[str, float | None]:
    """The figures so far, and the simulation where they were taken."""
    if under_way.exists():
        line, _, checkpoint = under_way.read_bytes().partition(b"\n")
        try:
            sim.resume(checkpoint)
            kept: dict[str, float | None] = json.loads(line)
            return kept
        except (Error, ValueError):
            under_way.unlink(missing_ok=True)
    return dict.fromkeys(case.measures)


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.{time.monotonic_ns()}.part")
    beside.write_bytes(content)
    os.replace(beside, path)


@dataclass(frozen=True)
class Sweep:
    """Cases of one scene: a scene of the library or a file, its parameters, solvers (its own unless named), options of theirs."""

    scene: str
    parameters: Sequence[Parameters] = field(default_factory=lambda: [{}])
    solvers: Sequence[str | None] = (None,)
    options: Sequence[Parameters] = field(default_factory=lambda: [{}])
    dt: float | None = None
    seconds: float | None = None
    measure: Sequence[str] = ("max_penetration", "max_joint_error", "kinetic_energy", "potential_energy")

    def cases(self) -> list[Case]:
        """All cases, options changing fastest."""
        for name in self.measure:
            if name not in MEASURES:
                raise ValueError(f"there is no measure `{name}`; there are {', '.join(MEASURES)}")
        every = itertools.product(self.parameters, self.solvers, self.options)
        measures = tuple(self.measure)
        cases = [Case(self.scene, p, s, o, self.dt, self.seconds, measures) for p, s, o in every]
        if not cases:
            raise ValueError("the sweep has no cases: a list of parameters, solvers or options is empty")
        return cases

    def run(
        self,
        folder: str | os.PathLike[str],
        *,
        cluster: str | None = None,
        threads: int | None = None,
        progress: bool | TextIO = True,
        parquet: bool = False,
    ) -> list[Row]:
        """Runs what is not done yet, a case per core, and returns a row per case, in order; `results.csv` (and `results.parquet`,
        by pyarrow) in the folder have the same.

        With `cluster`, the address of a Ray cluster (`auto` finds one, `local` starts one), cases are tasks there; the folder
        must then be on storage that all nodes share. Figures do not depend on where a case runs.
        """
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        cases = self.cases()
        out = sys.stderr if progress is True else progress or None
        tell = _Progress(len(cases), out)
        run = _on_threads if cluster is None else _on_ray
        rows: dict[int, Row] = {}
        for index, row in run(cases, str(place.resolve()), threads if cluster is None else cluster):
            rows[index] = row
            tell.done(row)
        ordered = [rows[index] for index in range(len(cases))]
        _write_csv(place / "results.csv", ordered)
        if parquet:
            _write_parquet(place / "results.parquet", ordered)
        return ordered


class _Progress:
    def __init__(self, total: int, out: TextIO | None) -> None:
        self.total, self.out, self.count, self.failed = total, out, 0, 0

    def done(self, row: Row) -> None:
        self.count += 1
        self.failed += row["error"] is not None
        if self.out is not None:
            left = self.total - self.count
            print(f"{self.count} done, {self.failed} of them failed, {left} left", file=self.out, flush=True)


def _on_threads(cases: list[Case], folder: str, threads: object) -> Iterator[tuple[int, Row]]:
    count = int(str(threads)) if threads is not None else os.cpu_count() or 1
    pool = ThreadPoolExecutor(count)
    try:
        running: dict[Future[Row], int] = {}
        waiting = iter(enumerate(cases))
        while True:
            for index, case in itertools.islice(waiting, max(0, 2 * count - len(running))):
                running[pool.submit(run_case, case, folder)] = index
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _on_ray(cases: list[Case], folder: str, cluster: object) -> Iterator[tuple[int, Row]]:
    try:
        import ray
    except ImportError as error:
        raise ImportError("sweeps on a cluster need Ray: `pip install ray`") from error
    if not ray.is_initialized():
        ray.init(None if cluster == "local" else str(cluster), log_to_driver=False)
    # A node that dies takes its cases with it: they run again elsewhere, from their checkpoints.
    remote = ray.remote(num_cpus=1, max_retries=-1)(run_case)
    room = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
    running: dict[Any, int] = {}
    waiting = iter(enumerate(cases))
    while True:
        for index, case in itertools.islice(waiting, max(0, room - len(running))):
            running[remote.remote(case, folder)] = index
        if not running:
            return
        finished, _ = ray.wait(list(running), num_returns=1)
        for reference in finished:
            yield running.pop(reference), ray.get(reference)


def _columns(rows: list[Row]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))


def _write_csv(path: Path, rows: list[Row]) -> None:
    beside = path.with_suffix(".csv.part")
    with beside.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, _columns(rows))
        table.writeheader()
        table.writerows(rows)
    os.replace(beside, path)


def _write_parquet(path: Path, rows: list[Row]) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("Parquet files need pyarrow: `pip install pyarrow`") from error
    beside = path.with_suffix(".parquet.part")
    columns = {name: _of_one_kind([row.get(name) for row in rows]) for name in _columns(rows)}
    pyarrow.parquet.write_table(pyarrow.table(columns), beside)
    os.replace(beside, path)


def _of_one_kind(values: list[object]) -> list[object]:
    """A column as Parquet takes it: numbers as they are, and as text where kinds are mixed."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) <= 1 or kinds == {int, float}:
        return values
    return [None if value is None else str(value) for value in values]


def load(path: str | os.PathLike[str]) -> Sweep:
    """The sweep that a JSON file describes: `scene`; `parameters` and `options`, each a `grid` of lists or a `sample` with `count`,
    `seed` and `ranges`; `solvers`, `dt`, `seconds`, `measure`. A scene file is looked for beside it."""
    place = Path(path)
    said: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    known = {"scene", "parameters", "options", "solvers", "dt", "seconds", "measure"}
    if unknown := set(said) - known:
        raise ValueError(f"{place}: there is no `{sorted(unknown)[0]}` in a sweep; there are {', '.join(sorted(known))}")
    if "scene" not in said:
        raise ValueError(f"{place}: a sweep needs a `scene`")
    for name in ("parameters", "options"):
        if name in said:
            said[name] = _combinations(said[name], f"{place}: {name}")
    beside = place.parent / said["scene"]
    return Sweep(**{**said, "scene": str(beside) if beside.is_file() else said["scene"]})


def _combinations(said: Mapping[str, Any], where: str) -> list[dict[str, object]]:
    if set(said) == {"grid"}:
        return grid(**said["grid"])
    if set(said) == {"sample"} and set(said["sample"]) == {"count", "seed", "ranges"}:
        drawn = said["sample"]
        return sample(drawn["count"], drawn["seed"], **drawn["ranges"])
    raise ValueError(f"{where} must be either a `grid` of lists, or a `sample` with `count`, `seed` and `ranges`")


def command(arguments: list[str]) -> int:
    """`drystone sweep FILE.json …`: 0 if every case ran, 1 if one failed, 2 if the description is wrong."""
    import argparse

    parser = argparse.ArgumentParser("drystone sweep", description="Run many cases of one scene, and go on with what is not done")
    parser.add_argument("file", help="the description, a JSON file")
    parser.add_argument("--out", default="sweep", help="the folder for rows and checkpoints (default: sweep)")
    parser.add_argument("--cluster", help="run on Ray: an address, auto or local")
    parser.add_argument("--threads", type=int, help="cases at a time; all cores unless given")
    parser.add_argument("--parquet", action="store_true", help="also write results.parquet")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
    given = parser.parse_args(arguments)
    try:
        sweep = load(given.file)
        rows = sweep.run(
            given.out, cluster=given.cluster, threads=given.threads, progress=not given.quiet, parquet=given.parquet
        )
    except (OSError, ValueError, TypeError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if not given.quiet:
        print(f"wrote {Path(given.out) / 'results.csv'}")
    return 1 if any(row["error"] is not None for row in rows) else 0
