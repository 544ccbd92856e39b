"""Looks for intersections in a recording of affine bodies with the IPC Toolkit (pip install ipctk numpy).

    drystone run chain-net --solver abd --record net.npz
    python tools/compare_ipctk.py net.npz

Every frame is placed from `body_affine` and handed to `ipctk.has_intersections`, bodies against each other only.
Half-spaces are left out: their square would have to be cut into the mesh. Exit code 1 if any frame intersects.
"""

import sys

import ipctk
import numpy as np


def placed(recording, frame):
    """World positions of the surface vertices in a frame."""
    vertex, body = recording["mesh_vertex"], recording["mesh_body"]
    affine = recording["body_affine"][frame]
    world = vertex.copy()
    moving = body >= 0
    rows = affine[body[moving]]
    world[moving] = np.einsum("vij,vj->vi", rows[:, :, :3], vertex[moving]) + rows[:, :, 3]
    return world


def bounded(recording):
    """Vertices and triangles without those of half-spaces."""
    plane = [i for i, kind in enumerate(recording["shape_type"]) if "half" in str(kind).lower()]
    keep = ~np.isin(recording["mesh_shape"], plane)
    index = np.cumsum(keep) - 1
    triangle = recording["mesh_triangle"]
    return keep, index[triangle[keep[triangle[:, 0]]]].astype(np.int32)


def main(path):
    recording = np.load(path)
    if "body_affine" not in recording:
        sys.exit(f"{path} has no affine bodies: record a run of `abd`")
    keep, faces = bounded(recording)
    edges = ipctk.edges(faces)
    # Static bodies may touch each other.
    fixed = np.flatnonzero(recording["body_kind"] == "static")
    bad = []
    # The first frame is the scene as it was built, where bodies may touch.
    for frame in range(1, len(recording["time"])):
        x = np.asfortranarray(placed(recording, frame)[keep])
        mesh = ipctk.CollisionMesh(x, edges, faces)
        owner = np.where(np.isin(recording["mesh_body"], fixed), -1, recording["mesh_body"])[keep].astype(np.int32)
        mesh.can_collide = ipctk.make_vertex_patches_filter(owner)
        if ipctk.has_intersections(mesh, x):
            bad.append(frame)
    print(f"{path}: {len(recording['time']) - 1} frames, {len(faces)} triangles, intersections in frames {bad or 'none'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
