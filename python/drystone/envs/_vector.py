"""Many worlds of a task as an environment of Gymnasium."""

from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .. import Batch
from ._task import Floats, Task

Observations = npt.NDArray[np.float32]


class RobotVectorEnv(VectorEnv[Any, Any, Any]):
    """Worlds of one robot stepped together.

    `autoreset_mode` says when a world that is done starts again: in the same step (the last observation is then in
    `infos["final_obs"]`), in the next one, or only when told by `reset(options={"reset_mask": …})`. Observations are float32,
    actions from −1 to 1. World `i` of a reset with seed `s` draws from the seed `s + i`. `solver`, `threads` and options of
    the solver are those of `drystone.Batch`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"]}  # type: ignore[misc]

    def __init__(
        self,
        task: Task,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
        width: int = 480,
        height: int = 270,
        solver: str = "vbd",
        threads: int | None = None,
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs must be 1 or more, got {num_envs}")
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode must be None or rgb_array, got {render_mode!r}")
        self.task, self.num_envs, self.render_mode = task, num_envs, render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = dict(type(self).metadata, autoreset_mode=self.autoreset_mode)  # type: ignore[misc]
        self._size = (width, height)
        self.robot = task.robot()
        self.batch = Batch(self.robot, num_envs, solver, threads=threads, **options)
        self._seconds = task.steps_per_control * float(self.robot.dt or 1 / 60)
        self.metadata["render_fps"] = round(1 / self._seconds)
        self._generators = [np.random.default_rng() for _ in range(num_envs)]
        self._controls = np.zeros(num_envs, dtype=np.int64)
        self._waiting = np.zeros(num_envs, dtype=np.bool_)
        seen = task.observe(self.batch).shape[1]
        self.single_observation_space = gym.spaces.Box(-np.inf, np.inf, (seen,), np.float32)
        self.single_action_space = gym.spaces.Box(-1.0, 1.0, (len(self.robot.actuators),), np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Starts all worlds, or those of `options["reset_mask"]`, again."""
        if isinstance(seed, int):
            seed = [seed + world for world in range(self.num_envs)]
        for world, own in enumerate(seed or []):
            if own is not None:
                self._generators[world] = np.random.default_rng(own)
        mask = (options or {}).get("reset_mask")
        chosen = np.ones(self.num_envs, dtype=np.bool_) if mask is None else np.asarray(mask, dtype=np.bool_)
        self._start(chosen)
        return self._observe(), {}

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Observations, Floats, npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Lets every world take one control step."""
        given = np.asarray(actions, dtype=np.float64).reshape(self.num_envs, -1)
        if not np.isfinite(given).all():
            raise ValueError("actions must be finite numbers")
        given = np.clip(given, -1.0, 1.0)
        if self.autoreset_mode is AutoresetMode.NEXT_STEP and self._waiting.any():
            waited = self._waiting.copy()
            self._start(waited)
        else:
            waited = np.zeros(self.num_envs, dtype=np.bool_)
        before = self.batch.qpos.copy()
        self.batch.ctrl[:] = self.task.controls(self.robot, given)
        going = ~waited if waited.any() else None
        self.batch.step(going, count=self.task.steps_per_control)
        self._controls += ~waited
        outcome = self.task.judge(self.batch, before, given, self._seconds)
        reward = np.where(waited, 0.0, outcome.reward)
        terminated = outcome.terminated & ~waited
        truncated = (self._controls >= self.task.most_controls) & ~terminated & ~waited
        infos: dict[str, Any] = {}
        for key, values in outcome.info.items():
            infos[key], infos[f"_{key}"] = values, ~waited
        done = terminated | truncated
        if self.autoreset_mode is AutoresetMode.SAME_STEP and done.any():
            self._keep_final(infos, done)
            self._start(done)
        self._waiting = done
        return self._observe(), reward, terminated, truncated, infos

    def render(self) -> tuple[npt.NDArray[np.uint8], ...] | None:
        """Pictures of all worlds, each (height, width, 3)."""
        if self.render_mode is None:
            return None
        return tuple(self.picture(world) for world in range(self.num_envs))

    def picture(self, world: int) -> npt.NDArray[np.uint8]:
        """A picture of one world."""
        return self.batch.simulation(world).render(width=self._size[0], height=self._size[1])

    def _start(self, chosen: npt.NDArray[np.bool_]) -> None:
        worlds = np.flatnonzero(chosen)
        if len(worlds) == 0:
            return
        started = [self.task.start(self.robot, self._generators[world]) for world in worlds]
        places, rates = (np.stack(rows) for rows in zip(*started, strict=True))
        self.batch.reset(worlds, qpos=places, qvel=rates)
        self._controls[worlds] = 0
        self._waiting[worlds] = False

    def _observe(self) -> Observations:
        return self.task.observe(self.batch).astype(np.float32)

    def _keep_final(self, infos: dict[str, Any], done: npt.NDArray[np.bool_]) -> None:
        last = self._observe()
        kept = np.empty(self.num_envs, dtype=object)
        for world in np.flatnonzero(done):
            kept[world] = last[world]
        figures = {key: value.copy() for key, value in infos.items()}
        infos["final_obs"], infos["_final_obs"] = kept, done.copy()
        infos["final_info"], infos["_final_info"] = figures, done.copy()
