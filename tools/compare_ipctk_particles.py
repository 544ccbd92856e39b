"""Looks for intersections in recordings of cloth, soft bodies and strings with the IPC Toolkit (pip install ipctk numpy).

    drystone run cloth-stack --record stack.npz
    python tools/compare_ipctk_particles.py [--every N] stack.npz ...

The surface is that of particles with a radius: triangles, and springs that are no side of one. `ipctk.has_intersections` looks at every
frame. Strings have no triangles to cross; and what passed through within a frame may look whole at its end: so
`ipctk.is_step_collision_free` looks at every step too, with particles going straight from frame to frame. It needs a recording
of every step, which `drystone run --record` makes of runs of one substep a frame. Prints a line per recording; exit code 1 if anything
crosses.
"""

import argparse
import sys
import time

import ipctk
import numpy as np


def surface(recording):
    """Triangles, and edges with those of strings, of particles with a radius; and their numbers."""
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
    number = np.full(len(thick), -1)
    number[used] = np.arange(len(used))
    return number[triangle].astype(np.int32), number[edge].astype(np.int32), used


def refuse_what_is_not_judged(recording, path):
    """Seams close what lies apart, and worlds may lie in each other."""
    if (recording.get("attachment_other", np.array([-1])) >= 0).any():
        sys.exit(f"{path} has seams, which are not judged")
    if len(np.unique(recording["particle_world"])) > 1:
        sys.exit(f"{path} has several worlds, which are not judged")


def search(path, every):
    """Frames that intersect, and steps in which something passes."""
    with np.load(path) as archive:
        if "particle_q" not in archive:
            sys.exit(f"{path} has no particles")
        recording = {name: archive[name] for name in archive.files}
    refuse_what_is_not_judged(recording, path)
    triangle, edge, used = surface(recording)
    place = [np.asfortranarray(q[used]) for q in recording["particle_q"]]
    mesh = ipctk.CollisionMesh(place[0], edge, triangle)
    frames = range(0, len(place), every)
    start = time.perf_counter()
    crossed = [f for f in frames if ipctk.has_intersections(mesh, place[f])]
    steps = [f for f in frames if f > 0]
    # By default what comes nearer than a millionth, or goes most of the way to a contact, counts as passing.
    ccd = ipctk.TightInclusionCCD(tolerance=1e-12, conservative_rescaling=1.0)
    free = lambda f: ipctk.is_step_collision_free(mesh, place[f - 1], place[f], narrow_phase_ccd=ccd)
    passed = [f for f in steps if not free(f)]
    spent = time.perf_counter() - start
    print(f"{path}: {len(frames)} of {len(place)} frames, {len(used)} particles, {len(triangle)} triangles, "
          f"{len(edge)} edges: intersections in frames {crossed or 'none'}, passages in steps to {passed or 'none'} "
          f"({spent:.1f} s)", flush=True)
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
