"""Environments of Gymnasium."""

import runpy
import warnings
from pathlib import Path

import numpy as np
import pytest

gym = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from drystone import envs  # noqa: E402

NAMES = ["CartPole", "Ant", "Humanoid", "Gripper"]


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_has_nothing_to_complain_about(name: str) -> None:
    env = gym.make(f"drystone/{name}-v0", render_mode="rgb_array", width=64, height=36)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Positions have no bounds, of which the checker warns.
        warnings.filterwarnings("ignore", message=".*(minimum|maximum) value is .*infinity")
        check_env(env.unwrapped)
    env.close()


@pytest.mark.parametrize("name", NAMES)
def test_worlds_of_a_vector_are_those_of_single_environments(name: str) -> None:
    vector = gym.make_vec(f"drystone/{name}-v0", num_envs=3, vectorization_mode="vector_entry_point")
    seen, _ = vector.reset(seed=5)
    singles = [gym.make(f"drystone/{name}-v0") for _ in range(3)]
    alone = [env.reset(seed=5 + world)[0] for world, env in enumerate(singles)]
    np.testing.assert_array_equal(seen, np.stack(alone))
    generator = np.random.default_rng(1)
    for _ in range(4):
        actions = generator.uniform(-1, 1, vector.action_space.shape).astype(np.float32)
        seen, rewards, terminated, truncated, _ = vector.step(actions)
        assert not (terminated | truncated).any()
        for world, env in enumerate(singles):
            one, reward, *_ = env.step(actions[world])
            np.testing.assert_array_equal(seen[world], one)
            assert rewards[world] == reward


def run_until_done(mode: AutoresetMode) -> tuple[envs.RobotVectorEnv, tuple[object, ...], np.ndarray]:
    """Cart-poles pushed to one side until the first falls; what the step before saw."""
    env = envs.RobotVectorEnv(envs.CART_POLE, 4, autoreset_mode=mode)
    assert env.metadata["autoreset_mode"] is mode
    before, _ = env.reset(seed=0)
    push = np.array([[1.0], [0.5], [0.2], [0.1]], dtype=np.float32)
    for _ in range(500):
        step = env.step(push)
        if step[2].any():
            return env, step, before
        before = step[0]
    raise AssertionError("no pole fell")


def test_same_step_gives_the_last_observation_and_starts_again() -> None:
    env, (seen, _, terminated, _, infos), _ = run_until_done(AutoresetMode.SAME_STEP)
    fallen = np.flatnonzero(terminated)
    for world in fallen:
        assert abs(infos["final_obs"][world][1]) > 0.21
        assert np.abs(seen[world]).max() < 0.06
    assert infos["_final_obs"].tolist() == terminated.tolist()
    assert env.batch.time[fallen[0]] == 0.0


def test_next_step_starts_again_one_call_later() -> None:
    env, (seen, _, terminated, _, infos), _ = run_until_done(AutoresetMode.NEXT_STEP)
    world = int(np.flatnonzero(terminated)[0])
    assert abs(seen[world][1]) > 0.21 and "final_obs" not in infos
    after, reward, terminated, _, _ = env.step(np.zeros((4, 1), dtype=np.float32))
    assert np.abs(after[world]).max() < 0.06 and reward[world] == 0.0 and not terminated[world]
    assert reward.sum() == 3.0


def test_disabled_waits_for_a_mask() -> None:
    env, (seen, _, terminated, _, _), _ = run_until_done(AutoresetMode.DISABLED)
    world = int(np.flatnonzero(terminated)[0])
    after, _ = env.reset(options={"reset_mask": terminated})
    assert np.abs(after[world]).max() < 0.06
    others = [other for other in range(4) if not terminated[other]]
    np.testing.assert_array_equal(after[others], seen[others])


def test_episodes_are_cut_off_and_seeds_repeat() -> None:
    env = gym.make("drystone/CartPole-v0")
    first, _ = env.reset(seed=3)
    assert not np.array_equal(env.reset(seed=4)[0], first)
    np.testing.assert_array_equal(env.reset(seed=3)[0], first)
    # A hand that balances: a push towards where the pole leans.
    steps, done = 0, False
    seen = first
    while not done:
        push = np.clip([3.0 * seen[1] + 0.6 * seen[3] + 0.05 * seen[0] + 0.1 * seen[2]], -1, 1).astype(np.float32)
        seen, reward, terminated, truncated, _ = env.step(push)
        steps, done = steps + 1, terminated or truncated
    assert truncated and not terminated and steps == 500


def test_a_hand_made_plan_picks_the_cube_up() -> None:
    env = gym.make("drystone/Gripper-v0", max_episode_steps=None)
    _, _ = env.reset(seed=2)
    worlds = env.unwrapped._worlds
    x, y = worlds.batch.qpos[0, 5:7]

    def controls(place: tuple[float, float, float], closed: float) -> np.ndarray:
        wanted = np.array([*place, closed, closed])
        ranges = np.array([actuator["range"] for actuator in worlds.robot.actuators])
        return ((wanted - ranges.mean(axis=1)) / (0.5 * (ranges[:, 1] - ranges[:, 0]))).astype(np.float32)

    info: dict[str, float] = {}
    plan = [((x, y, 0.0), -0.005, 60), ((x, y, -0.31), -0.005, 60), ((x, y, -0.31), 0.035, 30), ((x, y, -0.1), 0.035, 49)]
    for place, closed, count in plan:
        for _ in range(count):
            *_, info = env.step(controls(place, closed))
    assert info["is_success"], info


def test_the_humanoid_falls_and_the_ant_stands() -> None:
    ant = envs.RobotVectorEnv(envs.ANT, 2)
    ant.reset(seed=0)
    for _ in range(40):
        _, _, terminated, _, _ = ant.step(np.zeros((2, 8), dtype=np.float32))
        assert not terminated.any()
    humanoid = envs.RobotVectorEnv(envs.HUMANOID, 2, autoreset_mode="Disabled")
    humanoid.reset(seed=0)
    fallen = np.zeros(2, dtype=bool)
    for _ in range(300):
        _, _, terminated, _, _ = humanoid.step(np.zeros((2, 19), dtype=np.float32))
        fallen |= terminated
    assert fallen.all()
    assert np.isfinite(humanoid.batch.body_q).all()
    assert (humanoid.batch.body_q[:, :, 2] > -0.05).all()


def test_pictures_are_arrays() -> None:
    env = gym.make("drystone/Ant-v0", render_mode="rgb_array", width=80, height=45)
    env.reset(seed=0)
    picture = env.render()
    assert picture.shape == (45, 80, 3) and picture.dtype == np.uint8 and picture.std() > 5


def test_the_cart_pole_is_trained_to_its_goal() -> None:
    pytest.importorskip("cma")
    example = Path(__file__).resolve().parents[1] / "examples" / "train_cart_pole.py"
    assert runpy.run_path(str(example))["main"]() == 0
