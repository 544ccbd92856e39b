//! How forces travel along a chain by the iterations of conjugate gradients: one joint per iteration, where elimination is done at once.

use drystone::model::{BodyDef, BodyId, DVec3, JointDef, Model, ModelBuilder, WORLD};
use drystone::structured::{ConstraintSystem, Krylov, Method, StructuredOptions};
use drystone_plot::{Plot, Scale, Series};

use crate::{Outcome, write};

const LINKS: usize = 40;

pub fn run() -> Outcome {
    // A chain that is pulled at its free end, and one that begins to fall and is held at its other end.
    figure(
        "structured-propagation-pull",
        "Chain afloat, pulled along at joint 39 with 1 N",
        &chain(false),
        |control| {
            control.body_f[LINKS - 1].0 = DVec3::X;
        },
    )?;
    figure("structured-propagation-fall", "Chain let go from the horizontal, held before joint 0", &chain(true), |_| ())
}

fn figure(file: &str, title: &str, model: &Model, push: impl Fn(&mut drystone::model::Control)) -> Outcome {
    let mut control = model.control();
    push(&mut control);
    let forces = |method: Method, iterations: u32| -> Result<Vec<[f64; 2]>, Box<dyn std::error::Error>> {
        let options = StructuredOptions {
            method,
            krylov: Krylov::Cg,
            max_iterations: iterations,
            velocity_tolerance: 1e-14,
            ..StructuredOptions::default()
        };
        let mut mechanism = ConstraintSystem::new(model, options);
        mechanism.forward_dynamics(model, &model.state(), &control)?;
        let size = |joint: usize| {
            let [x, y, z, ..] = mechanism.joint_force(joint);
            DVec3::new(x, y, z).length()
        };
        Ok((0..model.joint_count()).map(|joint| [joint as f64, size(joint)]).collect())
    };
    let exact = forces(Method::StructuredDense, 1)?;
    let mut series = Vec::new();
    println!(
        "{title}\n| iterations | joints that feel a thousandth of the largest force | largest error of a force [N] |\n|---|---|---|"
    );
    let largest = exact.iter().fold(0.0, |worst: f64, point| worst.max(point[1]));
    for iterations in [1, 2, 5, 10, 20, 40] {
        let found = forces(Method::FullIterative, iterations)?;
        let felt = found.iter().filter(|point| point[1] > 1e-3 * largest).count();
        let off = found.iter().zip(&exact).map(|(a, b)| (a[1] - b[1]).abs()).fold(0.0, f64::max);
        println!("| {iterations} | {felt} of {} | {off:.1e} |", exact.len());
        series.push(Series::line(format!("{iterations} iterations"), found));
    }
    series.push(Series::line("elimination, one solve", exact).dashed());
    let plot =
        Plot { title: title.into(), x: Scale::linear("joint"), y: Scale::linear("force in the joint [N]"), series };
    write(file, &plot)
}

/// A straight chain of rods of 0.2 m and 1 kg, held at its beginning or afloat without weight.
fn chain(held: bool) -> Model {
    let mut scene = ModelBuilder::new();
    if !held {
        scene.gravity(DVec3::ZERO);
    }
    let mut last: Option<BodyId> = held.then_some(WORLD.into());
    for index in 0..LINKS {
        let from = DVec3::X * (0.2 * index as f64);
        let def = BodyDef::dynamic("").at(from + DVec3::X * 0.1).mass(1.0);
        let link = scene.add_body(def.cuboid(DVec3::new(0.09, 0.01, 0.01)));
        if let Some(last) = last {
            scene.add_joint(JointDef::ball(last, link, from));
        }
        last = Some(link);
    }
    scene.finalize().unwrap_or_else(|error| panic!("{error}"))
}
