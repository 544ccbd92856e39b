"""One world of a task as an environment of Gymnasium."""

from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from ._task import Task
from ._vector import RobotVectorEnv


class RobotEnv(gym.Env[Any, Any]):
    """One robot; for many at once see `RobotVectorEnv`."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"]}  # type: ignore[misc]

    def __init__(self, task: Task, *, render_mode: str | None = None, **options: Any) -> None:
        self._worlds = RobotVectorEnv(
            task, 1, autoreset_mode=AutoresetMode.DISABLED, render_mode=render_mode, **{"threads": 1, **options}
        )
        self.render_mode = render_mode
        self.metadata = dict(type(self).metadata, render_fps=self._worlds.metadata["render_fps"])  # type: ignore[misc]
        self.observation_space = self._worlds.single_observation_space
        self.action_space = self._worlds.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Starts again."""
        super().reset(seed=seed)
        if seed is None:
            # Draws on from the generator of Gymnasium.
            seed = int(self.np_random.integers(2**31))
        seen, _ = self._worlds.reset(seed=seed)
        return seen[0], {}

    def step(
        self, action: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Takes one control step."""
        seen, reward, terminated, truncated, infos = self._worlds.step(np.asarray(action)[None])
        info = {key: value[0].item() for key, value in infos.items() if not key.startswith("_")}
        return seen[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self) -> npt.NDArray[np.uint8] | None:
        """A picture, (height, width, 3)."""
        return None if self.render_mode is None else self._worlds.picture(0)
