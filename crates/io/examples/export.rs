//! Writes a made-up run (a spiral of stones that rises and turns) in every format:
//! `cargo run -p drystone-io --example export -- FOLDER`.

use std::path::PathBuf;

use drystone::Recording;
use drystone::geometry::{DQuat, DVec3, Pose, Shape};
use drystone::model::{BodyDef, Model, ModelBuilder, ShapeDef};
use drystone_io::glb::write_glb;
use drystone_io::picture::{write_gif, write_png};
use drystone_io::raster::Options;
use drystone_io::recording::write_recording;
use drystone_io::usda::write_usda;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    let recording = spiral(&stones()?);
    write_recording(&folder.join("spiral.npz"), &recording)?;
    write_glb(&folder.join("spiral.glb"), &recording)?;
    write_usda(&folder.join("spiral.usda"), &recording)?;
    write_png(&folder.join("spiral.png"), &recording, None, Options::default())?;
    let small = Options { width: 640, height: 360, ..Options::default() };
    write_gif(&folder.join("spiral.gif"), &recording, 15.0, small)?;
    Ok(())
}

/// One of every round and edgy shape on a ground.
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
