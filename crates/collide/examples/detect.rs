//! Times every phase of the collision pipeline on a scene in plain text, at slightly moving poses:
//! `cargo run --release --example detect -- SCENE.txt [squeeze] [frames] [shake]`. `squeeze` scales all
//! positions about the origin, so that a scene that starts in the air is already packed; `shake` is how far bodies
//! swing about their places, in metres and radians.
//!
//! A scene has header lines (`gravity x y z`, `plane 1`) and one line per body, `box STATIC hx hy hz
//! MASS px py pz qx qy qz qw`, `sphere STATIC r MASS p q` or `hull STATIC N x y z … MASS p q`.

use std::error::Error;

use drystone_collide::{Collide, CollideOptions};
use drystone_geometry::{DQuat, DVec3, Pose, Shape};
use drystone_model::{BodyDef, Model, ModelBuilder, ShapeDef, State, WORLD};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give a scene file")?;
    let squeeze: f64 = arguments.next().map_or(Ok(1.0), |text| text.parse())?;
    let frames: usize = arguments.next().map_or(Ok(50), |text| text.parse())?;
    let shake: f64 = arguments.next().map_or(Ok(1e-4), |text| text.parse())?;
    let model = read_scene(&std::fs::read_to_string(path)?, squeeze)?;
    let mut collide = Collide::new(&model, CollideOptions::default());
    let still = model.state();
    // The least time of each phase: the machine may be busy with other things.
    let mut least = [f64::INFINITY; 5];
    for frame in 0..frames + 5 {
        let state = shaken(&model, &still, frame, shake);
        collide.detect(&model, &state, 1.0 / 60.0);
        let t = collide.timing;
        if frame >= 5 {
            let phases = [t.bounds, t.pairs, t.contacts, t.matching, t.bounds + t.pairs + t.contacts + t.matching];
            for (least, phase) in least.iter_mut().zip(phases) {
                *least = least.min(phase * 1e3);
            }
        }
    }
    let matched = collide.contacts.point_match.iter().filter(|&&m| m != u32::MAX).count();
    println!(
        "{} bodies, {} pairs, {} manifolds, {} points ({} matched)",
        model.body_count(),
        collide.pairs().len(),
        collide.contacts.manifold_count(),
        collide.contacts.point_count(),
        matched
    );
    let [bounds, pairs, contacts, matching, all] = least;
    println!("ms: bounds {bounds:.3}  pairs {pairs:.3}  contacts {contacts:.3}  match {matching:.3}  all {all:.3}");
    Ok(())
}

/// Every body swings about its place in its own rhythm.
fn shaken(model: &Model, still: &State, frame: usize, shake: f64) -> State {
    let mut state = still.clone();
    for (body, pose) in state.body_q.iter_mut().enumerate() {
        if model.body_mass[body] > 0.0 {
            let phase = |k: usize| (0.7 * frame as f64 + (body * 7 + k) as f64).sin() * shake;
            pose.translation += DVec3::new(phase(0), phase(1), phase(2));
            pose.rotation = DQuat::from_scaled_axis(DVec3::new(phase(3), phase(4), phase(5))) * pose.rotation;
        }
    }
    state
}

fn read_scene(text: &str, squeeze: f64) -> Result<Model, Box<dyn Error>> {
    let mut builder = ModelBuilder::new();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let kind = words.next().unwrap_or("");
        let numbers = || -> Result<Vec<f64>, _> { line.split_whitespace().skip(1).map(str::parse).collect() };
        match kind {
            "gravity" => {
                let n = numbers()?;
                builder.gravity(DVec3::new(n[0], n[1], n[2]));
            }
            "plane" if line.ends_with('1') => {
                builder.add_shape(WORLD, ShapeDef::new(Shape::HalfSpace));
            }
            "box" | "sphere" | "hull" => add_body(&mut builder, kind, &numbers()?, number, squeeze)?,
            _ => {}
        }
    }
    Ok(builder.finalize()?)
}

fn add_body(
    builder: &mut ModelBuilder,
    kind: &str,
    n: &[f64],
    line: usize,
    squeeze: f64,
) -> Result<(), Box<dyn Error>> {
    let (shape, rest) = match kind {
        "box" => (Shape::Box { half: DVec3::new(n[1], n[2], n[3]) }, &n[4..]),
        "sphere" => (Shape::Sphere { radius: n[1] }, &n[2..]),
        _ => {
            let count = n[1] as usize;
            let points: Vec<DVec3> = n[2..2 + 3 * count].chunks(3).map(DVec3::from_slice).collect();
            (Shape::hull(&points)?, &n[2 + 3 * count..])
        }
    };
    let fixed = n[0] != 0.0;
    let position = DVec3::from_slice(&rest[1..4]) * if fixed { 1.0 } else { squeeze };
    let pose = Pose::from_parts(position, DQuat::from_xyzw(rest[4], rest[5], rest[6], rest[7]).normalize());
    let name = format!("line{line}");
    let def = if fixed { BodyDef::fixed(name) } else { BodyDef::dynamic(name).mass(rest[0]) };
    builder.add_body(def.pose(pose).shape(ShapeDef::new(shape)));
    Ok(())
}
