//! `drystone scenes`: the library.

use comfy_table::{ContentArrangement, Table, presets};
use drystone_scenes::{SCENES, SceneEntry, find};
use serde_json::json;

use crate::Outcome;
use crate::args::ScenesOptions;
use crate::error::Failure;
use crate::print;

/// Lists the scenes, or describes one.
pub fn list(options: &ScenesOptions) -> Result<Outcome, Failure> {
    let chosen: Vec<&SceneEntry> = match &options.scene {
        Some(name) => vec![find(name)?],
        None => SCENES.iter().collect(),
    };
    if options.json {
        let all: Result<Vec<_>, _> = chosen.iter().map(|entry| as_json(entry)).collect();
        print::line(serde_json::to_string_pretty(&all?)?);
    } else if options.scene.is_some() {
        describe(chosen[0])?;
    } else {
        print::line(as_table(&chosen)?);
        print::line("`drystone scenes NAME` describes one; `drystone run NAME --set KEY=VALUE` runs it.");
    }
    Ok(Outcome::Good)
}

fn as_table(entries: &[&SceneEntry]) -> Result<Table, Failure> {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["scene", "what it shows", "parameters", "bodies", "joints", "solvers"]);
    for entry in entries {
        let scene = entry.make::<&str>(&[])?;
        let parameters: Vec<String> = entry.parameters.iter().map(ToString::to_string).collect();
        table.add_row([
            entry.name.to_owned(),
            entry.summary.to_owned(),
            parameters.join(" "),
            scene.model.body_count().to_string(),
            scene.model.joint_count().to_string(),
            scene.settings.solvers.join(" "),
        ]);
    }
    Ok(table)
}

fn describe(entry: &SceneEntry) -> Result<(), Failure> {
    let scene = entry.make::<&str>(&[])?;
    let settings = &scene.settings;
    print::line(format!("{}: {}", entry.name, entry.summary));
    print::line(format!("claim: {}", scene.check.claim));
    print::line(format!("{} bodies, {} joints", scene.model.body_count(), scene.model.joint_count()));
    print::line(format!(
        "runs {} s in {} steps with `{}` unless told otherwise",
        settings.seconds,
        settings.steps(),
        settings.solver()
    ));
    for parameter in entry.parameters {
        print::line(format!("  --set {parameter:<20} {}: {}", parameter.help, parameter.range()));
    }
    Ok(())
}

fn as_json(entry: &SceneEntry) -> Result<serde_json::Value, Failure> {
    let scene = entry.make::<&str>(&[])?;
    let parameters = entry.parameters.iter().map(|parameter| {
        json!({"name": parameter.name, "help": parameter.help, "default": parameter.default,
               "min": parameter.min, "max": parameter.max})
    });
    Ok(json!({
        "name": entry.name,
        "summary": entry.summary,
        "claim": scene.check.claim,
        "parameters": parameters.collect::<Vec<_>>(),
        "bodies": scene.model.body_count(),
        "joints": scene.model.joint_count(),
        "solvers": scene.settings.solvers,
        "solver": scene.settings.solver(),
        "dt": scene.settings.dt,
        "seconds": scene.settings.seconds,
    }))
}
