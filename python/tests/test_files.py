"""Scenes, robots, recordings, pictures and the command."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import drystone
from drystone import Recording, Simulation

SCENES = Path(__file__).resolve().parents[2] / "scenes"

ARM = """<mujoco model="arm">
  <option timestep="0.005"/>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" type="hinge" axis="0 1 0" range="-90 90"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/>
      <site name="tip" pos="0.4 0 0"/>
    </body>
  </worldbody>
  <actuator><motor name="lift" joint="shoulder" gear="2" ctrlrange="-3 3"/></actuator>
</mujoco>"""


def test_scenes_of_the_library_and_their_parameters() -> None:
    names = [entry["name"] for entry in drystone.scenes()]
    assert "pyramid" in names and len(names) > 50
    scene = drystone.load_scene("pyramid", rows=4)
    assert scene.model.body_count == 10
    sim = scene.simulation(iterations=8)
    sim.step(10)
    assert sim.options["iterations"] == 8
    with pytest.raises(drystone.Error, match="did you mean `pyramid`"):
        drystone.load_scene("piramid")
    with pytest.raises(drystone.Error, match="rows"):
        drystone.load_scene("pyramid", rows=-1)


def test_a_bad_scene_file_shows_the_place(tmp_path: Path) -> None:
    file = tmp_path / "bad.json5"
    file.write_text("{ bodies: [{ nam: 'x' }] }")
    with pytest.raises(drystone.FileError) as refused:
        drystone.load_scene(file)
    assert "bad.json5:1:" in str(refused.value) and "did you mean `name`?" in str(refused.value)
    with pytest.raises(drystone.FileError, match="check the path"):
        drystone.load_scene("missing.json5")


def test_key_frames_of_a_scene_file_move(tmp_path: Path) -> None:
    file = tmp_path / "lift.json5"
    file.write_text(
        """{ bodies: [{ name: "lift", kind: "kinematic", shapes: [{ geometry: { box: { half: [1, 1, 0.1] } } }] }],
             motions: [{ body: "lift", keys: [{ time: 0, position: [0, 0, 0] }, { time: 1, position: [0, 0, 2] }] }],
             settings: { dt: 0.01 } }"""
    )
    sim = drystone.load_scene(file).simulation()
    sim.step(50)
    assert sim.body_q[0, 2] == pytest.approx(1.0, abs=1e-9)


def test_a_robot_with_its_tables(tmp_path: Path) -> None:
    file = tmp_path / "arm.xml"
    file.write_text(ARM)
    robot = drystone.load_robot(file)
    assert robot.name == "arm" and robot.dt == 0.005 and robot.widths == (1, 1)
    assert robot.actuators[0]["name"] == "lift" and robot.actuators[0]["range"] == (-3.0, 3.0)
    assert robot.joints[0]["name"] == "shoulder" and robot.joints[0]["axis"] == "ang_x"
    body, pose = robot.frames["tip"]
    assert body == robot.model.body("upper") and pose[:3] == [0.4, 0, 0]
    state = robot.state_at([0.3], [1.5])
    assert robot.model.joint_coordinates(state)[0, 3] == pytest.approx(0.3)
    assert robot.model.joint_rates(state)[0, 3] == pytest.approx(1.5)
    sim = Simulation(robot.model, dt=0.005)
    robot.apply(sim, [5.0])
    assert sim.joint_f[0, 3] == pytest.approx(6.0)  # held to the range, times the gear
    with pytest.raises(ValueError, match="controls must have shape"):
        robot.apply(sim, [1.0, 2.0])
    with pytest.raises(drystone.FileError, match="base"):
        urdf = tmp_path / "arm.urdf"
        urdf.write_text('<robot name="r"><link name="l"/></robot>')
        drystone.load_robot(urdf)


def test_recordings_are_saved_read_and_drawn(ten_boxes: drystone.Model, tmp_path: Path) -> None:
    sim = Simulation(ten_boxes, dt=0.01)
    recording = Recording(ten_boxes, every=2)
    kept = [recording.push(sim)]
    for _ in range(4):
        sim.step()
        kept.append(recording.push(sim))
    assert kept == [True, False, True, False, True] and len(recording) == 3
    file = tmp_path / "run.npz"
    recording.save(file)
    with np.load(file) as arrays:
        np.testing.assert_array_equal(arrays["body_q"], recording.body_q)
        np.testing.assert_array_equal(arrays["time"], recording.time)
    np.testing.assert_array_equal(Recording.load(file).body_qd, recording.body_qd)
    np.testing.assert_array_equal(recording.body_q[-1], sim.body_q)
    film = recording.render(width=32, height=18)
    assert film.shape == (3, 18, 32, 3) and film.dtype == np.uint8 and film.std() > 5.0
    picture = sim.render(width=64, height=36)
    assert picture.shape == (36, 64, 3)
    recording.save(tmp_path / "run.gif", width=32, height=18)
    assert (tmp_path / "run.gif").read_bytes()[:6] == b"GIF89a"
    with pytest.raises(drystone.FileError, match=".npz, .glb"):
        recording.save(tmp_path / "run.mp4")
    sim.remove_body(9)
    with pytest.raises(ValueError, match="begin a new one"):
        recording.push(sim)


def test_the_command_is_the_same(tmp_path: Path) -> None:
    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "drystone", *arguments], capture_output=True, text=True, cwd=tmp_path, check=False
        )

    assert command("--version").stdout.strip() == f"drystone {drystone.__version__}"
    run = command("run", "pyramid", "--set", "rows=3", "--steps", "5", "--record", "out.npz")
    assert run.returncode == 0 and (tmp_path / "out.npz").exists()
    bad = command("run", "piramid")
    assert bad.returncode == 2 and "did you mean `pyramid`" in bad.stderr
    assert command("run").returncode == 2


def test_compare_gives_figures_and_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    figures = drystone.compare("pyramid", "vbd@2,vbd@8", seconds=0.2, out=page, parameters={"rows": 3})
    assert page.exists() and len(figures["runs"]) == 2
    with pytest.raises(drystone.Error, match="there is no scene"):
        drystone.compare("piramid")
