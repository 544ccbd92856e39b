"""Environments for Gymnasium: `gymnasium.make("drystone/CartPole-v0")` and `gymnasium.make_vec(…, num_envs=64)` after
importing this module. Needs Gymnasium (`pip install "drystone[envs]"`).

| id | task |
|---|---|
| `drystone/CartPole-v0` | keep a pole upright on a cart pushed by up to 10 N |
| `drystone/Ant-v0` | walk forward on four legs, eight motors |
| `drystone/Humanoid-v0` | walk forward on two legs, 19 motors |
| `drystone/Gripper-v0` | find a cube on a table, grip it and lift it |
"""

import gymnasium as gym

from ._single import RobotEnv
from ._task import Outcome, Task
from ._tasks import ANT, CART_POLE, GRIPPER, HUMANOID
from ._vector import RobotVectorEnv

__all__ = ["ANT", "CART_POLE", "GRIPPER", "HUMANOID", "Outcome", "RobotEnv", "RobotVectorEnv", "Task"]

for _name, _task in {"CartPole": CART_POLE, "Ant": ANT, "Humanoid": HUMANOID, "Gripper": GRIPPER}.items():
    gym.register(
        id=f"drystone/{_name}-v0",
        entry_point="drystone.envs:RobotEnv",
        vector_entry_point="drystone.envs:RobotVectorEnv",
        kwargs={"task": _task},
    )
