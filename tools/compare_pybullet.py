"""Times the published demolition without a chain in Bullet (pip install pybullet numpy) and in `abd`, one thread each, in turn.

    cargo build --release -p drystone-cli && cargo build --release -p drystone-scenes --example abd_table
    python tools/compare_pybullet.py target/release [--shapes meshes] [--seconds 3] [--markdown] [option.KEY=VALUE ...]

Prints the mean milliseconds per step of whole runs, from the throw through the collapse to rest, and their ratio beside
the ratio printed in the affine body paper (Table 1). Options are handed to `abd`. Bullet runs with its defaults on the
bodies of a recording of the scene: as boxes and a ball, or with `--shapes meshes` as the convex hulls of the very vertices
`abd` collides, the ring of the ball included; the paper gave both the same meshes.
"""

import argparse
import re
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pybullet as bullet

SIZES = (16, 142, 562)
RATES = (100, 240, 1000)
PUBLISHED = {(16, 100): (3, 2), (16, 240): (2.2, 1.5), (16, 1000): (2, 3), (142, 100): (92, 68), (142, 240): (41, 58),
             (142, 1000): (19, 82), (562, 100): (657, 629), (562, 240): (328, 809), (562, 1000): (102, 804)}
FRICTIONLESS = dict(lateralFriction=0.0, restitution=0.0)


def recorded(folder, size):
    """The scene as `drystone` builds it, from a recording of one short step."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "scene.npz")
        command = [folder / "drystone", "run", "wrecking-ball", "--quiet", "--set", f"size={size}", "--dt", "1e-6",
                   "--steps", "1", "--record", path]
        # The scene's claim does not hold after a microsecond, which is exit code 1.
        if subprocess.run(command, stdout=subprocess.DEVNULL).returncode not in (0, 1):
            raise SystemExit("drystone could not record the scene")
        with np.load(path) as arrays:
            return {name: arrays[name] for name in arrays.files}


def hulls(scene, shapes, middle, folder):
    """A convex shape of the vertices of each of ours, about `middle`. Bullet takes several only as objects of an OBJ file."""
    corners = [scene["mesh_vertex"][scene["mesh_shape"] == shape] - middle for shape in shapes]
    if len(corners) == 1:
        return dict(shapeType=bullet.GEOM_MESH, vertices=corners[0].tolist())
    path, first, lines = Path(folder, "hulls.obj"), 1, []
    for shape, points in zip(shapes, corners):
        own = scene["mesh_shape"][scene["mesh_triangle"][:, 0]] == shape
        triangles = scene["mesh_triangle"][own] - np.flatnonzero(scene["mesh_shape"] == shape)[0] + first
        lines += [f"o shape_{shape}", *("v {} {} {}".format(*point) for point in points),
                  *("f {} {} {}".format(*triangle) for triangle in triangles)]
        first += len(points)
    path.write_text("\n".join(lines) + "\n")
    return dict(shapeType=bullet.GEOM_MESH, fileName=str(path))


def primitive(scene, shape):
    """A box or a ball; the ring the ball would hang by is left out."""
    size = scene["shape_param"][shape]
    kind = str(scene["shape_type"][shape])
    if kind == "box":
        return dict(shapeType=bullet.GEOM_BOX, halfExtents=size[:3].tolist())
    return dict(shapeType=bullet.GEOM_SPHERE, radius=float(size[0])) if kind == "sphere" else None


def collision_shape(scene, body, meshes, folder):
    """What to make for a body, and where its centre of mass, the origin for Bullet, lies in the frame of ours."""
    shapes = np.flatnonzero(scene["shape_body"] == body)
    if meshes:
        middle = scene["body_com"][body]
        return hulls(scene, shapes, middle, folder), middle
    [(shape, part)] = [(shape, part) for shape in shapes if (part := primitive(scene, shape))]
    return part, scene["mesh_vertex"][scene["mesh_shape"] == shape].mean(axis=0)


def throw(scene, shape_of):
    """Adds the bodies as they are at the start; equal shapes are made once."""
    made = {}
    for number, mass in enumerate(scene["body_mass"]):
        (shape, at), pose, velocity = shape_of(number), scene["body_q"][0, number], scene["body_qd"][0, number]
        key = str(shape)
        if key not in made:
            made[key] = bullet.createCollisionShape(**shape)
        place = pose[:3] + np.array(bullet.rotateVector(pose[3:], at))
        body = bullet.createMultiBody(mass, made[key], basePosition=place, baseOrientation=pose[3:])
        bullet.changeDynamics(body, -1, **FRICTIONLESS)
        bullet.resetBaseVelocity(body, velocity[:3], velocity[3:])


def bullet_time(scene, rate, seconds, meshes):
    """Mean seconds per step in Bullet with its defaults."""
    bullet.connect(bullet.DIRECT)
    bullet.setGravity(*scene["gravity"].ravel()[:3])
    bullet.setTimeStep(1 / rate)
    ground = bullet.createMultiBody(0, bullet.createCollisionShape(bullet.GEOM_PLANE), basePosition=[0, 0, -1])
    bullet.changeDynamics(ground, -1, **FRICTIONLESS)
    with tempfile.TemporaryDirectory() as folder:
        throw(scene, lambda body: collision_shape(scene, body, meshes, folder))
    steps = round(seconds * rate)
    start = time.perf_counter()
    for _ in range(steps):
        bullet.stepSimulation()
    spent = time.perf_counter() - start
    bullet.disconnect()
    return spent / steps


def abd_time(folder, size, rate, seconds, options):
    """Mean seconds and iterations per step of `abd`, and how many steps did not converge."""
    steps = round(seconds * rate)
    command = [folder / "examples" / "abd_table", "wrecking-ball", f"size={size}", f"dt={1 / rate}", f"steps={steps}",
               "threads=1", *options]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    iterations = float(re.search(r"([\d.]+) iterations", text)[1])
    unconverged = int(re.search(r"not converged (\d+)", text)[1])
    return float(re.search(r"total ([\d.]+)", text)[1]) / 1e3, iterations, unconverged


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="with `drystone` and `examples/abd_table`")
    parser.add_argument("--seconds", type=float, default=3.0, help="simulated, the same for both")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, choices=SIZES)
    parser.add_argument("--rates", type=int, nargs="*", default=RATES, choices=RATES)
    parser.add_argument("--shapes", choices=["primitives", "meshes"], default="primitives", help="what Bullet collides")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("options", nargs="*", default=[])
    asked = parser.parse_intermixed_args()
    heads = ["bodies", "1/dt", "steps", "`abd` [ms]", "iterations", "not converged", f"Bullet [ms], {asked.shapes}",
             "ratio", "printed ratio", "printed `abd` [ms]", "printed Bullet [ms]"]

    def line(cells):
        padded = [f"{cell:>{len(head)}}" for cell, head in zip(cells, heads)]
        print(f"| {' | '.join(padded)} |" if asked.markdown else "  ".join(padded), flush=True)

    line(heads)
    if asked.markdown:
        print("|" + "---|" * len(heads))
    for size in asked.sizes:
        scene = recorded(asked.folder, size)
        for rate in asked.rates:
            theirs = bullet_time(scene, rate, asked.seconds, asked.shapes == "meshes")
            ours, iterations, unconverged = abd_time(asked.folder, size, rate, asked.seconds, asked.options)
            printed = PUBLISHED[size, rate]
            line([size, rate, round(asked.seconds * rate), f"{1e3 * ours:.2f}", f"{iterations:.1f}", unconverged,
                  f"{1e3 * theirs:.3f}", f"{ours / theirs:.2f}", f"{printed[0] / printed[1]:.2f}", *printed])


if __name__ == "__main__":
    main()
