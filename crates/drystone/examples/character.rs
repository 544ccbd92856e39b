//! A walking character on queries alone: `cargo run -p drystone --example character`.
//!
//! A kinematic capsule goes where its code says. It asks the scene what is in its way: it climbs stairs and gentle slopes, slides
//! along walls and down steep slopes, and pushes boxes, which the solver does by itself, since kinematic bodies push.

use drystone::geometry::Shape;
use drystone::prelude::*;
use drystone::{QueryError, QueryFilter, SceneHit};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

const RADIUS: f64 = 0.3;
const HALF_HEIGHT: f64 = 0.5;
/// Distance of the middle from the feet \[m\].
const TALL: f64 = RADIUS + HALF_HEIGHT;
/// Distance kept from everything \[m\].
const SKIN: f64 = 0.01;
const HIGHEST_STEP: f64 = 0.3;
/// Cosine of the steepest slope that can be walked on: 45°.
const STEEPEST: f64 = 0.707;
const GRAVITY: f64 = 9.81;
/// The group of what is pushed instead of being in the way.
const PUSHED: u32 = 0b10;

struct Character {
    body: BodyId,
    shape: Shape,
    falling: f64,
    grounded: bool,
}

impl Character {
    fn add(scene: &mut ModelBuilder, feet: DVec3) -> Outcome<Self> {
        let body = BodyDef::kinematic("character").at(feet + DVec3::Z * (TALL + SKIN));
        let body = scene.add_body(body.shape(ShapeDef::capsule(RADIUS, HALF_HEIGHT)));
        Ok(Self { body, shape: Shape::capsule(RADIUS, HALF_HEIGHT)?, falling: 0.0, grounded: false })
    }

    fn feet(&self, sim: &Simulation) -> Outcome<DVec3> {
        Ok(sim.pose(self.body)?.translation - DVec3::Z * TALL)
    }

    /// Where it wants to be at the end of the next step, walking at a velocity \[m/s\].
    fn walk(&mut self, sim: &mut Simulation, velocity: DVec3) -> Outcome {
        let dt = sim.dt();
        let mut place = sim.pose(self.body)?.translation;
        self.falling = if self.grounded { 0.0 } else { self.falling + GRAVITY * dt };
        place = self.go(sim, place, velocity * dt)?;
        // Down as far as it falls; where it stood, also down the stairs and slopes it walks over.
        let drop = self.falling * dt + if self.grounded { HIGHEST_STEP } else { 0.0 };
        self.grounded = false;
        let below = self.cast(sim, place, DVec3::NEG_Z, drop + SKIN)?;
        match below {
            Some(hit) if hit.normal.z > STEEPEST => {
                place.z -= hit.time - SKIN;
                self.grounded = true;
            }
            Some(hit) => {
                // Too steep to stand on: along it and down.
                place.z -= (hit.time - SKIN).max(0.0);
                let slide = DVec3::NEG_Z.reject_from_normalized(hit.normal) * self.falling.max(0.5) * dt;
                place = self.slide(sim, place, slide)?;
            }
            None => place.z -= self.falling * dt,
        }
        Ok(sim.set_target(self.body, Some(Pose::from_translation(place)))?)
    }

    /// Level motion: along what is in the way, or up on it if it is a step.
    fn go(&self, sim: &Simulation, place: DVec3, motion: DVec3) -> Outcome<DVec3> {
        let ahead = self.slide(sim, place, motion)?;
        if !self.grounded || (ahead - place).dot(motion) > 0.9 * motion.length_squared() {
            return Ok(ahead);
        }
        let headroom = self.cast(sim, place, DVec3::Z, HIGHEST_STEP)?.map_or(HIGHEST_STEP, |hit| hit.time - SKIN);
        let raised = place + DVec3::Z * headroom.max(0.0);
        // Far enough over the step for its top to be below the feet.
        let over = self.slide(sim, raised, motion.normalize_or_zero() * motion.length().max(0.5 * RADIUS))?;
        let ground = self.cast(sim, over, DVec3::NEG_Z, headroom + SKIN)?;
        let climbed = ground.filter(|hit| hit.normal.z > STEEPEST).map(|hit| over - DVec3::Z * (hit.time - SKIN));
        Ok(climbed.filter(|top| top.z > place.z + SKIN).unwrap_or(ahead))
    }

    /// Moves until something is in the way, then along it, a few times.
    fn slide(&self, sim: &Simulation, from: DVec3, motion: DVec3) -> Outcome<DVec3> {
        let (mut place, mut left) = (from, motion);
        for _ in 0..4 {
            let length = left.length();
            if length < 1e-9 {
                break;
            }
            let Some(hit) = self.cast(sim, place, left / length, length + SKIN)? else {
                return Ok(place + left);
            };
            let free = (hit.time - SKIN).clamp(0.0, length);
            place += left * (free / length);
            left *= 1.0 - free / length;
            // Gentle slopes lead up; walls only aside.
            let wall = if hit.normal.z > STEEPEST {
                hit.normal
            } else {
                (hit.normal * DVec3::new(1.0, 1.0, 0.0)).normalize_or(hit.normal)
            };
            left -= wall * left.dot(wall).min(0.0);
        }
        Ok(place)
    }

    /// What is in the way, boxes that can be pushed aside left out.
    fn cast(
        &self,
        sim: &Simulation,
        from: DVec3,
        direction: DVec3,
        length: f64,
    ) -> Result<Option<SceneHit>, QueryError> {
        let me = [self.body];
        let filter = QueryFilter::new().without(&me).groups(1, !PUSHED);
        sim.query().cast_shape(&self.shape, &Pose::from_translation(from), direction, length, &filter)
    }
}

/// Builds a scene around a character at the origin, walks for some seconds; returns the simulation and where it is then.
fn walk(build: impl FnOnce(&mut ModelBuilder), velocity: DVec3, seconds: f64) -> Outcome<(Simulation, DVec3)> {
    let mut scene = ModelBuilder::new();
    scene.ground();
    build(&mut scene);
    let mut character = Character::add(&mut scene, DVec3::ZERO)?;
    let mut sim = Simulation::new(scene.finalize()?)?;
    let steps = (seconds / sim.dt()).round() as usize;
    for _ in 0..steps {
        character.walk(&mut sim, velocity)?;
        sim.step()?;
    }
    let feet = character.feet(&sim)?;
    Ok((sim, feet))
}

fn block(scene: &mut ModelBuilder, half: DVec3, at: DVec3, turn: DQuat) {
    scene.add_shape(WORLD, ShapeDef::cuboid(half).at(at).rotated(turn));
}

/// A slope that begins at x = 1 and rises along x.
fn slope(scene: &mut ModelBuilder, degrees: f64) {
    let turn = DQuat::from_rotation_y(-degrees.to_radians());
    let half = DVec3::new(4.0, 2.0, 0.5);
    block(scene, half, DVec3::X + turn * DVec3::new(half.x, 0.0, -half.z), turn);
}

/// Walks through everything.
pub fn main() -> Outcome {
    let ahead = DVec3::X * 2.0;
    let (_, feet) = walk(|_| (), ahead, 2.0)?;
    println!("on the flat: 2 s at 2 m/s lead {:.3} m ahead", feet.x);
    assert!((feet.x - 4.0).abs() < 0.05 && feet.z.abs() < 2.0 * SKIN);

    let stairs = |scene: &mut ModelBuilder| {
        for step in 1..=4 {
            let (x, top) = (1.0 + 0.5 * f64::from(step), 0.2 * f64::from(step));
            block(scene, DVec3::new(3.0, 2.0, 0.1), DVec3::new(x + 3.0, 0.0, top - 0.1), DQuat::IDENTITY);
        }
    };
    let (_, feet) = walk(stairs, ahead, 3.0)?;
    println!("stairs: {:.3} m up after four steps of 0.2 m", feet.z);
    assert!((feet.z - 0.8).abs() < 3.0 * SKIN && feet.x > 4.0);

    let (_, feet) =
        walk(|scene| block(scene, DVec3::new(0.5, 2.0, 0.5), DVec3::new(2.0, 0.0, 0.5), DQuat::IDENTITY), ahead, 2.0)?;
    println!("a block of 1 m is too high a step: it stops at {:.3} m", feet.x);
    assert!((feet.x - (1.5 - RADIUS)).abs() < 0.05 && feet.z < 0.05);

    let (_, feet) = walk(|scene| slope(scene, 25.0), ahead, 2.0)?;
    println!("a slope of 25°: {:.2} m up", feet.z);
    assert!(feet.z > 0.8 && feet.x > 2.5);
    let (_, feet) = walk(|scene| slope(scene, 60.0), ahead, 2.0)?;
    println!("a slope of 60° is a wall: {:.2} m up", feet.z);
    assert!(feet.z < 0.3);

    let wall = |scene: &mut ModelBuilder| {
        block(scene, DVec3::new(0.1, 6.0, 1.0), DVec3::new(2.0, 0.0, 1.0), DQuat::from_rotation_z(-0.5));
    };
    let (_, feet) = walk(wall, ahead, 3.0)?;
    println!("a wall askew: it slides along to ({:.2}, {:.2})", feet.x, feet.y);
    assert!(feet.y.abs() > 1.0, "aside");

    let crate_ahead = |scene: &mut ModelBuilder| {
        let shape = ShapeDef::cuboid(DVec3::splat(0.4)).density(100.0).groups(PUSHED, u32::MAX);
        scene.add_body(BodyDef::dynamic("crate").at(DVec3::new(1.5, 0.0, 0.4)).shape(shape));
    };
    let (sim, feet) = walk(crate_ahead, ahead, 2.0)?;
    let pushed = sim.pose(sim.body("crate").ok_or("the crate is there")?)?.translation.x;
    println!("a crate is pushed from 1.5 m to {pushed:.2} m by someone at {:.2} m", feet.x);
    assert!(pushed > 3.5 && feet.x > 3.0 && pushed > feet.x);
    Ok(())
}
