"""What a task is, apart from how it is stepped."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .. import Batch, Robot, load_robot

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

ROBOTS = Path(__file__).parent / "robots"


@dataclass(frozen=True)
class Outcome:
    """What a control step led to, a row per world."""

    reward: Floats
    """Reward [1]."""
    terminated: Flags
    """Whether the task ended there."""
    info: dict[str, Floats | Flags]
    """Parts of the reward and other figures."""


@dataclass(frozen=True)
class Task:
    """A robot and what it is to do. Every function takes and gives a row per world."""

    robot_file: str
    """MJCF file among the robots of the package."""
    steps_per_control: int
    """Steps of the simulation in which a control stays."""
    most_controls: int
    """Control steps after which an episode is cut off."""
    controls: Callable[[Robot, Floats], Floats]
    """Controls of the actuators for actions from −1 to 1."""
    observe: Callable[[Batch], Floats]
    """What is seen of the worlds."""
    judge: Callable[[Batch, Floats, Floats, float], Outcome]
    """Judges worlds by the positions before, the actions and the time between [s]."""
    start: Callable[[Robot, np.random.Generator], tuple[Floats, Floats]]
    """Positions and velocities from which a world starts."""

    def robot(self) -> Robot:
        """The robot."""
        return load_robot(ROBOTS / self.robot_file)


def rest(robot: Robot) -> Floats:
    """The positions in which the file draws the robot."""
    drawn: Floats = Batch(robot, 1).qpos[0].copy()
    return drawn


def shaken(robot: Robot, generator: np.random.Generator, size: float) -> tuple[Floats, Floats]:
    """The robot as drawn, its positions and velocities disturbed by up to `size`; quaternions stay of unit length."""
    positions = rest(robot) + generator.uniform(-size, size, robot.widths[0])
    velocities = generator.uniform(-size, size, robot.widths[1])
    at = 0
    for joint in robot.joints:
        width = joint["positions"]
        if joint["kind"] in ("free", "ball"):
            turn = positions[at + width - 4 : at + width]
            turn /= np.linalg.norm(turn)
        at += width
    return positions, velocities


def scaled(robot: Robot, actions: Floats) -> Floats:
    """Actions from −1 to 1 spread over the ranges of the actuators."""
    ranges = np.array([actuator["range"] for actuator in robot.actuators])
    middle, half = ranges.mean(axis=1), 0.5 * (ranges[:, 1] - ranges[:, 0])
    controls: Floats = middle + half * actions
    return controls
