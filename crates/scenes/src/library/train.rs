//! A train of gears, each one mesh, the first driven by a torque.

use drystone_kernels::elementary::sin_cos;
use std::f64::consts::{PI, TAU};

use drystone::geometry::{DVec3, TriMesh};
use drystone::model::{Axis, BodyDef, Drive, JointDef, ModelBuilder, ShapeDef, WORLD};

use super::gears::{HALF_WIDTH, MODULE, half_angle, tooth_ends};
use crate::check::{Check, Figures};
use crate::scene::{Scene, SceneError, Settings};

/// Largest torque on the first gear \[N·m\].
const TORQUE: f64 = 5e3;
/// How much wider than its flanks say a tooth is at its foot, times the number of teeth \[rad\].
const FILLET: f64 = 0.02;
/// How far the pitch circle of a gear may lag behind its neighbour's \[m\]: twice the play of the teeth.
const LAG: f64 = 0.1 * PI * MODULE;

/// Gears with the given numbers of teeth in turn, side by side.
pub(super) fn train(count: usize, teeth: [usize; 2], detail: usize, speed: f64) -> Result<Scene, SceneError> {
    let mut scene = ModelBuilder::new();
    let (mut x, mut phase) = (0.0, 0.0);
    let radius = move |index: usize| 0.5 * MODULE * teeth[index % 2] as f64;
    for index in 0..count {
        if index > 0 {
            x += radius(index - 1) + radius(index);
            // Where the gear before has a tooth this one has a gap.
            phase = PI - (radius(index - 1) * phase) / radius(index) - PI / teeth[index % 2] as f64;
        }
        let mesh = gear_mesh(teeth[index % 2], phase, detail);
        let body = BodyDef::dynamic(format!("gear {index}")).at(DVec3::X * x);
        let body = scene.add_body(body.shape(ShapeDef::mesh(mesh)).friction(0.0));
        let joint = JointDef::revolute(WORLD, body, DVec3::X * x, DVec3::Z);
        let drive = Drive::velocity(speed, 1e5).max_effort(TORQUE);
        scene.add_joint(if index == 0 { joint.drive(Axis::AngX, drive) } else { joint });
    }
    let check = Check::new("every gear turns its neighbour, tooth by tooth", move |run| {
        let travel = |index: usize| radius(index) * run.state.joint_angle[index][0];
        let lag = (1..count).map(|k| (travel(k - 1) + travel(k)).abs()).fold(0.0, f64::max);
        let figures = Figures::new().below("joint gap", run.measures.max_joint_error, 1e-8, "m");
        let figures = figures.above("the first turned", travel(0), MODULE, "m");
        figures.below("lag of neighbours", lag, LAG, "m")
    });
    Scene::new(&scene, Settings::seconds(0.5).hertz(100.0).solvers(&["abd"]), check)
}

/// A gear about z as one closed mesh: its outline drawn out, flat ends fanned from their middles.
fn gear_mesh(teeth: usize, phase: f64, detail: usize) -> TriMesh {
    let outline = outline(teeth, phase, 4 * detail);
    let (around, layers) = (outline.len(), detail);
    let mut mesh = TriMesh { vertices: Vec::new(), triangles: Vec::new() };
    for layer in 0..=layers {
        let z = HALF_WIDTH * (2.0 * layer as f64 / layers as f64 - 1.0);
        mesh.vertices.extend(outline.iter().map(|p| DVec3::new(p[0], p[1], z)));
    }
    let at = |layer: usize, k: usize| (layer * around + k % around) as u32;
    for layer in 0..layers {
        for k in 0..around {
            let [a, b, c, d] = [at(layer, k), at(layer, k + 1), at(layer + 1, k + 1), at(layer + 1, k)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    for (layer, z) in [(0, -HALF_WIDTH), (layers, HALF_WIDTH)] {
        let middle = mesh.vertices.len() as u32;
        mesh.vertices.push(DVec3::Z * z);
        for k in 0..around {
            let (a, b) = (at(layer, k), at(layer, k + 1));
            mesh.triangles.push(if layer == 0 { [b, a, middle] } else { [a, b, middle] });
        }
    }
    mesh
}

/// The outline of a gear against the clock: up one flank and down the other of every tooth, `samples` pieces each.
fn outline(teeth: usize, phase: f64, samples: usize) -> Vec<[f64; 2]> {
    let [foot, tip] = tooth_ends(teeth);
    let mut points = Vec::new();
    for tooth in 0..teeth {
        let middle = phase + TAU * tooth as f64 / teeth as f64;
        for side in [-1.0, 1.0] {
            for sample in 0..=samples {
                let share = sample as f64 / samples as f64;
                let radius = foot + (tip - foot) * if side < 0.0 { share } else { 1.0 - share };
                // Below the base circle flanks would run straight to the centre, along the sides of the flat ends.
                let depth = ((foot + 1.25 * MODULE - radius) / MODULE).max(0.0);
                let half = half_angle(teeth, radius) + FILLET * depth * depth / teeth as f64;
                let (sin, cos) = sin_cos(middle + side * half);
                points.push([radius * cos, radius * sin]);
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gears_are_closed_and_fine_ones_have_a_million_triangles() {
        for detail in [1, 3] {
            assert_eq!(gear_mesh(18, 0.3, detail).check(), Ok(()));
        }
        let pair: usize = [18, 36].iter().map(|&teeth| gear_mesh(teeth, 0.0, 10).triangles.len()).sum();
        assert!(14 * pair > 1_000_000, "{pair}");
    }
}
