//! How a scene is meant to be run: checked with the rest of the file, so that a slip is shown in its place.

use drystone_geometry::DVec3;
use drystone_model::{ModelBuilder, nearest};

use super::super::error::SceneFault;
use super::super::json5::Step;
use super::Lowering;

impl Lowering<'_> {
    pub fn check_settings(&mut self) {
        let settings = &self.spec.settings;
        for (key, value) in [("dt", settings.dt), ("seconds", settings.seconds)] {
            if let Some(value) = value.filter(|&value| !(value > 0.0 && value.is_finite())) {
                self.fault(&at(key), format!("{value} is not a positive time"), "give seconds, such as 0.01");
            }
        }
        if settings.iterations == Some(0) {
            self.fault(&at("iterations"), "a solver needs at least one iteration", "give 1 or more");
        }
        // Options of a solver that could not be read are not held against another one.
        if !self.tree.get("settings").is_some_and(|settings| self.lost.lacks(settings, "solver")) {
            self.check_solver(settings.solver.as_deref().unwrap_or(drystone::DEFAULT_SOLVER));
        }
        self.check_camera();
    }

    fn check_solver(&mut self, solver: &str) {
        let Some(entry) = drystone::solvers().iter().find(|entry| entry.name == solver) else {
            let known = || drystone::solvers().iter().map(|entry| entry.name);
            let help = match nearest(solver, known()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("use one of {}", known().collect::<Vec<_>>().join(", ")),
            };
            return self.fault(&at("solver"), format!("there is no solver `{solver}`"), help);
        };
        if self.spec.settings.iterations.is_some() && entry.iterations.is_none() {
            let message = format!("the solver `{solver}` has no number of iterations to set");
            self.fault(&at("iterations"), message, "remove it");
        }
        self.check_solver_options(solver);
    }

    /// Tries every option by itself on an empty model.
    fn check_solver_options(&mut self, solver: &str) {
        let Ok(empty) = ModelBuilder::new().finalize() else { return };
        for (key, value) in &self.spec.settings.options {
            let options = serde_json::Map::from_iter([(key.clone(), value.into())]);
            if let Err(error) = drystone::make_solver(solver, &empty, options.into()) {
                let span = self.tree.nearest(&[Step::Key("settings"), Step::Key("options"), Step::Key(key)]).span;
                let help = format!("the documentation of `{solver}` lists its options");
                self.faults.push(SceneFault::new(error.to_string(), help).at(span));
            }
        }
    }

    fn check_camera(&mut self) {
        let Some(camera) = self.spec.settings.camera else { return };
        let (eye, target) = (DVec3::from_array(camera.eye), DVec3::from_array(camera.target));
        if !(eye.is_finite() && target.is_finite() && eye.distance(target) > 0.0) {
            let help = "give two different points in metres";
            self.fault(&at("camera"), "the eye has no direction to look in", help);
        }
        if let Some(angle) = camera.fov_degrees.filter(|&angle| !(angle > 0.0 && angle < 180.0)) {
            let path = [Step::Key("settings"), Step::Key("camera"), Step::Key("fov_degrees")];
            self.fault(&path, format!("{angle}° is no angle of view"), "give degrees between 0 and 180, such as 30");
        }
    }
}

fn at(key: &'static str) -> [Step<'static>; 2] {
    [Step::Key("settings"), Step::Key(key)]
}
