//! What there is to choose from.

use drystone_scenes::SCENES;
use drystone_scenes::params::Kind;
use serde_json::{Value, json};

/// Scenes of the library with their parameters, and solvers with the schemas of their options.
pub fn catalog() -> Value {
    let scenes: Vec<Value> = SCENES
        .iter()
        .map(|entry| {
            let parameters = entry.parameters.iter().map(|parameter| {
                let kind = match parameter.kind {
                    Kind::Count => "count",
                    Kind::Number => "number",
                    Kind::Flag => "flag",
                };
                json!({"name": parameter.name, "help": parameter.help, "kind": kind, "default": parameter.default,
                       "min": parameter.min, "max": parameter.max})
            });
            json!({"name": entry.name, "summary": entry.summary, "parameters": parameters.collect::<Vec<_>>()})
        })
        .collect();
    let solvers: Vec<Value> = drystone::solvers()
        .iter()
        .map(|entry| {
            json!({"name": entry.name, "summary": entry.summary, "iterations": entry.iterations,
                   "schema": entry.schema(), "defaults": entry.defaults()})
        })
        .collect();
    json!({"scenes": scenes, "solvers": solvers})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_and_solver_is_listed_with_what_can_be_set() {
        let catalog = catalog();
        assert_eq!(catalog["scenes"].as_array().unwrap().len(), SCENES.len());
        let pyramid = catalog["scenes"].as_array().unwrap().iter().find(|scene| scene["name"] == "pyramid").unwrap();
        assert_eq!(pyramid["parameters"][0]["kind"], "count");
        for solver in catalog["solvers"].as_array().unwrap() {
            assert!(solver["schema"]["properties"].as_object().is_some_and(|options| !options.is_empty()));
        }
    }
}
