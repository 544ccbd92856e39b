//! The published demolition: a steel ball, thrown or on a chain of interlocked links, against a block of cubes.
//! Only contact holds the chain together.

use std::f64::consts::FRAC_PI_2;

use drystone::geometry::Shape;
use drystone::model::{BodyDef, DQuat, DVec3, ModelBuilder, Pose, ShapeDef, WORLD};

use super::links::link;
use crate::check::{Check, Figures};
use crate::scene::{Scene, SceneError, Settings};

/// Density of steel and of the cubes \[kg/m³\].
const STEEL: f64 = 7680.0;
const CUBE: f64 = 1000.0;
/// Distance of neighbouring cubes and of neighbouring links \[m\].
const CUBE_PITCH: f64 = 1.05;
const LINK_PITCH: f64 = 0.9;
/// First cube of the grid \[m\].
const CORNER: DVec3 = DVec3::new(7.4119, -4.5, -0.45);
/// Height of the ground \[m\].
const GROUND: f64 = -1.0;
/// Radius of the ball, and how far the ring it hangs by reaches into it \[m\].
const RADIUS: f64 = 1.0;
const SUNK: f64 = 0.35;
/// Speed of the ball where it is thrown \[m/s\].
const THROW: f64 = 10.0;
/// Links of the chain, the first one fixed.
const LINKS: usize = 13;

/// The published sizes: bodies counted with the ground, and the cubes deep, wide and high.
pub(super) const SIZES: [(usize, [usize; 3]); 4] =
    [(16, [1, 2, 7]), (142, [2, 10, 7]), (562, [8, 10, 7]), (575, [8, 10, 7])];

/// One of the published sizes; the largest hangs the ball on a chain, the others throw it.
pub(super) fn published(size: usize) -> Option<Result<Scene, SceneError>> {
    let (_, grid) = SIZES.into_iter().find(|(bodies, _)| *bodies == size)?;
    Some(demolition(grid, size == SIZES[3].0))
}

fn demolition(grid: [usize; 3], hung: bool) -> Result<Scene, SceneError> {
    let mut scene = ModelBuilder::new();
    scene.add_shape(WORLD, ShapeDef::new(Shape::HalfSpace).at(DVec3::Z * GROUND).friction(0.0));
    let cubes = add_cubes(&mut scene, grid);
    let length = if hung { hang_ball(&mut scene)? } else { throw_ball(&mut scene, grid)? };
    // The first link, which is fixed, follows the cubes; the ball comes last.
    let (pivot, ball) = (cubes, if hung { cubes + LINKS } else { cubes });
    let check = Check::new("the cubes are pushed apart, nothing overlaps and no link comes loose", move |run| {
        let moved = |body: usize| (run.state.body_q[body].translation - run.model.body_q[body].translation).length();
        let furthest = (0..cubes).map(moved).fold(0.0, f64::max);
        let figures = Figures::new().above("furthest cube", furthest, 0.5, "m");
        let figures = figures.below("penetration", run.measures.max_penetration, f64::MIN_POSITIVE, "m");
        let reach = run.state.body_q[ball].translation.distance(run.state.body_q[pivot].translation);
        if hung { figures.below("chain", reach, length, "m") } else { figures }
    });
    Scene::new(&scene, Settings::seconds(if hung { 4.0 } else { 2.0 }).hertz(100.0).solvers(&["abd"]), check)
}

fn add_cubes(scene: &mut ModelBuilder, [deep, wide, high]: [usize; 3]) -> usize {
    for (x, y, z) in (0..deep).flat_map(|x| (0..wide).flat_map(move |y| (0..high).map(move |z| (x, y, z)))) {
        let place = CORNER + CUBE_PITCH * DVec3::new(x as f64, y as f64, z as f64);
        let cube = BodyDef::dynamic(format!("cube {x} {y} {z}")).at(place).cuboid(DVec3::splat(0.5));
        scene.add_body(cube.density(CUBE).friction(0.0));
    }
    deep * wide * high
}

/// Ball and ring as one body: the ring about the origin, the ball beyond its far end along −y.
fn ball(ring: &Shape) -> BodyDef {
    let middle = 0.75 + RADIUS - SUNK;
    let sphere = ShapeDef::sphere(RADIUS).at(DVec3::NEG_Y * middle).density(STEEL).friction(0.0);
    BodyDef::dynamic("ball").shape(ShapeDef::new(ring.clone()).density(STEEL).friction(0.0)).shape(sphere)
}

fn throw_ball(scene: &mut ModelBuilder, grid: [usize; 3]) -> Result<f64, SceneError> {
    let middle = CORNER.y + 0.5 * CUBE_PITCH * (grid[1] - 1) as f64;
    let place = DVec3::new(CORNER.x - 3.5, middle, CORNER.z + 3.0 * CUBE_PITCH);
    // The ring points away from the cubes.
    let turn = DQuat::from_rotation_z(FRAC_PI_2);
    let ball = ball(&Shape::mesh(link())?).at(place).rotated(turn).velocity(DVec3::X * THROW);
    scene.add_body(ball);
    Ok(0.0)
}

/// The chain falls from 30° above the horizontal; returns its length \[m\].
fn hang_ball(scene: &mut ModelBuilder) -> Result<f64, SceneError> {
    let ring = Shape::mesh(link())?;
    let slope = DQuat::from_rotation_y(-30.0_f64.to_radians());
    for index in 0..=LINKS {
        let along = LINK_PITCH * (LINKS + 1 - index) as f64;
        let place = slope * DVec3::X * along + DVec3::Z * 12.0;
        // Links lie along the slope (their y axis), every other one turned about it by a right angle.
        let quarter = if index % 2 == 0 { 0.0 } else { FRAC_PI_2 };
        let turn = slope * DQuat::from_rotation_z(-FRAC_PI_2) * DQuat::from_rotation_y(quarter);
        let body = if index == LINKS {
            ball(&ring)
        } else {
            let kind = if index == 0 { BodyDef::fixed } else { BodyDef::dynamic };
            kind(format!("link {index}")).shape(ShapeDef::new(ring.clone()).density(STEEL).friction(0.0))
        };
        scene.add_body(body.pose(Pose::from_parts(place, turn)));
    }
    // What every link can give at most: the hole is longer than the pitch by what the tubes leave.
    Ok(LINKS as f64 * (LINK_PITCH + 0.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_published_ones() {
        for (size, _) in SIZES {
            let scene = published(size).unwrap().unwrap();
            // The ground, a half-space here, is counted as a body there.
            assert_eq!(scene.model.body_count() + 1, size);
        }
        assert!(published(17).is_none());
    }
}
