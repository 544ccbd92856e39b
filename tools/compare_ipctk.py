"""Looks for intersections in recordings of affine bodies with the IPC Toolkit (pip install ipctk numpy).

    drystone run chain-net --solver abd --record net.npz
    python tools/compare_ipctk.py [--every N] net.npz ...

Frames are placed from `body_affine` and `particle_q` and handed to `ipctk.has_intersections`: bodies against each other, and particles
(triangles and springs) against bodies and each other, but for what a body holds firmly against that body; prints a line per recording. Half-spaces are left out: their square would have to be cut into the mesh. Exit code 1 if any frame intersects.
"""

import argparse
import sys
import time

import ipctk
import numpy as np


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


def search(path, every):
    """Frames of a recording with intersections."""
    # Every array is read from the file once: an archive reads it again each time it is asked.
    with np.load(path) as archive:
        if "body_affine" not in archive:
            sys.exit(f"{path} has no affine bodies: record a run of `abd`")
        recording = {name: archive[name] for name in archive.files}
    vertex, body, faces = bounded(recording)
    # Static bodies may touch each other.
    fixed = np.flatnonzero(recording["body_kind"] == "static")
    owner = np.where(np.isin(body, fixed), -1, body).astype(np.int32)
    # The first frame is the scene as it was built, where bodies may touch.
    frames = range(1, len(recording["time"]), every)
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
    start = time.perf_counter()
    bad = [f for f in frames if ipctk.has_intersections(mesh, at(f))]
    spent = time.perf_counter() - start
    print(f"{path}: {len(frames)} of {len(recording['time']) - 1} frames, {bodies} bodies, {0 if soft is None else soft.shape[1]} particles, "
          f"{len(faces)} triangles, intersections in frames {bad or 'none'} ({spent:.1f} s)", flush=True)
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", nargs="+")
    parser.add_argument("--every", type=int, default=1, help="look at every n-th frame")
    asked = parser.parse_args()
    found = [path for path in asked.recording if search(path, asked.every)]
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
