//! A car on four rays: `cargo run -p drystone --example vehicle`.
//!
//! The chassis is one body. Every wheel is a ray down its strut: a spring and a damper carry the car, tyres push along and across
//! as far as friction lets them. Forces are laid on the body before every step.

use drystone::QueryFilter;
use drystone::geometry::Ray;
use drystone::prelude::*;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

const MASS: f64 = 1200.0;
const GRAVITY: f64 = 9.81;
/// Longest strut, from where it is hung to the ground \[m\].
const STRUT: f64 = 0.8;
const STIFFNESS: f64 = 40e3;
const DAMPING: f64 = 4e3;
const GRIP: f64 = 1.0;
const WHEEL_BASE: f64 = 2.6;
const TRACK: f64 = 1.6;

/// What the driver does.
#[derive(Clone, Copy, Default)]
struct Controls {
    /// Drive of all wheels together \[N\].
    drive: f64,
    /// Braking of all wheels together \[N\].
    brake: f64,
    /// Angle of the front wheels, to the left \[rad\].
    steer: f64,
}

struct Car {
    body: BodyId,
}

impl Car {
    fn add(scene: &mut ModelBuilder, at: DVec3) -> Self {
        let shape = ShapeDef::cuboid(DVec3::new(1.8, 0.8, 0.25)).friction(0.3);
        Self { body: scene.add_body(BodyDef::dynamic("car").at(at).shape(shape).mass(MASS)) }
    }

    /// Lays the forces of the four wheels on the chassis for the next step.
    fn drive(&self, sim: &mut Simulation, controls: Controls) -> Outcome {
        let (pose, twist) = (sim.pose(self.body)?, sim.velocity(self.body)?);
        let me = [self.body];
        let up = pose.rotation * DVec3::Z;
        let mut forces = Vec::new();
        for (front, left) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let hung = pose.transform_point(DVec3::new(0.5 * front * WHEEL_BASE, 0.5 * left * TRACK, 0.0));
            let hit = sim.query().cast_ray(&Ray::new(hung, -up), STRUT, &QueryFilter::new().without(&me))?;
            let Some(hit) = hit else { continue };
            let velocity = twist.linear + twist.angular.cross(hit.point - pose.translation);
            let load = (STIFFNESS * (STRUT - hit.time) - DAMPING * velocity.dot(up)).max(0.0);
            let steer = DQuat::from_axis_angle(up, if front > 0.0 { controls.steer } else { 0.0 });
            let ahead =
                (pose.rotation * steer_in(steer, pose) * DVec3::X).reject_from_normalized(hit.normal).normalize();
            let aside = hit.normal.cross(ahead);
            // A share of what would stop the wheel within a step, so that tyres do not overdo it.
            let stop = 0.5 * 0.25 * MASS / sim.dt();
            let along = 0.25 * controls.drive
                - (stop * velocity.dot(ahead)).clamp(-0.25 * controls.brake, 0.25 * controls.brake);
            let tyre = ahead * along - aside * (stop * velocity.dot(aside));
            forces.push((up * load + tyre.clamp_length_max(GRIP * load), hit.point));
        }
        for (force, point) in forces {
            sim.apply_force_at(self.body, force, point)?;
        }
        Ok(())
    }
}

/// A turn about the world's axis as one in the frame of the car.
fn steer_in(steer: DQuat, pose: Pose) -> DQuat {
    pose.rotation.conjugate() * steer * pose.rotation
}

fn run(sim: &mut Simulation, car: &Car, seconds: f64, controls: Controls) -> Outcome {
    for _ in 0..(seconds / sim.dt()).round() as usize {
        car.drive(sim, controls)?;
        sim.step()?;
    }
    Ok(())
}

/// Lets it stand, drive, turn, cross a bump and stop.
pub fn main() -> Outcome {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let car = Car::add(&mut scene, DVec3::Z * 0.8);
    let bump = ShapeDef::capsule(0.12, 5.0).rotated(DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
    scene.add_shape(WORLD, bump.at(DVec3::new(20.0, 0.0, 0.0)));
    let mut sim = Simulation::builder(scene.finalize()?).dt(1.0 / 120.0).build()?;

    run(&mut sim, &car, 3.0, Controls::default())?;
    let height = sim.pose(car.body)?.translation.z;
    let expected = STRUT - MASS * GRAVITY / (4.0 * STIFFNESS);
    println!("it stands at {height:.4} m; weight over stiffness says {expected:.4} m");
    assert!((height - expected).abs() < 1e-3);

    run(&mut sim, &car, 3.0, Controls { drive: 3600.0, ..Controls::default() })?;
    let speed = sim.velocity(car.body)?.linear.x;
    println!("3 s of 3,600 N make {speed:.2} m/s; 9 m/s by Newton");
    assert!((speed - 9.0).abs() < 0.3);

    run(&mut sim, &car, 1.5, Controls::default())?;
    let (pose, twist) = (sim.pose(car.body)?, sim.velocity(car.body)?);
    println!("over the bump, at {:.1} m and {:.2} m/s, upright", pose.translation.x, twist.linear.x);
    assert!(pose.translation.x > 22.0 && (pose.rotation * DVec3::Z).z > 0.98 && twist.linear.x > 7.0);

    run(&mut sim, &car, 1.0, Controls { brake: 6000.0, ..Controls::default() })?;
    let steer = 0.2;
    run(&mut sim, &car, 3.0, Controls { steer, drive: 100.0, ..Controls::default() })?;
    let (pose, twist) = (sim.pose(car.body)?, sim.velocity(car.body)?);
    let radius = twist.linear.length() / twist.angular.z;
    // The middle of a car turns about where the axles meet, half a wheel base ahead of the rear axle.
    let rear: f64 = WHEEL_BASE / f64::tan(steer);
    let expected = rear.hypot(0.5 * WHEEL_BASE);
    println!("steering by {steer} rad it turns at a radius of {radius:.1} m; its axles say {expected:.1} m");
    assert!((radius / expected - 1.0).abs() < 0.15 && pose.translation.y > 0.5);

    run(&mut sim, &car, 4.0, Controls { brake: 8000.0, ..Controls::default() })?;
    let speed = sim.velocity(car.body)?.linear.length();
    println!("braked to {speed:.4} m/s");
    assert!(speed < 0.01);
    Ok(())
}
