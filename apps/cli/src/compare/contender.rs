//! What takes part in a comparison: a solver with its options.

use drystone::solvers;
use drystone_device::DeviceChoice;

use crate::error::Failure;
use crate::gpu::check_gpu;
use crate::source::{Job, SolverOptions, check_iterations, set_iterations, solver_options};

/// Most runs of a comparison: as many as there are colours that everyone can tell apart.
const MOST: usize = 8;

/// A solver with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// As typed: `vbd@20:method=avbd`.
    pub label: String,
    /// Solver by name.
    pub solver: String,
    /// Its options.
    pub options: SolverOptions,
}

impl Contender {
    /// Every solver there is, as it is by default.
    pub fn all(job: &Job) -> Result<Vec<Self>, Failure> {
        solvers().iter().map(|entry| Self::parse(entry.name, job)).collect()
    }

    /// Reads a list such as `vbd@5,vbd@20,abd`.
    pub fn list(text: &str, job: &Job) -> Result<Vec<Self>, Failure> {
        let mut all: Vec<Self> = Vec::new();
        for label in text.split(',').map(str::trim) {
            if all.iter().any(|other| other.label == label) {
                return Err(Failure::new(format!("--solvers names `{label}` twice; keep one of the two")));
            }
            all.push(Self::parse(label, job)?);
        }
        if all.len() > MOST {
            return Err(Failure::new(format!("--solvers names {} runs; a page tells {MOST} apart", all.len())));
        }
        Ok(all)
    }

    /// Reads `SOLVER[@ITERATIONS][:KEY=VALUE]…`. Options that a scene file sets for its own solver hold for it here
    /// too.
    fn parse(label: &str, job: &Job) -> Result<Self, Failure> {
        let mut words = label.split(':');
        let head = words.next().unwrap_or_default();
        let given: Vec<String> = words.map(str::to_owned).collect();
        let (solver, iterations) = match head.split_once('@') {
            Some((solver, count)) => (solver, Some(count)),
            None => (head, None),
        };
        let Some(entry) = solvers().iter().find(|entry| entry.name == solver) else {
            let known: Vec<&str> = solvers().iter().map(|entry| entry.name).collect();
            let known = known.join(", ");
            return Err(Failure::new(format!("--solvers: there is no solver `{solver}`; the solvers are: {known}")));
        };
        let mut options = if solver == job.solver { job.options.clone() } else { SolverOptions::new() };
        options.extend(solver_options(&given)?);
        if let Some(count) = iterations {
            if entry.iterations.is_none() {
                return Err(Failure::new(format!(
                    "--solvers {label}: `{solver}` solves each step directly; leave `@{count}` out"
                )));
            }
            let count = count.parse().map_err(|_| {
                Failure::new(format!("--solvers {label}: `{count}` is no number of iterations, such as {solver}@20"))
            })?;
            set_iterations(solver, &mut options, count)?;
        }
        check_iterations(&options)?;
        Ok(Self { label: label.to_owned(), solver: solver.to_owned(), options })
    }

    /// The same on a GPU, if the solver has a backend there; one that names a device keeps it.
    pub fn on_gpu(mut self, device: DeviceChoice) -> Result<Self, Failure> {
        check_gpu(device, &self.solver)?;
        if !self.options.contains_key("device") {
            self.label = format!("{}:device={device}", self.label);
            self.options.insert("device".into(), device.to_string().into());
        }
        Ok(self)
    }

    /// The same with so many iterations; `None` if the solver has no such option.
    pub fn with_iterations(&self, count: u32) -> Option<Self> {
        let mut options = self.options.clone();
        set_iterations(&self.solver, &mut options, count).ok()?;
        Some(Self { label: format!("{}@{count}", self.solver), options, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::SceneOptions;
    use crate::source::scene_job;

    fn job() -> Job {
        scene_job(&SceneOptions { scene: "stack".into(), ..SceneOptions::default() }).unwrap()
    }

    #[test]
    fn a_list_is_read_with_iterations_and_options() {
        let list = Contender::list("vbd@5, vbd:method=avbd:alpha=0.5,abd@30,structured", &job()).unwrap();
        let options: Vec<String> = list.iter().map(|c| serde_json::to_string(&c.options).unwrap()).collect();
        assert_eq!(
            options,
            ["{\"iterations\":5}", "{\"alpha\":0.5,\"method\":\"avbd\"}", "{\"max_iterations\":30}", "{}"]
        );
        assert_eq!(list[0].with_iterations(7).unwrap().label, "vbd@7");
        assert_eq!(list[3].with_iterations(7), None);
    }

    #[test]
    fn slips_are_told() {
        let slips = [
            ("vdb", "the solvers are"),
            ("vbd@many", "no number"),
            ("vbd@0", "at least one"),
            ("vbd,vbd", "twice"),
            ("structured@5", "directly"),
            ("vbd:method", "key=value"),
            ("", "no solver"),
            ("vbd@1,vbd@2,vbd@3,vbd@4,vbd@5,vbd@6,vbd@7,vbd@8,vbd@9", "tells 8 apart"),
        ];
        for (text, says) in slips {
            let message = Contender::list(text, &job()).unwrap_err().to_string();
            assert!(message.contains(says), "{text}: {message}");
        }
    }
}
