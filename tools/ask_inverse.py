"""Asks MuJoCo and Pinocchio about trees: mass matrix, inverse dynamics, Jacobians.

usage: ask_inverse.py MODELS ANSWERS

MODELS holds pairs NAME.xml (the model) and NAME.json (what is asked). For each, ANSWERS gets NAME.json with what either
engine says, in the order of the question. `cargo xtask inverse` makes the models and calls this with everything installed;
`tests/tests/inverse_answers.rs` holds us to the answers.
"""

import json
import re
import sys
from pathlib import Path

import mujoco
import numpy as np
import pinocchio

GRAVITY = np.array([0.0, 0.0, -9.81])


def by_mujoco(path: Path, ask: dict) -> dict:
    """What MuJoCo says."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    joints = [model.joint(name) for name in ask["freedom"]]
    dof = [joint.dofadr[0] for joint in joints]
    for joint, coordinate in zip(joints, ask["coordinate"], strict=True):
        data.qpos[joint.qposadr[0]] = coordinate
    mujoco.mj_forward(model, data)
    weight = data.qfrc_bias.copy()
    data.qvel[dof] = ask["rate"]
    mujoco.mj_forward(model, data)
    matrix = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, matrix)
    data.qacc[dof] = ask["acceleration"]
    mujoco.mj_inverse(model, data)
    effort = data.qfrc_inverse.copy()
    body = model.body(ask["body"]).id
    point = data.xpos[body] + data.xmat[body].reshape(3, 3) @ np.array(ask["point"])
    linear, angular, centre = (np.zeros((3, model.nv)) for _ in range(3))
    mujoco.mj_jac(model, data, linear, angular, point, body)
    mujoco.mj_jacSubtreeCom(model, data, centre, 0)
    return {
        "mass_matrix": matrix[np.ix_(dof, dof)].tolist(),
        "effort": effort[dof].tolist(),
        "weight": weight[dof].tolist(),
        "jacobian": np.vstack([linear, angular])[:, dof].tolist(),
        "centre": data.subtree_com[0].tolist(),
        "centre_jacobian": centre[:, dof].tolist(),
    }


def by_pinocchio(path: Path, ask: dict) -> dict:
    """What Pinocchio says."""
    # Its reader wants key frames in its own order; the state is in the question.
    bare = path.with_suffix(".bare")
    bare.write_text(re.sub(r"<keyframe>.*</keyframe>", "", path.read_text(), flags=re.DOTALL))
    model = pinocchio.buildModelFromMJCF(str(bare))
    model.gravity.linear = GRAVITY
    data = model.createData()
    joints = [model.joints[model.getJointId(name)] for name in ask["freedom"]]
    dof = [joint.idx_v for joint in joints]
    q, v, a = pinocchio.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    q[[joint.idx_q for joint in joints]] = ask["coordinate"]
    v[dof], a[dof] = ask["rate"], ask["acceleration"]
    weight = pinocchio.rnea(model, data, q, np.zeros(model.nv), np.zeros(model.nv)).copy()
    effort = pinocchio.rnea(model, data, q, v, a).copy()
    matrix = pinocchio.crba(model, data, q).copy()
    matrix = np.triu(matrix) + np.triu(matrix, 1).T
    pinocchio.computeJointJacobians(model, data, q)
    pinocchio.updateFramePlacements(model, data)
    frame = model.getFrameId(ask["body"])
    world = pinocchio.getFrameJacobian(model, data, frame, pinocchio.LOCAL_WORLD_ALIGNED)
    arm = data.oMf[frame].rotation @ np.array(ask["point"])
    linear = world[:3] + np.cross(world[3:].T, arm).T
    centre_jacobian = pinocchio.jacobianCenterOfMass(model, data, q)
    return {
        "mass_matrix": matrix[np.ix_(dof, dof)].tolist(),
        "effort": effort[dof].tolist(),
        "weight": weight[dof].tolist(),
        "jacobian": np.vstack([linear, world[3:]])[:, dof].tolist(),
        "centre": data.com[0].tolist(),
        "centre_jacobian": centre_jacobian[:, dof].tolist(),
    }


def main() -> None:
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    models, answers = map(Path, sys.argv[1:])
    answers.mkdir(parents=True, exist_ok=True)
    print(f"MuJoCo {mujoco.__version__}, Pinocchio {pinocchio.__version__}")
    for path in sorted(models.glob("*.xml")):
        ask = json.loads(path.with_suffix(".json").read_text())
        said = {"mujoco": by_mujoco(path, ask), "pinocchio": by_pinocchio(path, ask)}
        (answers / path.with_suffix(".json").name).write_text(json.dumps(said, indent=1) + "\n")
        print(f"  {path.stem}: {len(ask['freedom'])} freedoms")


if __name__ == "__main__":
    main()
