//! Writes made-up runs in every format: a spiral of stones of all shapes, and a round tower of bricks.
//! `cargo run -p drystone-io --example export -- FOLDER`.

use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

use drystone::Recording;
use drystone::geometry::{DQuat, DVec3, Pose, Shape};
use drystone::model::{BodyDef, Model, ModelBuilder, ShapeDef};
use drystone_io::export::{Format, PictureOptions, write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    save(&folder, "spiral", &spiral(&stones()?))?;
    save(&folder, "tower", &rising(&tower()?))?;
    Ok(())
}

fn save(folder: &Path, name: &str, recording: &Recording) -> Result<(), Box<dyn std::error::Error>> {
    for (extension, format) in Format::ALL {
        let start = std::time::Instant::now();
        write(&folder.join(format!("{name}.{extension}")), format, recording, &PictureOptions::default(), &|_, _| ())?;
        println!("{name}.{extension}: {:.2} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// One of every round and edgy shape on a ground. Kinematic, because their motion is made up.
fn stones() -> Result<Model, Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    builder.ground();
    let shapes = [
        Shape::Box { half: DVec3::new(0.3, 0.2, 0.15) },
        Shape::Sphere { radius: 0.25 },
        Shape::Capsule { radius: 0.12, half_height: 0.2 },
        Shape::Cylinder { radius: 0.2, half_height: 0.2 },
        Shape::Cone { radius: 0.22, half_height: 0.25 },
        Shape::Ellipsoid { radii: DVec3::new(0.3, 0.2, 0.15) },
    ];
    for i in 0..24 {
        let shape = shapes[i % shapes.len()].clone();
        builder.add_body(BodyDef::kinematic(format!("stone {i}")).shape(ShapeDef::new(shape)));
    }
    Ok(builder.finalize()?)
}

fn spiral(model: &Model) -> Recording {
    let mut recording = Recording::new(model);
    let mut state = model.state();
    for step in 0..60 {
        state.step_count = step;
        state.time = step as f64 / 30.0;
        for (i, pose) in state.body_q.iter_mut().enumerate() {
            let angle = 0.6 * i as f64 + 0.4 * state.time;
            let centre = DVec3::new(1.5 * angle.cos(), 1.5 * angle.sin(), 0.5 + 0.12 * i as f64);
            *pose = Pose::from_parts(centre, DQuat::from_axis_angle(DVec3::ONE.normalize(), angle + state.time));
        }
        recording.push(&state, &[]);
    }
    recording
}

/// Courses arrive one after the other from above, thirty frames in all.
fn rising(model: &Model) -> Recording {
    let mut recording = Recording::new(model);
    let mut state = model.state();
    for step in 0..30 {
        state.step_count = step;
        state.time = step as f64 / 25.0;
        for (pose, target) in state.body_q.iter_mut().zip(&model.body_q) {
            let due = target.translation.z / 6.0 * 25.0;
            pose.translation.z = target.translation.z + 0.3 * (due - step as f64).max(0.0);
        }
        recording.push(&state, &[]);
    }
    recording
}

/// Thirty courses of sixteen bricks in running bond, and a few balls beside it.
fn tower() -> Result<Model, Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    builder.ground();
    let half = DVec3::new(0.15, 0.39, 0.1);
    for course in 0..30 {
        for brick in 0..16 {
            let turn = TAU * (f64::from(brick) + 0.5 * f64::from(course % 2)) / 16.0;
            let centre = DVec3::new(2.0 * turn.cos(), 2.0 * turn.sin(), half.z * f64::from(2 * course + 1));
            let def = BodyDef::dynamic(format!("brick {course}/{brick}"));
            builder.add_body(def.at(centre).rotated(DQuat::from_rotation_z(turn)).cuboid(half));
        }
    }
    for ball in 0..6 {
        let radius = 0.25 + 0.05 * f64::from(ball);
        let turn = 3.3 + 0.45 * f64::from(ball);
        let centre = DVec3::new(3.4 * turn.cos(), 3.4 * turn.sin(), radius);
        builder.add_body(BodyDef::dynamic(format!("ball {ball}")).at(centre).sphere(radius));
    }
    Ok(builder.finalize()?)
}
