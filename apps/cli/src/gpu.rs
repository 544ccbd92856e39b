//! Which solvers run on a GPU, and what is said where none can.

use drystone_device::DeviceChoice;

use crate::error::Failure;

/// Whether this build has a GPU backend.
pub const HAS_GPU: bool = cfg!(any(feature = "cuda", feature = "vulkan"));

/// Whether a solver has a GPU backend.
pub fn runs_on_gpu(solver: &str) -> bool {
    solvers_on_gpu().any(|name| name == solver)
}

/// The solvers that have one. The last of them takes any scene.
pub fn solvers_on_gpu() -> impl DoubleEndedIterator<Item = &'static str> {
    drystone::solvers().iter().filter(|entry| entry.on_gpu).map(|entry| entry.name)
}

/// Refuses a device in a build without a GPU backend.
pub fn check_gpu_build(device: DeviceChoice) -> Result<(), Failure> {
    if HAS_GPU {
        return Ok(());
    }
    Err(Failure::new(format!(
        "--backend gpu --device {device}: this build has no GPU backend; build with \
         `cargo build --release -p drystone-cli --features gpu`, or leave the option out to run on the CPU"
    )))
}

/// Refuses a solver that has no GPU backend, or any in a build without one.
pub fn check_gpu(device: DeviceChoice, solver: &str) -> Result<(), Failure> {
    check_gpu_build(device)?;
    if runs_on_gpu(solver) {
        return Ok(());
    }
    let able: Vec<&str> = solvers_on_gpu().collect();
    Err(Failure::new(format!(
        "--backend gpu: the solver `{solver}` runs on the CPU only; on the GPU run: {}",
        able.join(", ")
    )))
}
