"""Sweeps."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from drystone.sweep import Case, Sweep, grid, load, run_case, sample


def test_grids_and_samples() -> None:
    assert grid(a=[1, 2], b=["x", "y"]) == [{"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"}]
    drawn = sample(200, 7, even=(1, 2), log={"log": (1e-3, 1e3)}, whole={"whole": (1, 3)}, pick={"choice": ["u", "v"]})
    assert drawn == sample(200, 7, even=(1, 2), log={"log": (1e-3, 1e3)}, whole={"whole": (1, 3)}, pick={"choice": ["u", "v"]})
    assert all(1 <= float(str(row["even"])) <= 2 for row in drawn)
    assert {row["whole"] for row in drawn} == {1, 2, 3} and {row["pick"] for row in drawn} == {"u", "v"}
    below = sum(float(str(row["log"])) < 1 for row in drawn)
    assert 70 < below < 130
    with pytest.raises(ValueError, match="there is no way to draw"):
        sample(1, 0, a={"gauss": (0, 1)})


def test_parquet_holds_the_rows_of_the_table(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    sweep = Sweep("pyramid", grid(rows=[2, -1]), options=grid(iterations=[4]), seconds=0.1)
    rows = sweep.run(tmp_path, progress=False, parquet=True)
    found = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    assert len(found) == 2 and found[0]["max_penetration"] == rows[0]["max_penetration"]
    assert [row["error"] is None for row in found] == [True, False]
    assert list(tmp_path.glob("*.part")) == []


def test_rows_are_those_of_single_runs_and_failures_are_rows(tmp_path: Path) -> None:
    sweep = Sweep("pyramid", grid(rows=[2, -1, 3]), options=grid(iterations=[4, 8]), seconds=0.2)
    rows = sweep.run(tmp_path, threads=3, progress=False)
    assert [row["rows"] for row in rows] == [2, 2, -1, -1, 3, 3]
    assert [row["error"] is None for row in rows] == [True, True, False, False, True, True]
    assert "rows" in rows[2]["error"] and rows[0]["steps"] == 12 and rows[0]["solver"] == "vbd"
    assert rows[0]["state_hash"] != rows[1]["state_hash"]
    with (tmp_path / "results.csv").open() as file:
        table = list(csv.DictReader(file))
    assert [row["state_hash"] for row in table if row["state_hash"]] == [row["state_hash"] for row in rows if "state_hash" in row]
    sim, _ = sweep.cases()[4].simulation()
    sim.step(12)
    assert rows[4]["state_hash"] == f"{sim.state_hash():016x}"


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    sweep = Sweep("pyramid", grid(rows=[2]), seconds=0.1)
    (first,) = sweep.run(tmp_path, progress=False)
    (again,) = sweep.run(tmp_path, progress=False)
    assert again == first
    wider = Sweep("pyramid", grid(rows=[2, 3]), seconds=0.1).run(tmp_path, progress=False)
    assert wider[0] == first and len(wider) == 2


def test_a_case_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    case = Case("pyramid", {"rows": 3}, "vbd", {}, None, 0.5, ("max_penetration",))
    whole = run_case(case, str(tmp_path / "."))
    other = tmp_path / "other"
    other.mkdir()
    sim, _ = case.simulation()
    sim.step(10)
    # As another node would have left it: with a figure that no step has, to see that it is taken over.
    kept = json.dumps({"max_penetration": 123.0}).encode()
    (other / f"{case.key()}.ck").write_bytes(kept + b"\n" + sim.checkpoint())
    row = run_case(case, str(other))
    assert row["state_hash"] == whole["state_hash"] and row["max_penetration"] == 123.0
    assert not (other / f"{case.key()}.ck").exists()


def test_a_killed_command_goes_on(tmp_path: Path) -> None:
    (tmp_path / "sweep.json").write_text(
        json.dumps({"scene": "pyramid", "parameters": {"grid": {"rows": [4, 5, 6, 7, 8, 9]}}, "seconds": 2.0})
    )
    command = [sys.executable, "-m", "drystone", "sweep", "sweep.json", "--out", "rows", "--threads", "1"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("1 done")
    process.send_signal(signal.SIGKILL)
    process.wait()
    left = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "rows").glob("*.json")}
    assert 1 <= len(left) < 6
    assert subprocess.run(command, cwd=tmp_path, check=False, capture_output=True).returncode == 0
    for name, stamp in left.items():
        assert (tmp_path / "rows" / name).stat().st_mtime_ns == stamp
    with (tmp_path / "rows" / "results.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 6


def test_descriptions_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    for content, words in [
        ({"scene": "pyramid", "sedes": [1]}, "there is no `sedes`"),
        ({}, "needs a `scene`"),
        ({"scene": "pyramid", "parameters": {"rows": [1]}}, "either a `grid`"),
        ({"scene": "pyramid", "measure": ["beauty"]}, "there is no measure `beauty`"),
        ({"scene": "pyramid", "solvers": []}, "has no cases"),
    ]:
        file.write_text(json.dumps(content))
        with pytest.raises(ValueError, match=words):
            load(file).cases()
    ranges = {"count": {"whole": [3, 6]}, "seed": {"whole": [0, 9]}}
    file.write_text(json.dumps({"scene": "pile", "parameters": {"sample": {"count": 4, "seed": 1, "ranges": ranges}}}))
    assert [set(case.parameters) for case in load(file).cases()] == [{"count", "seed"}] * 4
    done = subprocess.run(
        [sys.executable, "-m", "drystone", "sweep", "missing.json"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and "missing.json" in done.stderr


@pytest.mark.skipif(os.environ.get("DRYSTONE_TEST_RAY") is None, reason="needs Ray: set DRYSTONE_TEST_RAY=1")
def test_a_node_and_the_driver_die_and_every_case_is_there(tmp_path: Path) -> None:
    from ray.cluster_utils import Cluster

    rows, seconds, folder = list(range(12, 21)), 30.0, tmp_path / "ray"

    def count() -> int:
        return len(list(folder.glob("*.json")))

    def wait_for_another(driver: subprocess.Popen[bytes]) -> None:
        """Until one more case is done; others are under way then."""
        before = count()
        while count() == before and driver.poll() is None:
            time.sleep(0.01)
        assert count() < len(rows), "all cases were done before anything died"

    local = Sweep("pyramid", grid(rows=rows), seconds=seconds).run(tmp_path / "local", progress=False)
    began = time.monotonic()
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    small = {"object_store_memory": 80_000_000, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **small})
    try:
        nodes = [cluster.add_node(num_cpus=1, object_store_memory=80_000_000) for _ in range(3)]
        program = (
            "from drystone.sweep import Sweep, grid\n"
            f"Sweep('pyramid', grid(rows={rows}), seconds={seconds}).run({str(folder)!r}, cluster={cluster.address!r})\n"
        )
        driver = subprocess.Popen([sys.executable, "-c", program])
        wait_for_another(driver)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
        driver = subprocess.Popen([sys.executable, "-c", program])
        wait_for_another(driver)
        cluster.remove_node(nodes[0], allow_graceful=False)
        assert driver.wait(timeout=120) == 0
    finally:
        cluster.shutdown()
    with (folder / "results.csv").open() as file:
        found = list(csv.DictReader(file))
    assert [row["state_hash"] for row in found] == [row["state_hash"] for row in local]
    assert count() == len(rows)
    assert time.monotonic() - began < 60.0
