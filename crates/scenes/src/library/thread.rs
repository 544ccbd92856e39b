//! A screw that winds itself down through a fixed nut by its weight.

use drystone_kernels::elementary::{cos, sin_cos};
use std::f64::consts::TAU;

use drystone::geometry::{DVec3, TriMesh};
use drystone::model::{BodyDef, ModelBuilder, ShapeDef};

use crate::check::{Check, Figures};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A screw in a nut.
pub const SCREW: SceneEntry = SceneEntry {
    name: "screw",
    summary: "a screw winds itself down through a fixed nut, a turn for every pitch",
    parameters: &[Parameter::count(
        "segments",
        48,
        48,
        400,
        "flat pieces around the thread; fewer lock it by their corners",
    )],
    build: screw,
};

/// Radius of the core, depth of the thread, distance of its turns, free space to the nut \[m\].
const CORE: f64 = 0.05;
const DEPTH: f64 = 0.012;
const PITCH: f64 = 0.04;
const CLEARANCE: f64 = 1e-3;
/// Distance of the flat sides of the nut from its axis \[m\], and how many there are.
const FLAT: f64 = 0.09;
const FLATS: f64 = 6.0;
/// Rows of vertices per turn: foot, flank, crest, flank.
const ROWS: usize = 4;
/// Turns of the screw and of the nut, and where the nut begins.
const TURNS: [usize; 2] = [5, 2];
const NUT_AT: usize = 1;

fn screw(params: &Params) -> Result<Scene, SceneError> {
    let segments = params.count("segments");
    let mut scene = ModelBuilder::new();
    let nut = ShapeDef::mesh(nut_mesh(segments)).density(8050.0).friction(0.0);
    scene.add_body(BodyDef::fixed("nut").at(DVec3::Z * (NUT_AT as f64 * PITCH)).shape(nut));
    let screw = ShapeDef::mesh(screw_mesh(segments)).density(8050.0).friction(0.0);
    scene.add_body(BodyDef::dynamic("screw").shape(screw));
    let check = Check::new("the screw sinks and turns by its pitch", |run| {
        let (start, end) = (run.model.body_q[1], run.state.body_q[1]);
        let sunk = start.translation.z - end.translation.z;
        let turned = (start.rotation.inverse() * end.rotation).to_scaled_axis().z;
        // Right-handed: down is against the turn of the thread; full turns do not show in an orientation.
        let off = (turned + TAU * sunk / PITCH) / TAU;
        // Twice the way along the axis that the flanks leave free.
        let play = CLEARANCE / DEPTH;
        let figures = Figures::new().above("sank", sunk, 0.05 * PITCH, "m");
        figures.below("turns off the thread", (off - off.round()).abs(), play, "")
    });
    Scene::new(&scene, Settings::seconds(0.5).hertz(100.0).solvers(&["abd"]), check)
}

/// Radius of a row of a thread.
fn thread(row: usize) -> f64 {
    let phase = (row % ROWS) as f64 / ROWS as f64;
    CORE + DEPTH * (1.0 - (2.0 * phase - 1.0).abs())
}

/// Rows of vertices along a helix: row k of column i is at the angle i and the height (k/ROWS + i/columns) pitches, so
/// that crest and foot of the thread are rows. After a turn row k meets row k + ROWS.
struct Helix {
    columns: usize,
    rows: usize,
    first: u32,
}

impl Helix {
    fn add(mesh: &mut TriMesh, columns: usize, turns: usize, radius: impl Fn(usize) -> f64) -> Self {
        let helix = Self { columns, rows: ROWS * turns + 1, first: mesh.vertices.len() as u32 };
        for column in 0..columns {
            let (sin, cos) = sin_cos(TAU * column as f64 / columns as f64);
            for row in 0..helix.rows + if column == 0 { ROWS } else { 0 } {
                let z = PITCH * (row as f64 / ROWS as f64 + column as f64 / columns as f64);
                mesh.vertices.push(DVec3::new(radius(row) * cos, radius(row) * sin, z));
            }
        }
        helix
    }

    fn at(&self, column: usize, row: usize) -> u32 {
        match column {
            0 => self.first + row as u32,
            c if c == self.columns => self.at(0, row + ROWS),
            c => self.first + (c * self.rows + ROWS + row) as u32,
        }
    }

    /// The side, outwards or inwards.
    fn sides(&self, mesh: &mut TriMesh, outwards: bool) {
        for column in 0..self.columns {
            for row in 0..self.rows - 1 {
                let [a, b] = [self.at(column, row), self.at(column + 1, row)];
                let [c, d] = [self.at(column + 1, row + 1), self.at(column, row + 1)];
                let quad = if outwards { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
                mesh.triangles.extend(quad);
            }
        }
    }

    /// The edge of the side at the bottom or the top, once around against the clock: along the row, then down the step
    /// (at the bottom) or up to the start of it.
    fn rim(&self, top: bool) -> Vec<u32> {
        let row = if top { self.rows - 1 } else { 0 };
        let around = (0..=self.columns).map(|column| self.at(column, row));
        around.chain((row + 1..row + ROWS).rev().map(|row| self.at(0, row))).collect()
    }
}

fn screw_mesh(columns: usize) -> TriMesh {
    let mut mesh = TriMesh { vertices: Vec::new(), triangles: Vec::new() };
    let helix = Helix::add(&mut mesh, columns, TURNS[0], thread);
    helix.sides(&mut mesh, true);
    for top in [false, true] {
        let middle = mesh.vertices.len() as u32;
        let height = PITCH * (0.5 + if top { TURNS[0] as f64 } else { 0.0 });
        mesh.vertices.push(DVec3::Z * height);
        let rim = helix.rim(top);
        for (k, &a) in rim.iter().enumerate() {
            let b = rim[(k + 1) % rim.len()];
            mesh.triangles.push(if top { [a, b, middle] } else { [b, a, middle] });
        }
    }
    mesh
}

/// A nut: the thread cut into a prism, whose flat sides reach from the lowest to the highest point of the thread. The
/// ends rise or fall from there to the thread, less steeply than its flanks, so that they stay clear of the screw.
fn nut_mesh(columns: usize) -> TriMesh {
    let mut mesh = TriMesh { vertices: Vec::new(), triangles: Vec::new() };
    let inner = Helix::add(&mut mesh, columns, TURNS[1], |row| thread(row) + CLEARANCE);
    inner.sides(&mut mesh, false);
    let first = mesh.vertices.len() as u32;
    for column in 0..columns {
        let angle = TAU * column as f64 / columns as f64;
        let (sine, cosine) = sin_cos(angle);
        let off_middle = (angle + 0.5 * TAU / FLATS).rem_euclid(TAU / FLATS) - 0.5 * TAU / FLATS;
        let radius = FLAT / cos(off_middle);
        let height = PITCH * (TURNS[1] + 1) as f64;
        mesh.vertices.extend([0.0, height].map(|z| DVec3::new(radius * cosine, radius * sine, z)));
    }
    let outer = |column: usize, top: bool| first + 2 * (column % columns) as u32 + u32::from(top);
    for column in 0..columns {
        let [a, b] = [column, column + 1].map(|column| outer(column, false));
        let [c, d] = [column + 1, column].map(|column| outer(column, true));
        mesh.triangles.extend([[a, b, c], [a, c, d]]);
    }
    for top in [false, true] {
        add_end(&mut mesh, &inner.rim(top), |k| outer(k.min(columns), top), top);
    }
    mesh
}

/// Closes an end of the nut between the rim of the thread and the outer edge, where `outer` says which vertex belongs to
/// which of the rim; all of the step in the rim belong to one.
fn add_end(mesh: &mut TriMesh, rim: &[u32], outer: impl Fn(usize) -> u32, top: bool) {
    for (k, &a) in rim.iter().enumerate() {
        let [b, c, d] = [outer(k), outer(k + 1), rim[(k + 1) % rim.len()]];
        let quad = [[a, b, c], [a, c, d]];
        let solid = quad.into_iter().filter(|[x, y, z]| x != y && y != z && x != z);
        mesh.triangles.extend(solid.map(|[x, y, z]| if top { [x, y, z] } else { [x, z, y] }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone::geometry::Shape;

    #[test]
    fn thread_and_nut_are_closed_and_solid() {
        for columns in [12, 48] {
            for (mesh, turns) in [(screw_mesh(columns), TURNS[0]), (nut_mesh(columns), TURNS[1])] {
                assert_eq!(mesh.check(), Ok(()));
                assert!((mesh.bounds().extent().z / PITCH - (turns + 1) as f64).abs() < 1e-9);
            }
            let volume = Shape::mesh(screw_mesh(columns)).unwrap().volume();
            let mean = CORE + 0.5 * DEPTH;
            let solid = std::f64::consts::PI * mean * mean * PITCH * TURNS[0] as f64;
            assert!((volume / solid - 1.0).abs() < 0.1, "{volume} {solid}");
            // The prism without the hole; the ends, which slope from the prism to the thread, take a third of two pitches.
            let volume = Shape::mesh(nut_mesh(columns)).unwrap().volume();
            let hole = std::f64::consts::PI * mean * mean;
            let solid = (2.0 * 3.0_f64.sqrt() * FLAT * FLAT - hole) * PITCH * (TURNS[1] as f64 + 2.0 / 3.0);
            assert!((volume / solid - 1.0).abs() < 0.1, "{volume} {solid}");
        }
    }
}
