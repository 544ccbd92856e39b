//! Options of solvers: bad ones are refused in words that name them, and none is lost.

use drystone::prelude::*;
use drystone::{make_solver, solvers};
use serde_json::{Value, json};

/// Numbers outside the range of every numeric option of every solver.
const BAD: &[(&str, &[(&str, &[f64])])] = &[
    (
        "vbd",
        &[
            ("iterations", &[0.0, -1.0, 1.5]),
            ("tolerance", &[-1e-9]),
            ("newton_steps", &[0.0, -1.0]),
            ("substeps", &[-1.0, 0.5]),
            ("startup_passes", &[-1.0, 0.5]),
            ("momentum_repair", &[1.0]),
            ("avbd.alpha", &[-0.1, 1.1]),
            ("avbd.joint_alpha", &[-0.1, 1.1]),
            ("avbd.contact_alpha", &[-0.1, 1.1]),
            ("particles.sweeps", &[0.0, -1.0]),
            ("particles.cycles", &[0.0, -1.0]),
            ("particles.friction", &[-0.1]),
            ("particles.chebyshev", &[-0.1, 1.0]),
            ("avbd.beta_linear", &[-1.0]),
            ("avbd.beta_angular", &[-1.0]),
            ("avbd.gamma", &[-0.1, 1.1]),
            ("avbd.contact_k_start", &[-1.0, 1e13]),
            ("avbd.joint_k_start_linear", &[-1.0, 1e13]),
            ("avbd.joint_k_start_angular", &[-1.0, 1e13]),
            ("avbd.k_max", &[0.0, -1.0]),
            ("device", &[1.0]),
        ],
    ),
    (
        "abd",
        &[
            ("contact_distance", &[0.0, -1.0]),
            ("relative_distance", &[0.0, -1.0]),
            ("min_separation", &[-1e-9]),
            ("barrier_stiffness", &[0.0, -1.0]),
            ("stiffness", &[0.0, -1.0]),
            ("friction_velocity", &[0.0, -1.0]),
            ("friction_passes", &[0.0, -1.0]),
            ("tolerance", &[0.0, -1.0]),
            ("max_iterations", &[0.0, -1.0]),
            ("segments", &[2.0, -1.0]),
            ("particle_friction", &[-0.1]),
        ],
    ),
    (
        "structured",
        &[
            ("tolerance", &[0.0, -1.0]),
            ("velocity_tolerance", &[0.0, -1.0]),
            ("max_iterations", &[0.0, -1.0]),
            ("max_projections", &[0.0, -1.0]),
            ("min_pieces", &[0.0, -1.0]),
            ("max_pieces", &[0.0, -1.0]),
            ("dense_rows", &[-1.0, 0.5]),
            ("baumgarte_frequency", &[0.0, -1.0]),
            ("contact_tolerance", &[-1e-9]),
            ("friction_passes", &[0.0, -1.0]),
            ("friction_tolerance", &[-1e-9]),
        ],
    ),
    (
        "jacobi",
        &[
            ("iterations", &[0.0, -1.0]),
            ("substeps", &[-1.0, 0.5]),
            ("relaxation", &[0.0, -1.0]),
            ("condition", &[1.0, -1.0]),
            ("warm_start", &[-0.1, 1.1]),
            ("correction", &[-0.1, 1.1]),
            ("projection_iterations", &[-1.0, 0.5]),
            ("device", &[1.0]),
        ],
    ),
];

/// The defaults of every option of a solver.
fn defaults(solver: &str) -> Value {
    let options = match solver {
        "vbd" => serde_json::to_value(drystone_vbd::VbdOptions::default()),
        "abd" => serde_json::to_value(drystone_abd::AbdOptions::default()),
        "structured" => serde_json::to_value(drystone_structured::StructuredOptions::default()),
        "jacobi" => serde_json::to_value(drystone_jacobi::JacobiOptions::default()),
        _ => panic!("the options of `{solver}` are not listed here"),
    };
    options.unwrap()
}

/// Every option by its path, with its default.
fn leaves(options: &Value, path: &str, found: &mut Vec<(String, Value)>) {
    match options.as_object() {
        Some(group) => {
            for (key, value) in group {
                leaves(value, &if path.is_empty() { key.clone() } else { format!("{path}.{key}") }, found);
            }
        }
        None => found.push((path.to_owned(), options.clone())),
    }
}

fn refusal(solver: &str, path: &str, value: Value) -> String {
    let options = path.rsplit('.').fold(value, |inner, key| json!({ key: inner }));
    let model = ModelBuilder::new().finalize().unwrap();
    match make_solver(solver, &model, options.clone()) {
        Ok(_) => panic!("{solver} takes {options}"),
        Err(error) => error.to_string(),
    }
}

/// A whole number as users write it, so that it is read as one.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

#[test]
fn every_option_refuses_what_is_outside_its_range_and_says_so() {
    for entry in solvers() {
        let (_, bad) = BAD.iter().find(|(name, _)| *name == entry.name).expect("a list for every solver");
        let mut options = Vec::new();
        leaves(&defaults(entry.name), "", &mut options);
        for (path, default) in options {
            let said = refusal(entry.name, &path, json!("nonsense"));
            assert!(said.contains(&format!("`{path}`")) && said.contains("nonsense"), "{said}");
            if default.is_string() || default.is_boolean() {
                continue;
            }
            let (_, values) = bad.iter().find(|(name, _)| **name == path).expect(&path);
            for &value in *values {
                let said = refusal(entry.name, &path, number(value));
                let named = said.contains(&format!("`{path}`")) && said.contains(entry.name);
                let explained = said.contains("must be") || said.contains("expected");
                let valued = said.contains(&value.to_string()) || said.contains(&number(value).to_string());
                assert!(named && explained && valued, "{path} = {value}: {said}");
            }
        }
    }
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    let model = ModelBuilder::new().finalize().unwrap();
    for value in [f64::NAN, f64::INFINITY] {
        let vbd = drystone_vbd::VbdOptions { tolerance: value, ..Default::default() };
        let abd = drystone_abd::AbdOptions { tolerance: Some(value), ..Default::default() };
        let structured = drystone_structured::StructuredOptions { tolerance: value, ..Default::default() };
        let jacobi = drystone_jacobi::JacobiOptions { condition: Some(value), ..Default::default() };
        let said = [
            drystone_vbd::Vbd::new(&model, vbd).err(),
            drystone_abd::Abd::new(&model, abd).err(),
            drystone_structured::Structured::new(&model, structured).err(),
            drystone_jacobi::Jacobi::new(&model, jacobi).err(),
        ];
        assert!(said.iter().flatten().all(|error| error.to_string().contains("finite")), "{said:?}");
        assert_eq!(said.iter().flatten().count(), 4);
    }
}

/// A start stiffness above the largest used to panic in the first step.
#[test]
fn a_start_stiffness_above_the_largest_is_refused() {
    let model = ModelBuilder::new().finalize().unwrap();
    let options = json!({"method": "avbd", "avbd": {"joint_k_start_linear": 1e6, "k_max": 1e5}});
    let said = make_solver("vbd", &model, options).err().unwrap().to_string();
    assert!(said.contains("`avbd.joint_k_start_linear`") && said.contains("at most 100000"), "{said}");
}

#[test]
fn options_hold_whenever_they_are_given() {
    let iterations = |builder: drystone::SimulationBuilder| {
        let mut sim = builder.build().unwrap();
        sim.step().unwrap().iterations
    };
    let falling = || {
        let mut scene = ModelBuilder::new();
        scene.add_body(BodyDef::dynamic("ball").sphere(0.1));
        Simulation::builder(scene.finalize().unwrap())
    };
    let jacobi = |builder: drystone::SimulationBuilder| builder.solver("jacobi");
    let chosen = |builder: drystone::SimulationBuilder| builder.option("iterations", 3).option("substeps", 1);
    assert_eq!(iterations(chosen(jacobi(falling()))), 3);
    assert_eq!(iterations(jacobi(chosen(falling()))), 3);
    let model = falling().build().unwrap().model().clone();
    let made = || make_solver("vbd", &model, json!({"iterations": 3})).unwrap();
    for builder in
        [falling().with_solver(made()).option("iterations", 5), falling().option("iterations", 5).with_solver(made())]
    {
        let said = builder.build().err().unwrap().to_string();
        assert!(said.contains("`iterations`") && said.contains("`vbd`"), "{said}");
    }
}
