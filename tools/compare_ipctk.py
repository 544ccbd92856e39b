"""Looks for intersections in recordings with the IPC Toolkit (pip install ipctk numpy).

    drystone run chain-net --solver abd --record net.npz
    drystone run cloth-stack --record stack.npz
    python tools/compare_ipctk.py [--every N] net.npz stack.npz ...

Frames are placed from `body_affine` and `particle_q` and handed to `ipctk.has_intersections`. Recordings of affine bodies (`abd`): bodies
against each other, and particles (triangles and springs) against bodies and each other, but for what a body holds firmly against
that body. Half-spaces are left out: their square would have to be cut into the mesh. Others (`vbd`), whose bodies may touch: particles
with a radius against each other, triangles and springs that are no side of one.

Strings have no triangles to cross, and what passed through within a frame may look whole at its end: so, of particles alone,
`ipctk.is_step_collision_free` looks at every step too, going straight from frame to frame. It needs a recording of every step, which
`drystone run --record` makes of runs of one substep a frame. Prints a line per recording; exit code 1 if anything crosses.
"""

import argparse
import sys
import time
from dataclasses import dataclass
from typing import Callable

import ipctk
import numpy as np


@dataclass
class Surface:
    """What is judged of a recording."""

    mesh: ipctk.CollisionMesh
    # Places of the vertices in a frame.
    at: Callable[[int], np.ndarray]
    # The first frame that is judged, and whether the steps between are.
    first: int
    steps: bool
    told: str


def placed(vertex, body, affine):
    """World positions of surface vertices, those of the world where they are."""
    world = vertex.copy()
    moving = body >= 0
    rows = affine[body[moving]]
    world[moving] = np.einsum("vij,vj->vi", rows[:, :, :3], vertex[moving]) + rows[:, :, 3]
    return np.asfortranarray(world)


def bounded(recording):
    """Vertices, their bodies and triangles without those of half-spaces."""
    plane = [i for i, kind in enumerate(recording["shape_type"]) if "half" in str(kind).lower()]
    keep = ~np.isin(recording["mesh_shape"], plane)
    index = np.cumsum(keep) - 1
    triangle = recording["mesh_triangle"]
    faces = index[triangle[keep[triangle[:, 0]]]].astype(np.int32)
    return recording["mesh_vertex"][keep], recording["mesh_body"][keep], faces


def may_collide(recording, owner):
    """Vertices of different bodies may collide, but for pairs of bodies the scene leaves out, as neighbours at a joint."""
    bodies = ipctk.make_vertex_patches_filter(owner)
    shape_body = recording["shape_body"]
    apart = {tuple(sorted((int(shape_body[a]), int(shape_body[b])))) for a, b in recording["shape_filter"].reshape(-1, 2)}
    if not apart:
        return bodies
    vertices = {body: np.flatnonzero(owner == body) for pair in apart for body in pair}
    pairs = {(int(min(i, j)), int(max(i, j))): False for a, b in apart for i in vertices[a] for j in vertices[b]}
    return bodies & ipctk.make_sparse_filter(pairs, True)


def held(recording, owner, first):
    """Whether two vertices may collide, as far as attachments go: a body does not meet what it holds firmly."""
    if "attachment_body" not in recording:
        return None
    firm = (recording["attachment_other"] < 0) & np.isinf(recording["attachment_stiffness"])
    pairs = {}
    for particle, body in zip(recording["attachment_particle"][firm], recording["attachment_body"][firm]):
        for vertex in np.flatnonzero(owner == body):
            pairs[(int(vertex), int(first + particle))] = False
    return ipctk.make_sparse_filter(pairs, True) if pairs else None


def with_bodies(recording):
    """Affine bodies, and all particles."""
    vertex, body, faces = bounded(recording)
    # Static bodies may touch each other.
    fixed = np.flatnonzero(recording["body_kind"] == "static")
    owner = np.where(np.isin(body, fixed), -1, body).astype(np.int32)
    edges, first, bodies = ipctk.edges(faces), len(vertex), len(recording["body_mass"])
    soft = recording["particle_q"] if "particle_q" in recording and recording["particle_q"].shape[1] else None
    if soft is not None:
        faces = np.vstack([faces, recording["particle_triangle"].reshape(-1, 3) + first]).astype(np.int32)
        strings = recording["spring_particle"].reshape(-1, 2) + first
        edges = np.unique(np.sort(np.vstack([ipctk.edges(faces), strings]), axis=1), axis=0).astype(np.int32)
        # Every particle is apart from all others: those of one piece may meet.
        owner = np.concatenate([owner, bodies + np.arange(soft.shape[1])]).astype(np.int32)

    def at(frame):
        rigid = placed(vertex, body, recording["body_affine"][frame])
        return rigid if soft is None else np.asfortranarray(np.vstack([rigid, soft[frame]]))

    mesh = ipctk.CollisionMesh(at(0), edges, faces)
    mesh.can_collide = may_collide(recording, owner)
    attached = held(recording, owner, first)
    if attached is not None:
        mesh.can_collide = mesh.can_collide & attached
    told = f"{bodies} bodies, {0 if soft is None else soft.shape[1]} particles, {len(faces)} triangles"
    # The first frame is the scene as it was built, where bodies may touch.
    return Surface(mesh, at, 1, False, told)


def of_particles(recording, path):
    """Particles with a radius alone. Seams close what lies apart, and worlds may lie in each other: neither is judged."""
    if (recording.get("attachment_other", np.array([-1])) >= 0).any():
        sys.exit(f"{path} has seams, which are not judged")
    if len(np.unique(recording["particle_world"])) > 1:
        sys.exit(f"{path} has several worlds, which are not judged")
    thick = recording["particle_radius"] > 0.0
    triangle = recording["particle_triangle"].reshape(-1, 3)
    triangle = triangle[thick[triangle].all(axis=1)]
    spring = recording["spring_particle"].reshape(-1, 2)
    covered = np.zeros(len(thick), dtype=bool)
    covered[triangle] = True
    spring = spring[thick[spring].all(axis=1) & ~covered[spring].all(axis=1)]
    sides = np.concatenate([triangle[:, [0, 1]], triangle[:, [1, 2]], triangle[:, [2, 0]], spring])
    edge = np.unique(np.sort(sides, axis=1), axis=0)
    used = np.unique(edge)
    if not len(used):
        sys.exit(f"{path} has neither affine bodies nor particles with a radius")
    number = np.full(len(thick), -1)
    number[used] = np.arange(len(used))
    place = [np.asfortranarray(q[used]) for q in recording["particle_q"]]
    mesh = ipctk.CollisionMesh(place[0], number[edge].astype(np.int32), number[triangle].astype(np.int32))
    told = f"{len(used)} particles, {len(triangle)} triangles, {len(edge)} edges"
    return Surface(mesh, lambda frame: place[frame], 0, True, told)


def search(path, every):
    """Frames of a recording that intersect, and those in the step to which something passes."""
    # Every array is read from the file once: an archive reads it again each time it is asked.
    with np.load(path) as archive:
        recording = {name: archive[name] for name in archive.files}
    if "body_affine" in recording:
        surface = with_bodies(recording)
    elif "particle_q" in recording:
        surface = of_particles(recording, path)
    else:
        sys.exit(f"{path} has neither affine bodies nor particles: record a run of `abd`, or of cloth")
    mesh, at = surface.mesh, surface.at
    count = len(recording["time"])
    frames = range(surface.first, count, every)
    start = time.perf_counter()
    crossed = [f for f in frames if ipctk.has_intersections(mesh, at(f))]
    told = f"intersections in frames {crossed or 'none'}"
    passed = []
    if surface.steps:
        # By default what comes nearer than a millionth, or goes most of the way to a contact, counts as passing.
        ccd = ipctk.TightInclusionCCD(tolerance=1e-12, conservative_rescaling=1.0)
        passes = lambda f: not ipctk.is_step_collision_free(mesh, at(f - 1), at(f), narrow_phase_ccd=ccd)
        passed = [f for f in frames if f > 0 and passes(f)]
        told += f", passages in steps to {passed or 'none'}"
    spent = time.perf_counter() - start
    print(f"{path}: {len(frames)} of {count} frames, {surface.told}: {told} ({spent:.1f} s)", flush=True)
    return crossed or passed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", nargs="+")
    parser.add_argument("--every", type=int, default=1, help="look at every n-th frame")
    asked = parser.parse_args()
    found = [path for path in asked.recording if search(path, asked.every)]
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
