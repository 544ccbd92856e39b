"""What MuJoCo and Pinocchio make of robot files: masses, poses, mass matrices and forces in random states.

usage: robot_answers.py OUT FILE...

For every FILE that the program reads, OUT/NUMBER-NAME.json (OUT/NAME.json for a single one) tells its path and the answers: MJCF by MuJoCo, URDF (base fixed)
by Pinocchio. Files they refuse are passed over, with a line. `cargo xtask robots` calls this with everything installed.
"""

import json
import sys
from pathlib import Path

import numpy as np

SAMPLES = 5
"""Random states per file: the pose the file draws is too symmetric to show mistakes."""


def mujoco_answers(path: Path) -> dict:
    """MuJoCo's answers about an MJCF file."""
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    rng = np.random.default_rng(1)
    names = [model.body(body).name for body in range(model.nbody)]
    samples = []
    for _ in range(SAMPLES):
        mujoco.mj_resetData(model, data)
        qpos = model.qpos0.copy()
        mujoco.mj_integratePos(model, qpos, rng.uniform(-1, 1, model.nv), 1.0)
        data.qpos[:] = qpos
        data.qvel[:] = rng.uniform(-1, 1, model.nv)
        if model.nu:
            data.ctrl[:] = rng.uniform(-2, 2, model.nu)
        if model.na:
            data.act[:] = rng.uniform(-1, 1, model.na)
        mujoco.mj_forward(model, data)
        mass_matrix = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, mass_matrix)
        samples.append(
            {
                "positions": qpos.tolist(),
                "velocities": data.qvel.tolist(),
                "controls": data.ctrl.tolist(),
                "activations": [
                    float(data.act[start]) if start >= 0 else 0.0 for start in model.actuator_actadr
                ],
                "bodies": {
                    name: [*data.xpos[body], *data.xquat[body]] for body, name in enumerate(names) if name and body
                },
                "mass_matrix": mass_matrix.ravel().tolist(),
                "bias": data.qfrc_bias.tolist(),
                "forces": (data.qfrc_actuator + data.qfrc_spring + data.qfrc_damper + data.qfrc_fluid).tolist(),
            }
        )
    moving = [body for body in range(model.nbody) if model.body_weldid[body] and model.body_mocapid[body] < 0]
    return {"mass": float(sum(model.body_mass[body] for body in moving)), "samples": samples}


STEP, STEPS = 1e-4, 10_000
"""Time step [s] and steps of a motion: at a tenth of the step it ends within a fifth of a millionth, bends of bounded servos included."""


def mujoco_motion(path: Path) -> dict | None:
    """One second of MuJoCo's fourth-order Runge-Kutta method without contacts, limits and friction, from a random state; none in a
    medium, whose resistance is taken once a step by us.
    """
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    if model.opt.density or model.opt.viscosity:
        return None
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.timestep = STEP
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(model)
    rng = np.random.default_rng(2)
    mujoco.mj_integratePos(model, data.qpos, rng.uniform(-0.3, 0.3, model.nv), 1.0)
    data.qvel[:] = rng.uniform(-0.5, 0.5, model.nv)
    if model.nu:
        data.ctrl[:] = rng.uniform(-1, 1, model.nu)
    told = {"step": STEP, "steps": STEPS, "controls": data.ctrl.tolist()}
    told |= {"positions": data.qpos.tolist(), "velocities": data.qvel.tolist()}
    for _ in range(STEPS):
        mujoco.mj_step(model, data)
    return told | {"last_positions": data.qpos.tolist(), "last_velocities": data.qvel.tolist()}


def pinocchio_answers(path: Path) -> dict:
    """Pinocchio's answers about a URDF file, in the order of its joints by name."""
    import pinocchio

    model = pinocchio.buildModelFromUrdf(str(path))
    data = model.createData()
    rng = np.random.default_rng(1)
    samples = []
    for _ in range(SAMPLES):
        velocity = rng.uniform(-1, 1, model.nv)
        angles = rng.uniform(-1, 1, model.nv)
        position = pinocchio.integrate(model, pinocchio.neutral(model), angles)
        pinocchio.framesForwardKinematics(model, data, position)
        bodies = {}
        for index, frame in enumerate(model.frames):
            if frame.type == pinocchio.FrameType.BODY:
                pose = pinocchio.SE3ToXYZQUAT(data.oMf[index])
                bodies[frame.name] = [*pose[:3], pose[6], *pose[3:6]]
        mass_matrix = pinocchio.crba(model, data, position)
        mass_matrix = np.triu(mass_matrix) + np.triu(mass_matrix, 1).T
        samples.append(
            {
                "positions": angles.tolist(),
                "velocities": velocity.tolist(),
                "bodies": bodies,
                "mass_matrix": mass_matrix.ravel().tolist(),
                "bias": pinocchio.nonLinearEffects(model, data, position, velocity).tolist(),
            }
        )
    joints = [model.names[joint] for joint in range(1, model.njoints) for _ in range(model.nvs[joint])]
    return {"mass": pinocchio.computeTotalMass(model), "joints": joints, "samples": samples}


def main() -> None:
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    files = [Path(file) for file in sys.argv[2:]]
    for number, path in enumerate(files):
        try:
            answers = pinocchio_answers(path) if path.suffix == ".urdf" else mujoco_answers(path)
        except Exception as error:  # noqa: BLE001: whatever they raise, the file is not for them
            print(f"{path}: {str(error).splitlines()[0] if str(error) else error!r}")
            continue
        motion = mujoco_motion(path) if len(files) == 1 else None
        if motion:
            answers["motion"] = motion
        name = path.stem if len(files) == 1 else f"{number:04}-{path.stem}"
        (out / f"{name}.json").write_text(json.dumps({"file": path.name if len(files) == 1 else str(path), **answers}) + "\n")


main()
