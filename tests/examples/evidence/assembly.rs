//! Scattered parts pulled together: lattices of growing size, to 1e-8 m.

use drystone::mechanism::{AssemblyOptions, assemble};
use drystone_tests::runner::scene;

use crate::Outcome;
use crate::clock::processor_time;

pub fn run() -> Outcome {
    println!(
        "| parts | joints | scattered by | turned by up to | gap reached [m] | steps | loop iterations | time [s] |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (size, scatter, turn) in [(4, 0.5, 90), (4, 0.5, 180), (6, 0.5, 180), (10, 0.5, 90), (10, 0.5, 180)] {
        let settings = [format!("size={size}"), format!("scatter={scatter}"), format!("turn={turn}")];
        let model = scene("assembly", &settings.each_ref().map(String::as_str)).model;
        let mut state = model.state();
        let options = AssemblyOptions { tolerance: 1e-8, ..AssemblyOptions::default() };
        let begun = processor_time();
        let done = assemble(&model, &mut state, &model.control(), options);
        let seconds = processor_time() - begun;
        let (parts, joints) = (model.body_count(), model.joint_count());
        match done {
            Ok(done) => println!(
                "| {parts} | {joints} | {scatter} spacings | {turn}° | {:.1e} | {} | {} | {seconds:.1} |",
                done.error, done.steps, done.iterations
            ),
            Err(error) => println!("| {parts} | {joints} | {scatter} spacings | {turn}° | {error} |"),
        }
    }
    Ok(())
}
