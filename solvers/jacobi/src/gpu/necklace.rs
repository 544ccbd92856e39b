//! Systems made without a model: a body costs some 70 bytes here against a thousand in a model, so that
//! a hundred million beads fit an ordinary machine.

use drystone_kernels::single::math::{Quat, Sym3, Vec3, Vec6};

use super::equations::IMMOVABLE;
use super::system::{BodyKind, PointState, PointSystem};

/// Radius of a bead \[m\].
const RADIUS: f32 = 0.05;
/// Mass of a bead \[kg\].
const MASS: f32 = 0.001;
/// Distance of neighbouring strings \[m\].
const SPACING: f32 = 0.3;

/// Strings of beads, each hung from the world by its first bead and starting out along x, as in the
/// scene `necklace`.
pub fn necklaces(chains: usize, beads: usize) -> (PointSystem, PointState) {
    let count = chains * beads;
    let mut system = PointSystem {
        kind: vec![ball(MASS, RADIUS, 9.81)],
        anchor: vec![Vec3::new(-RADIUS, 0.0, 0.0), Vec3::new(RADIUS, 0.0, 0.0)],
        body_kind: vec![0; count],
        parent: Vec::with_capacity(count),
        child: (0..count as u32).collect(),
        parent_anchor: Vec::with_capacity(count),
        child_anchor: vec![0; count],
    };
    let mut state = PointState::default();
    let across = (chains as f64).sqrt().ceil() as usize;
    for chain in 0..chains {
        let start = Vec3::new(0.0, SPACING * (chain % across) as f32, SPACING * (chain / across) as f32);
        for index in 0..beads {
            let body = (chain * beads + index) as u32;
            if index == 0 {
                system.parent.push(IMMOVABLE);
                system.parent_anchor.push(system.anchor.len() as u32);
            } else {
                system.parent.push(body - 1);
                system.parent_anchor.push(1);
            }
            let along = Vec3::new(RADIUS * (2 * index + 1) as f32, 0.0, 0.0);
            state.position.push(start.add(along));
        }
        system.anchor.push(start);
    }
    at_rest(&mut state, count, count);
    (system, state)
}

/// A square net of balls hung from its upper row, which does not move, as in the scene `joint-grid`.
pub fn grid(size: usize) -> (PointSystem, PointState) {
    let radius = 0.4;
    let mass = 1000.0 * 4.0 / 3.0 * std::f32::consts::PI * radius * radius * radius;
    let mut system = PointSystem {
        kind: vec![ball(mass, radius, 10.0)],
        // To the left, to the right, above, below; anchors in the world follow.
        anchor: [(-0.5, 0.0), (0.5, 0.0), (0.0, 0.5), (0.0, -0.5)].map(|(x, z)| Vec3::new(x, 0.0, z)).to_vec(),
        ..PointSystem::default()
    };
    let mut state = PointState::default();
    let rows = size.saturating_sub(1);
    let body = |column: usize, row: usize| (column * rows + row - 1) as u32;
    for column in 0..size {
        for row in 1..size {
            state.position.push(Vec3::new(column as f32, 0.0, -(row as f32)));
            system.body_kind.push(0);
            system.child.push(body(column, row));
            system.child_anchor.push(2);
            if row == 1 {
                system.parent.push(IMMOVABLE);
                system.parent_anchor.push(system.anchor.len() as u32);
                system.anchor.push(Vec3::new(column as f32, 0.0, -0.5));
            } else {
                system.parent.push(body(column, row - 1));
                system.parent_anchor.push(3);
            }
            if column > 0 {
                system.parent.push(body(column - 1, row));
                system.parent_anchor.push(1);
                system.child.push(body(column, row));
                system.child_anchor.push(0);
            }
        }
    }
    let (bodies, constraints) = (system.body_count(), system.constraint_count());
    at_rest(&mut state, bodies, constraints);
    (system, state)
}

fn ball(mass: f32, radius: f32, gravity: f32) -> BodyKind {
    let inertia = 0.4 * mass * radius * radius;
    BodyKind {
        inverse_mass: 1.0 / mass,
        gravity: Vec3::new(0.0, 0.0, -gravity),
        inertia: Sym3::scaled_identity(inertia),
        inverse_inertia: Sym3::scaled_identity(1.0 / inertia),
    }
}

fn at_rest(state: &mut PointState, bodies: usize, constraints: usize) {
    state.orientation = vec![Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }; bodies];
    state.velocity = vec![Vec6::default(); bodies];
    state.impulse = vec![Vec3::default(); constraints];
}
