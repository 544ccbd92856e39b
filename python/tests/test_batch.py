"""Many worlds of one robot."""

from pathlib import Path

import numpy as np
import pytest

import drystone
from drystone import Batch, ModelBuilder, Simulation
from drystone.envs._task import ROBOTS


@pytest.fixture(scope="module")
def cart() -> drystone.Robot:
    return drystone.load_robot(ROBOTS / "cart_pole.xml")


def test_worlds_move_as_simulations_of_their_own(cart: drystone.Robot) -> None:
    batch = Batch(cart, 6, dt=0.02)
    assert len(batch) == 6 and batch.body_q.shape == (6, 2, 7) and batch.ctrl.shape == (6, 1)
    pushes = np.linspace(-1, 1, 6)
    batch.ctrl[:, 0] = pushes
    places = batch.qpos
    batch.step(count=10)
    for world, push in enumerate(pushes):
        alone = Simulation(cart.model, dt=0.02)
        cart.apply(alone, [push])
        alone.step(10)
        assert alone.state_hash() == batch.state_hashes()[world]
        np.testing.assert_array_equal(alone.body_q, batch.body_q[world])
    assert places is batch.qpos and (np.diff(places[:, 0]) > 0).all()


@pytest.mark.parametrize("threads", [1, 3])
def test_bits_do_not_depend_on_threads(threads: int, cart: drystone.Robot) -> None:
    one, other = Batch(cart, 40), Batch(cart, 40, threads=threads)
    for batch in (one, other):
        batch.ctrl[:, 0] = np.sin(np.arange(40))
        batch.step(count=20)
    assert one.state_hashes() == other.state_hashes()


def test_some_worlds_step_and_some_start_again(cart: drystone.Robot) -> None:
    batch = Batch(cart, 5, dt=0.01)
    batch.ctrl[:] = 1.0
    batch.step([3, 1])
    np.testing.assert_allclose(batch.time, [0, 0.01, 0, 0.01, 0])
    batch.step(np.array([True, False, False, True, False]))
    np.testing.assert_allclose(batch.time, [0.01, 0.01, 0, 0.02, 0])
    start = np.array([[0.5, 0.1], [-0.5, 0.2]])
    rates = np.array([[1.0, 0.0], [0.0, 2.0]])
    batch.reset([4, 0], qpos=start, qvel=rates)
    # Rows are in the order of the worlds, whatever the order they were named in.
    np.testing.assert_allclose(batch.qpos[[0, 4]], start, atol=1e-14)
    np.testing.assert_allclose(batch.qvel[[0, 4]], rates, atol=1e-14)
    np.testing.assert_allclose(batch.time, [0, 0.01, 0, 0.02, 0])
    batch.reset()
    np.testing.assert_array_equal(batch.qpos, np.zeros((5, 2)))
    for wrong, words in [([0, 0], "named twice"), ([7], "there is no world 7"), (np.array([True]), r"shape \[5\]")]:
        with pytest.raises((ValueError, IndexError), match=words):
            batch.step(wrong)


def test_checkpoints_are_of_one_world(cart: drystone.Robot) -> None:
    batch = Batch(cart, 3)
    batch.ctrl[:, 0] = [0.1, 0.5, 0.9]
    batch.step(count=5)
    kept = batch.checkpoint(1)
    batch.step(count=5)
    hashes = batch.state_hashes()
    batch.resume(1, kept)
    batch.step([1], count=5)
    assert batch.state_hashes() == hashes
    single = batch.simulation(2)
    assert single.state_hash() == hashes[2]


def test_parameters_are_of_one_world() -> None:
    scene = ModelBuilder()
    scene.ground()
    box = drystone.Geometry.box((0.1, 0.1, 0.1))
    scene.add_body(drystone.Body("box", [box], position=(0, 0, 0.1), velocity=(2, 0, 0), mass=1.0))
    model = scene.finalize()
    batch = Batch(model, 4, dt=1 / 240)
    batch.set_friction([[0.2, 0.2], [0.4, 0.4]], [1, 2])
    batch.set_gravity([[0.0, 0.0, 0.0]], [3])
    batch.step(count=60)
    speed = batch.body_qd[:, 0, 0]
    # v − μ g t, and nothing slows what floats.
    np.testing.assert_allclose(speed[1:], [2 - 0.2 * 9.81 / 4, 2 - 0.4 * 9.81 / 4, 2.0], atol=0.03)
    assert speed[0] < speed[2]
    batch.reset()
    batch.set_mass([[1.0], [2.0], [1.0], [4.0]])
    batch.body_f[:, 0, 1] = 1.0
    batch.set_gravity(np.zeros((4, 3)))
    batch.step(count=240)
    np.testing.assert_allclose(batch.body_qd[:, 0, 1], [1, 0.5, 1, 0.25], atol=1e-6)
    with pytest.raises(drystone.EditError, match="mass"):
        batch.set_mass([[-1.0]], [0])
    with pytest.raises(ValueError, match="make it of a robot"):
        batch.qpos


def test_a_world_that_turns_nan_leaves_the_others_alone(cart: drystone.Robot) -> None:
    batch = Batch(cart, 3)
    batch.body_f[1, 0, 0] = np.nan
    batch.step(count=3)
    assert batch.quarantined.tolist() == [False, True, False]
    assert np.isfinite(batch.qpos).all()
    batch.body_f[1, 0, 0] = 0.0
    batch.reset([1])
    assert not batch.quarantined.any()
    batch.ctrl[2, 0] = np.inf
    with pytest.raises(ValueError, match="ctrl of world 2"):
        batch.step()


def test_coordinates_of_a_robot_come_back(tmp_path: Path) -> None:
    robot = drystone.load_robot(ROBOTS / "humanoid.xml")
    batch = Batch(robot, 2)
    positions = batch.qpos.copy()
    positions[:, :3] += [[1, 2, 3], [0, 0, 0.5]]
    positions[0, 3:7] = np.array([0.5, 0.5, 0.5, 0.5])
    positions[:, 7:] += 0.1
    rates = np.linspace(-1, 1, 2 * robot.widths[1]).reshape(2, -1)
    batch.reset(qpos=positions, qvel=rates)
    np.testing.assert_allclose(batch.qpos, positions, atol=1e-12)
    np.testing.assert_allclose(batch.qvel, rates, atol=1e-12)


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="this system has no fork")
def test_a_forked_child_steps_its_worlds(cart: drystone.Robot) -> None:
    import multiprocessing

    batch = Batch(cart, 100, threads=2)
    assert batch.qpos.shape == (100, 2) and batch.qvel.shape == (100, 2)
    batch.step(count=2)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()

    def child() -> None:
        batch.ctrl[:] = 0.5
        batch.step(count=2)
        answers.put(batch.state_hashes())

    process = context.Process(target=child)
    process.start()
    there = answers.get(timeout=60)
    process.join(timeout=60)
    batch.ctrl[:] = 0.5
    batch.step(count=2)
    assert there == batch.state_hashes() and process.exitcode == 0


FILTERED = """<mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody><body name="b"><joint name="j" type="slide" axis="1 0 0"/>
<geom size="0.1" mass="2"/></body></worldbody><actuator><general joint="j" gainprm="4" dyntype="filterexact" dynprm="0.05"/>
<motor joint="j" gear="0.5"/></actuator></mujoco>"""


def test_activations_are_carried_on_kept_and_set(tmp_path: Path) -> None:
    file = tmp_path / "filtered.xml"
    file.write_text(FILTERED)
    robot = drystone.load_robot(file)
    batch = Batch(robot, 3)
    batch.ctrl[:, 0] = [0.0, 1.0, 2.0]
    assert batch.act.shape == (3, 2)
    batch.step(count=5)
    # 1 − exp(−t/τ), and zero where a control acts as it is.
    reached = (1 - np.exp(-0.05 / 0.05)) * np.array([0.0, 1.0, 2.0])
    np.testing.assert_allclose(batch.act, np.stack([reached, np.zeros(3)], axis=1), atol=1e-14)
    # What acts in a step is the activation at its start: the same as giving it by hand.
    file.write_text(FILTERED.replace('dyntype="filterexact" dynprm="0.05"', ""))
    direct = drystone.load_robot(file)
    by_hand = Simulation(direct.model, dt=0.01)
    for step in range(5):
        direct.apply(by_hand, [1 - np.exp(-0.01 * step / 0.05), 0.0])
        by_hand.step()
    np.testing.assert_allclose(by_hand.body_qd, batch.body_qd[1], rtol=1e-12, atol=1e-15)
    assert batch.qvel[1, 0] > 0.02

    alone = Simulation(robot.model, dt=0.01)
    assert alone.activations is None
    robot.apply(alone, [1.0, 0.0])
    alone.step(2)
    alone.step(3)
    assert alone.state_hash() == batch.state_hashes()[1]
    np.testing.assert_array_equal(alone.activations, batch.act[1])

    kept, kept_alone = batch.checkpoint(2), alone.checkpoint()
    batch.step(count=5)
    alone.step(5)
    hashes, after = batch.state_hashes(), batch.act.copy()
    batch.resume(2, kept)
    np.testing.assert_allclose(batch.act[2, 0], reached[2], atol=1e-14)
    single = batch.simulation(2)
    batch.step([2], count=5)
    single.step(5)
    assert batch.state_hashes() == hashes and single.state_hash() == hashes[2]
    np.testing.assert_array_equal(batch.act, after)
    again = Simulation(robot.model, dt=0.01)
    with pytest.raises(ValueError, match="activations"):
        again.resume(kept_alone)
    robot.apply(again, [0.0, 0.0])
    again.resume(kept_alone)
    again.step(5)
    assert again.state_hash() == alone.state_hash()

    batch.act[0, 0] = 0.5
    batch.step([0])
    np.testing.assert_allclose(batch.act[0, 0], 0.5 * np.exp(-0.2))
    batch.reset([0])
    assert batch.act[0, 0] == 0.0
    batch.act[0, 0] = np.nan
    with pytest.raises(ValueError, match="act of world 0"):
        batch.step()
