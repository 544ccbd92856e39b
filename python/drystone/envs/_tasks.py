"""Cart-pole, ant, humanoid and gripper."""

import numpy as np

from .. import Batch, Robot
from ._task import Flags, Floats, Outcome, Task, rest, scaled, shaken

# Of the files in `robots`: where things are in the positions.
_HEIGHT, _QUATERNION = 2, slice(3, 7)
_CUBE = slice(5, 8)
_CUBE_HALF = 0.02  # m


def _everything(batch: Batch) -> Floats:
    return np.concatenate([batch.qpos, batch.qvel], axis=1)


def _without_place(batch: Batch) -> Floats:
    """All but where on the ground the robot is."""
    return np.concatenate([batch.qpos[:, _HEIGHT:], np.clip(batch.qvel, -10.0, 10.0)], axis=1)


def _cart_pole(batch: Batch, before: Floats, actions: Floats, seconds: float) -> Outcome:
    place, angle = batch.qpos[:, 0], batch.qpos[:, 1]
    fallen = (np.abs(angle) > 0.21) | (np.abs(place) > 2.3)
    return Outcome(np.ones(len(batch)), fallen, {})


def _walk(batch: Batch, before: Floats, actions: Floats, seconds: float, healthy: Flags, alive: float) -> Outcome:
    forward = (batch.qpos[:, 0] - before[:, 0]) / seconds
    effort = 0.1 * np.square(actions).mean(axis=1)
    reward = forward + alive * healthy - effort
    return Outcome(reward, ~healthy, {"x_velocity": forward, "reward_ctrl": -effort})


def _upright(batch: Batch) -> Floats:
    """Height of the robot's own up axis above the horizon, 1 where it stands straight [1]."""
    _, x, y, _ = batch.qpos[:, _QUATERNION].T
    straight: Floats = 1.0 - 2.0 * (x * x + y * y)
    return straight


def _ant(batch: Batch, before: Floats, actions: Floats, seconds: float) -> Outcome:
    height = batch.qpos[:, _HEIGHT]
    healthy = np.isfinite(batch.qpos).all(axis=1) & (height > 0.15) & (height < 1.0) & ~batch.quarantined
    return _walk(batch, before, actions, seconds, healthy, alive=1.0)


def _humanoid(batch: Batch, before: Floats, actions: Floats, seconds: float) -> Outcome:
    height = batch.qpos[:, _HEIGHT]
    healthy = (height > 0.7) & (height < 1.5) & (_upright(batch) > 0.3) & ~batch.quarantined
    return _walk(batch, before, actions, seconds, healthy, alive=2.0)


def _grip(batch: Batch) -> Floats:
    """Where the fingers close [m]."""
    slides = batch.qpos[:, :3]
    place: Floats = slides + np.array([0.0, 0.0, 0.4 - 0.07])
    return place


def _gripper_sees(batch: Batch) -> Floats:
    return np.concatenate([_everything(batch), batch.qpos[:, _CUBE] - _grip(batch)], axis=1)


def _gripper(batch: Batch, before: Floats, actions: Floats, seconds: float) -> Outcome:
    away = np.linalg.norm(batch.qpos[:, _CUBE] - _grip(batch), axis=1)
    lifted = np.clip(batch.qpos[:, _CUBE.stop - 1] - _CUBE_HALF, 0.0, 0.2)
    success = (lifted > 0.1) & (away < 0.05)
    reward = 1.0 - np.tanh(5.0 * away) + 10.0 * lifted * (away < 0.05)
    lost = (np.abs(batch.qpos[:, _CUBE.start : _CUBE.stop - 1]) > 0.5).any(axis=1)
    return Outcome(reward, lost | batch.quarantined, {"is_success": success, "lifted": lifted, "distance": away})


def _cube_somewhere(robot: Robot, generator: np.random.Generator) -> tuple[Floats, Floats]:
    positions, velocities = rest(robot), np.zeros(robot.widths[1])
    positions[_CUBE.start : _CUBE.stop - 1] = generator.uniform(-0.15, 0.15, 2)
    return positions, velocities


CART_POLE = Task("cart_pole.xml", 1, 500, scaled, _everything, _cart_pole, lambda robot, rng: shaken(robot, rng, 0.05))
ANT = Task("ant.xml", 5, 1000, scaled, _without_place, _ant, lambda robot, rng: shaken(robot, rng, 0.05))
HUMANOID = Task("humanoid.xml", 3, 1000, scaled, _without_place, _humanoid, lambda robot, rng: shaken(robot, rng, 0.01))
GRIPPER = Task("gripper.xml", 4, 200, scaled, _gripper_sees, _gripper, _cube_somewhere)
