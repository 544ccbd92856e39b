"""Trains a linear policy for the cart-pole by CMA-ES: every candidate is a world of one batch.

    pip install "drystone[envs]" cma
    python train_cart_pole.py

Ends with exit code 0 once the mean of 20 fresh episodes is 475 of 500 steps or more, the goal usual for this task.
"""

import sys

import cma
import numpy as np

from drystone.envs import CART_POLE, RobotVectorEnv

GOAL = 475.0
EPISODES = 20


def returns(env: RobotVectorEnv, policies: np.ndarray, seed: int) -> np.ndarray:
    """How many steps every policy keeps its pole up; one policy per world."""
    seen, _ = env.reset(seed=seed)
    alive, total = np.ones(env.num_envs, dtype=bool), np.zeros(env.num_envs)
    while alive.any():
        pushes = np.tanh(np.einsum("wk,wk->w", policies, seen))[:, None]
        seen, rewards, terminated, truncated, _ = env.step(pushes)
        total += alive * rewards
        alive &= ~(terminated | truncated)
    return total


def main() -> int:
    search = cma.CMAEvolutionStrategy(np.zeros(4), 1.0, {"seed": 1, "verbose": -9, "popsize": 32})
    env = RobotVectorEnv(CART_POLE, 32, autoreset_mode="Disabled")
    judged = RobotVectorEnv(CART_POLE, EPISODES, autoreset_mode="Disabled")
    for generation in range(30):
        candidates = search.ask()
        lasted = returns(env, np.array(candidates), seed=1000 * generation)
        search.tell(candidates, list(-lasted))
        best = np.tile(search.result.xfavorite, (EPISODES, 1))
        mean = returns(judged, best, seed=99_000).mean()
        print(f"generation {generation}: best candidate {lasted.max():.0f}, {EPISODES} fresh episodes {mean:.1f}")
        if mean >= GOAL:
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
