//! `drystone schema`: what the files may say.

use crate::Outcome;
use crate::args::{SchemaOf, SchemaOptions};
use crate::error::Failure;
use crate::{print, report};

/// Prints a schema.
pub fn print(options: &SchemaOptions) -> Result<Outcome, Failure> {
    match options.file {
        SchemaOf::Scene => print::line(drystone_io::scene_file::schema()),
        SchemaOf::Report => print::line(report::schema()?),
        SchemaOf::Options => {
            let of = |solver: &drystone::SolverEntry| (solver.name.to_owned(), solver.schema().to_value());
            let all: serde_json::Map<String, serde_json::Value> = drystone::solvers().iter().map(of).collect();
            print::line(format!("{:#}", serde_json::Value::Object(all)));
        }
    }
    Ok(Outcome::Good)
}
