//! Finding a device.

use cubecl::prelude::*;

use crate::choice::{DeviceChoice, DeviceError};
use crate::gpu::Gpu;

/// A device of whichever interface was found.
#[derive(Clone, Debug)]
pub enum Device {
    /// An NVIDIA card.
    #[cfg(feature = "cuda")]
    Cuda(Gpu<cubecl::cuda::CudaRuntime>),
    /// A card or software driver behind Vulkan.
    #[cfg(feature = "wgpu")]
    Vulkan(Gpu<cubecl::wgpu::WgpuRuntime>),
}

/// Work that runs on any device.
pub trait Job {
    /// What it gives back.
    type Output;

    /// Does the work on `gpu`.
    fn run<R: Runtime>(self, gpu: &Gpu<R>) -> Self::Output;
}

impl Device {
    /// Runs a job on the device.
    pub fn run<J: Job>(&self, job: J) -> J::Output {
        match self {
            #[cfg(feature = "cuda")]
            Self::Cuda(gpu) => job.run(gpu),
            #[cfg(feature = "wgpu")]
            Self::Vulkan(gpu) => job.run(gpu),
        }
    }

    /// The device in words.
    pub fn name(&self) -> &str {
        match self {
            #[cfg(feature = "cuda")]
            Self::Cuda(gpu) => gpu.name(),
            #[cfg(feature = "wgpu")]
            Self::Vulkan(gpu) => gpu.name(),
        }
    }
}

/// Opens the device asked for. `Auto` tries CUDA, then Vulkan, and reports the last failure.
pub fn open(choice: DeviceChoice) -> Result<Device, DeviceError> {
    match choice {
        DeviceChoice::Cuda => open_cuda(),
        DeviceChoice::Vulkan => open_vulkan(),
        DeviceChoice::Auto => open_cuda().or_else(|cuda| match open_vulkan() {
            Err(DeviceError::NotBuilt { .. }) => Err(cuda),
            other => other,
        }),
    }
}

/// Opens the device that the environment variable `DRYSTONE_DEVICE` names, or the best there is. Tests
/// use this, so that they run on software Vulkan everywhere and on a card where one is wanted.
pub fn open_from_environment() -> Result<Device, DeviceError> {
    std::env::var("DRYSTONE_DEVICE").map_or(Ok(DeviceChoice::Auto), |name| name.parse()).and_then(open)
}

#[cfg(not(feature = "cuda"))]
fn open_cuda() -> Result<Device, DeviceError> {
    Err(DeviceError::NotBuilt { choice: DeviceChoice::Cuda, feature: "gpu" })
}

#[cfg(not(feature = "wgpu"))]
fn open_vulkan() -> Result<Device, DeviceError> {
    Err(DeviceError::NotBuilt { choice: DeviceChoice::Vulkan, feature: "gpu" })
}

#[cfg(feature = "cuda")]
fn open_cuda() -> Result<Device, DeviceError> {
    let (name, memory) = cuda::probe()?;
    let client = cubecl::cuda::CudaRuntime::client(&cubecl::cuda::CudaDevice::new(0));
    Ok(Device::Cuda(Gpu::new(client, name, memory)))
}

#[cfg(feature = "wgpu")]
fn open_vulkan() -> Result<Device, DeviceError> {
    let (adapter, name) = vulkan::probe()?;
    Ok(Device::Vulkan(Gpu::new(cubecl::wgpu::WgpuRuntime::client(&adapter), name, None)))
}

/// CubeCL panics in a thread of its own when part of CUDA is missing, so each part is looked for first.
#[cfg(feature = "cuda")]
mod cuda {
    use std::path::{Path, PathBuf};

    use cudarc::driver::result as driver;

    use crate::choice::{DeviceChoice, DeviceError};

    /// The card in words and its memory in bytes, if everything is there.
    pub fn probe() -> Result<(String, Option<u64>), DeviceError> {
        if !libraries_are_there() {
            return Err(missing("the libraries libcuda and libnvrtc are not both on the library path"));
        }
        driver::init().map_err(|error| missing(&format!("the driver does not start ({error})")))?;
        let count = driver::device::get_count().map_err(|error| missing(&error.to_string()))?;
        if count == 0 {
            return Err(missing("the driver sees no card"));
        }
        let header = include_folder().join("cuda_runtime.h");
        if !header.is_file() {
            return Err(missing(&format!("the header {} is not there", header.display())));
        }
        describe().map_err(|error| missing(&error.to_string()))
    }

    #[allow(unsafe_code)]
    fn describe() -> Result<(String, Option<u64>), cudarc::driver::DriverError> {
        let device = driver::device::get(0)?;
        let card = driver::device::get_name(device)?;
        // SAFETY: the function wants a device that `get` gave, and this is one.
        let memory = unsafe { driver::device::total_mem(device) };
        Ok((format!("CUDA, {card}"), memory.ok().map(|bytes| bytes as u64)))
    }

    #[allow(unsafe_code)]
    fn libraries_are_there() -> bool {
        // SAFETY: both functions only ask the dynamic loader whether it finds the library; they are
        // marked unsafe because loading runs the initialisers of a library the user installed.
        unsafe { cudarc::driver::sys::is_culib_present() && cudarc::nvrtc::sys::is_culib_present() }
    }

    /// Where the compiler of CUDA kernels looks for headers.
    fn include_folder() -> PathBuf {
        let root = std::env::var_os("CUDA_PATH").map_or_else(|| PathBuf::from("/usr/local/cuda"), PathBuf::from);
        Path::new(&root).join("include")
    }

    fn missing(reason: &str) -> DeviceError {
        DeviceError::NoDevice {
            choice: DeviceChoice::Cuda,
            reason: reason.to_owned(),
            hint: "install the NVIDIA driver and the CUDA toolkit, set CUDA_PATH to the toolkit and \
                   LD_LIBRARY_PATH to the folders of libcuda and libnvrtc"
                .to_owned(),
        }
    }
}

#[cfg(feature = "wgpu")]
mod vulkan {
    use cubecl::wgpu::{AutoGraphicsApi, GraphicsApi, WgpuDevice};
    use wgpu::DeviceType;

    use crate::choice::{DeviceChoice, DeviceError, INSTALL_HINT};

    /// The best adapter and its description.
    pub fn probe() -> Result<(WgpuDevice, String), DeviceError> {
        let backends = AutoGraphicsApi::backend().into();
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends,
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let adapters = cubecl::future::block_on(instance.enumerate_adapters(backends));
        let best = adapters.iter().map(wgpu::Adapter::get_info).min_by_key(|info| rank(info.device_type));
        let info = best.ok_or_else(|| DeviceError::NoDevice {
            choice: DeviceChoice::Vulkan,
            reason: "the Vulkan loader finds no driver".to_owned(),
            hint: INSTALL_HINT.to_owned(),
        })?;
        let device = match info.device_type {
            DeviceType::DiscreteGpu => WgpuDevice::DiscreteGpu(0),
            DeviceType::IntegratedGpu => WgpuDevice::IntegratedGpu(0),
            DeviceType::VirtualGpu => WgpuDevice::VirtualGpu(0),
            DeviceType::Cpu => WgpuDevice::Cpu,
            DeviceType::Other => WgpuDevice::DefaultDevice,
        };
        Ok((device, format!("{}, {} ({} {})", info.backend, info.name, info.driver, info.driver_info)))
    }

    /// Fast cards first, software last.
    fn rank(kind: DeviceType) -> u32 {
        match kind {
            DeviceType::DiscreteGpu => 0,
            DeviceType::IntegratedGpu => 1,
            DeviceType::VirtualGpu => 2,
            DeviceType::Other => 3,
            DeviceType::Cpu => 4,
        }
    }
}
