//! The figures and tables of `docs/structured-evidence.md`, made anew:
//!
//! ```text
//! cargo run --release -p drystone-tests --example evidence -- [stabilization|scaling|energy|accuracy|assembly|trade|propagation]…
//! ```
//!
//! Without a name, all of them. Pictures go to `docs/images`, tables to the terminal.

mod accuracy;
mod assembly;
mod clock;
mod energy;
mod propagation;
mod scaling;
mod stabilization;
mod trade;

use std::path::Path;

use drystone_plot::Plot;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const ALL: [(&str, fn() -> Outcome); 7] = [
    ("stabilization", stabilization::run),
    ("scaling", scaling::run),
    ("energy", energy::run),
    ("accuracy", accuracy::run),
    ("assembly", assembly::run),
    ("trade", trade::run),
    ("propagation", propagation::run),
];

fn main() -> Outcome {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = asked.iter().find(|name| ALL.iter().all(|(known, _)| known != name)) {
        return Err(format!("there is no figure `{unknown}`; there are {:?}", ALL.map(|(name, _)| name)).into());
    }
    for (name, run) in ALL {
        if asked.is_empty() || asked.iter().any(|asked| asked == name) {
            println!("\n{name}");
            run()?;
        }
    }
    Ok(())
}

/// Writes a picture of the documents.
fn write(name: &str, plot: &Plot) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/images").join(name).with_extension("svg");
    std::fs::write(path, plot.svg())?;
    Ok(())
}
