"""Compares joint accelerations with MuJoCo on the same models.

usage: compare_mujoco.py MODELS ANSWERS [--write]

MODELS holds pairs NAME.xml (the model, with its state as a key frame) and NAME.json (our accelerations,
by joint). ANSWERS holds what MuJoCo gave before; with --write it is written anew. `cargo xtask mujoco`
makes the models and calls this with everything installed.
"""

import json
import sys
from pathlib import Path

import mujoco

BOUND = 1e-8
"""Largest difference allowed, relative to the largest acceleration of the model."""


def accelerations(path: Path) -> dict[str, list[float]]:
    """Accelerations of all joints in the key frame of a model, without any force but weight."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    width = {
        mujoco.mjtJoint.mjJNT_FREE: 6,
        mujoco.mjtJoint.mjJNT_BALL: 3,
        mujoco.mjtJoint.mjJNT_SLIDE: 1,
        mujoco.mjtJoint.mjJNT_HINGE: 1,
    }
    out = {}
    for joint in range(model.njnt):
        start = model.jnt_dofadr[joint]
        count = width[mujoco.mjtJoint(model.jnt_type[joint])]
        out[model.joint(joint).name] = data.qacc[start : start + count].tolist()
    return out


def difference(ours: dict, theirs: dict) -> float:
    """Largest difference over the largest acceleration."""
    if ours.keys() != theirs.keys():
        raise SystemExit(f"not the same joints: {sorted(ours.keys() ^ theirs.keys())}")
    most = max(abs(x) for values in theirs.values() for x in values)
    pairs = (pair for name in theirs for pair in zip(ours[name], theirs[name], strict=True))
    return max(abs(a - b) for a, b in pairs) / most


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    if len(arguments) != 2:
        raise SystemExit(__doc__)
    models, answers = map(Path, arguments)
    failed = False
    print(f"MuJoCo {mujoco.__version__}: largest difference of joint accelerations, relative")
    for path in sorted(models.glob("*.xml")):
        theirs = accelerations(path)
        apart = difference(json.loads(path.with_suffix(".json").read_text()), theirs)
        failed |= not apart < BOUND
        print(f"  {path.stem:20} {len(theirs):5} joints  {apart:.2e}")
        if "--write" in sys.argv:
            answers.mkdir(parents=True, exist_ok=True)
            (answers / path.stem).with_suffix(".json").write_text(json.dumps(theirs, indent=1) + "\n")
    raise SystemExit(f"a difference is above {BOUND}" if failed else 0)


main()
