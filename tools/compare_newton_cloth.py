"""Cloth and soft bodies of Newton's `SolverVBD` beside ours, both on one thread of this processor
(pip install newton warp-lang numpy).

    cargo build --release -p drystone-scenes --example cloth_sizes
    python tools/compare_newton_cloth.py target/release/examples/cloth_sizes [--frames N] [--rounds N] hang=32 hang=64 soft=10

The scenes are those of `crates/scenes/examples/cloth_sizes.rs`. Theirs runs at 10 × 10 and 4 × 10 substeps and iterations to a frame of
1/60 s, ours at one step a frame; times are processor time of the frames alone, after one that warms up. Rounds take turns, so that a
busy machine slows both; the quietest of each counts. Quality is the largest stretch at any frame and at the last, for soft bodies the change
of volume.
"""

import argparse
import re
import subprocess
import time

import newton
import numpy as np
import warp as wp

DT = 1.0 / 60.0


def hang(count):
    """A sheet of one metre, 0.2 kg/m², μ = λ = 10³ N/m, held along an edge."""
    builder = newton.ModelBuilder(gravity=wp.vec3(0.0, 0.0, -9.81))
    cells = count - 1
    builder.add_cloth_grid(
        pos=wp.vec3(0.0, 0.0, 2.0), rot=wp.quat_identity(), vel=wp.vec3(0.0, 0.0, 0.0), dim_x=cells, dim_y=cells,
        cell_x=1.0 / cells, cell_y=1.0 / cells, mass=0.2 / count**2, fix_bottom=True, tri_ke=1e3, tri_ka=1e3,
        tri_kd=0.0, edge_ke=1e-4, edge_kd=0.0, particle_radius=0.0)
    return builder


def soft(count):
    """A cube of rubber of one metre, 10⁵ Pa, dropped by 0.2 m."""
    builder = newton.ModelBuilder(gravity=wp.vec3(0.0, 0.0, -9.81))
    young, ratio = 1e5, 0.4
    builder.add_ground_plane()
    builder.add_soft_grid(
        pos=wp.vec3(0.0, 0.0, 0.2), rot=wp.quat_identity(), vel=wp.vec3(0.0, 0.0, 0.0), dim_x=count, dim_y=count,
        dim_z=count, cell_x=1.0 / count, cell_y=1.0 / count, cell_z=1.0 / count, density=1000.0,
        k_mu=young / (2.0 * (1.0 + ratio)), k_lambda=young * ratio / ((1.0 + ratio) * (1.0 - 2.0 * ratio)), k_damp=0.0,
        add_surface_mesh_edges=False, particle_radius=0.0)
    return builder


class Theirs:
    """A simulation of Newton's, stepped frame by frame."""

    def __init__(self, scene, count, substeps, iterations):
        builder = {"hang": hang, "soft": soft}[scene](count)
        builder.color()
        self.model = builder.finalize(device="cpu")
        # As firm as the rubber is across a cell, at the least.
        self.model.soft_contact_ke, self.model.soft_contact_kd, self.model.soft_contact_mu = 1e6, 0.0, 0.6
        self.substeps = substeps
        self.solver = newton.solvers.SolverVBD(self.model, iterations=iterations, particle_enable_self_contact=False)
        self.pipeline = newton.CollisionPipeline(self.model) if scene == "soft" else None
        self.contacts = self.pipeline.contacts() if self.pipeline else None
        self.now, self.next, self.control = self.model.state(), self.model.state(), self.model.control()
        self.triangles = self.model.tri_indices.numpy().reshape(-1, 3) if scene == "hang" else None
        self.tets = self.model.tet_indices.numpy().reshape(-1, 4) if scene == "soft" else None
        self.rest = self.now.particle_q.numpy().astype(float)

    def step(self):
        for _ in range(self.substeps):
            self.now.clear_forces()
            if self.pipeline:
                self.pipeline.collide(self.now, self.contacts)
            self.solver.step(self.now, self.next, self.control, self.contacts, DT / self.substeps)
            self.now, self.next = self.next, self.now

    def quality(self):
        """Stretch of the worst triangle, or change of the volume, as a share."""
        q = self.now.particle_q.numpy().astype(float)
        if not np.isfinite(q).all():
            return np.nan
        if self.tets is not None:
            volume = lambda x: np.linalg.det(x[self.tets[:, 1:]] - x[self.tets[:, :1]]).sum()
            return abs(volume(q) / volume(self.rest) - 1.0)
        flat, bent = (x[self.triangles[:, 1:]] - x[self.triangles[:, :1]] for x in (self.rest[:, :2], q))
        gradient = np.linalg.inv(flat) @ bent
        return np.linalg.norm(gradient, ord=2, axis=(1, 2)).max() - 1.0


def theirs(scene, count, frames, substeps):
    simulation = Theirs(scene, count, substeps, 10)
    simulation.step()
    spent, worst, last = 0.0, 0.0, 0.0
    for _ in range(frames - 1):
        start = time.process_time()
        simulation.step()
        spent += time.process_time() - start
        last = simulation.quality()
        worst = max(worst, last) if np.isfinite(last) else np.inf
    return 1e3 * spent / (frames - 1), worst, last


def ours(program, scene, count, frames):
    text = subprocess.run([program, f"frames={frames}", f"{scene}={count}"], capture_output=True, text=True, check=True)
    found = re.search(r"processor ([\d.]+) ms.*stretch ([\d.]+|NaN|-inf) % at most, ([\d.]+|NaN|-inf) %", text.stdout)
    spent, worst, last = (float(number) for number in found.groups())
    return spent, worst / 100.0, last / 100.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("scene", nargs="+")
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=2)
    asked = parser.parse_args()
    wp.config.quiet = True
    wp.init()
    print(f"newton {newton.__version__}, warp {wp.__version__}, {asked.frames} frames, quietest of {asked.rounds}")
    for argument in asked.scene:
        scene, count = argument.split("=")
        runs = {
            "Drystone": lambda: ours(asked.program, scene, int(count), asked.frames),
            "Newton 10 × 10": lambda: theirs(scene, int(count), asked.frames, 10),
            "Newton 4 × 10": lambda: theirs(scene, int(count), asked.frames, 4),
        }
        found = {name: [] for name in runs}
        for _ in range(asked.rounds):
            for name, run in runs.items():
                found[name].append(run())
        best = {name: min(results) for name, results in found.items()}
        own = best["Drystone"][0]
        for name, (spent, worst, last) in best.items():
            quality = "" if scene == "soft" and name == "Drystone" else f"; off by {100 * worst:.2f} % at most, {100 * last:.2f} % at the end"
            print(f"{argument} {name}: {spent:.1f} ms a frame, {spent / own:.1f} times ours{quality}", flush=True)


if __name__ == "__main__":
    main()
