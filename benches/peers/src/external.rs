//! An engine in another process, driven by `tools/peers/drive.py`: a byte goes out, a step comes back.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use drystone::geometry::{DQuat, DVec3, Pose};
use drystone::model::{State, Twist};
use drystone_scenes::Scene;

use crate::clock::Lap;
use crate::config::Config;
use crate::describe::describe;
use crate::engine::{Engine, Fault};

/// Libraries that would start threads of their own.
const THREAD_COUNTS: [&str; 4] = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"];
/// Numbers per body: position, turn, two velocities.
const WIDTH: usize = 13;
/// Numbers per particle: position and velocity.
const PARTICLE: usize = 6;

/// A running engine.
pub struct External {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    file: PathBuf,
    version: String,
    bytes: Vec<u8>,
    lap: Lap,
    bodies: usize,
    particles: usize,
}

impl External {
    /// Starts the engine and waits until it has built the scene.
    pub fn start(engine: &str, config: &Config, scene: &Scene, python: &Path) -> Result<Self, Fault> {
        if config.threads != 1 {
            return Err(format!("{engine} runs on one thread here").into());
        }
        let file = std::env::temp_dir().join(format!("drystone-peers-{}-{engine}.json", std::process::id()));
        fs::write(&file, serde_json::to_vec(&describe(scene)?)?)?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/peers/drive.py");
        let mut command = Command::new(python);
        // MuJoCo leaves a log where it runs.
        command.current_dir(std::env::temp_dir());
        command.arg(script).arg(engine).arg(&file).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.envs(THREAD_COUNTS.map(|name| (name, config.threads.to_string())));
        command.args(config.substeps.map(|count| format!("substeps={count}")));
        command.args(config.iterations.map(|count| format!("iterations={count}")));
        let mut child = command.spawn().map_err(|error| format!("{} did not start: {error}", python.display()))?;
        let (orders, answers) = (child.stdin.take(), child.stdout.take().ok_or("the engine has no output")?);
        let (bodies, particles) = (scene.model.body_count(), scene.model.particle_count());
        let mut this = Self {
            child,
            orders,
            answers: BufReader::new(answers),
            file,
            version: String::new(),
            bytes: vec![0; 8 * (2 + WIDTH * bodies + PARTICLE * particles)],
            lap: Lap::NEVER,
            bodies,
            particles,
        };
        this.greet(engine)?;
        Ok(this)
    }

    fn greet(&mut self, engine: &str) -> Result<(), Fault> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let greeting: serde_json::Value = serde_json::from_str(&line)
            .map_err(|_| format!("{engine} could not build the scene; see its message above"))?;
        self.version = greeting["version"].as_str().unwrap_or("unknown").to_owned();
        Ok(())
    }

    fn number(&self, index: usize) -> f64 {
        let mut eight = [0; 8];
        eight.copy_from_slice(&self.bytes[8 * index..8 * (index + 1)]);
        f64::from_le_bytes(eight)
    }
}

impl Engine for External {
    fn step(&mut self) -> Result<(), Fault> {
        let orders = self.orders.as_mut().ok_or("the engine takes no orders")?;
        orders.write_all(b"s")?;
        orders.flush()?;
        self.answers.read_exact(&mut self.bytes).map_err(|_| "the engine broke off; see its message above")?;
        self.lap = Lap { wall: self.number(0), cpu: self.number(1) };
        Ok(())
    }

    fn read(&self, state: &mut State) -> Result<(), Fault> {
        for body in 0..self.bodies {
            let at = |index: usize| self.number(2 + WIDTH * body + index);
            let vector = |index: usize| DVec3::new(at(index), at(index + 1), at(index + 2));
            let turn = DQuat::from_xyzw(at(3), at(4), at(5), at(6)).normalize();
            state.body_q[body] = Pose::from_parts(vector(0), turn);
            state.body_qd[body] = Twist { linear: vector(7), angular: vector(10) };
        }
        for particle in 0..self.particles {
            let at = |index: usize| self.number(2 + WIDTH * self.bodies + PARTICLE * particle + index);
            state.particle_q[particle] = DVec3::new(at(0), at(1), at(2));
            state.particle_qd[particle] = DVec3::new(at(3), at(4), at(5));
        }
        Ok(())
    }

    fn lap(&self) -> Option<Lap> {
        Some(self.lap)
    }

    fn version(&self) -> Option<String> {
        Some(self.version.clone())
    }
}

impl Drop for External {
    fn drop(&mut self) {
        // Without orders the driver ends; one that hangs is ended.
        drop(self.orders.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.file);
    }
}
