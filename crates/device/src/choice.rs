//! Which device to run on, and why there may be none.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Which GPU interface to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceChoice {
    /// CUDA where there is an NVIDIA card, Vulkan otherwise.
    #[default]
    Auto,
    /// An NVIDIA card through CUDA.
    Cuda,
    /// Any card or a software driver through Vulkan.
    Vulkan,
}

impl FromStr for DeviceChoice {
    type Err = DeviceError;

    fn from_str(name: &str) -> Result<Self, DeviceError> {
        match name {
            "auto" => Ok(Self::Auto),
            "cuda" => Ok(Self::Cuda),
            "vulkan" => Ok(Self::Vulkan),
            _ => Err(DeviceError::UnknownName(name.to_owned())),
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Cuda => "cuda",
            Self::Vulkan => "vulkan",
        })
    }
}

/// How to get a device where there is none: Mesa's software driver runs everywhere.
pub const INSTALL_HINT: &str = "install a graphics driver, or Mesa's software one \
    (Debian, Ubuntu: `apt-get install mesa-vulkan-drivers libvulkan1`; Fedora: `dnf install mesa-vulkan-drivers`; \
    Arch: `pacman -S vulkan-swrast`; in a checkout of Drystone: `cargo xtask setup`)";

/// Why work could not be done on a device.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum DeviceError {
    /// No device interface has this name.
    #[error("there is no device `{0}`; the devices are: auto, cuda, vulkan")]
    UnknownName(String),
    /// This build leaves the interface out.
    #[error("this build has no `{choice}` devices; build with `--features {feature}`")]
    NotBuilt {
        /// What was asked for.
        choice: DeviceChoice,
        /// The cargo feature that brings it.
        feature: &'static str,
    },
    /// The machine has no such device, or its driver is missing.
    #[error("no GPU for `{choice}`: {reason}; {hint}")]
    NoDevice {
        /// What was asked for.
        choice: DeviceChoice,
        /// What was looked for and not found.
        reason: String,
        /// What to install.
        hint: String,
    },
    /// What is asked for does not fit its memory.
    #[error(
        "the GPU's memory is too small: {what} need {} GB{}, and it has {} GB",
        gigabytes(*needed),
        if *at_once { " in one piece" } else { "" },
        gigabytes(*available)
    )]
    OutOfMemory {
        /// What there are so many of.
        what: String,
        /// Bytes that they need.
        needed: u64,
        /// Bytes that there are.
        available: u64,
        /// Whether they are needed, and there, in one piece.
        at_once: bool,
    },
    /// The device gave up.
    #[error("the GPU failed: {0}")]
    Failed(String),
}

/// Bytes in gigabytes, with three digits.
fn gigabytes(bytes: u64) -> String {
    format!("{:.3}", bytes as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written_alike() {
        for choice in [DeviceChoice::Auto, DeviceChoice::Cuda, DeviceChoice::Vulkan] {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        let message = "metal".parse::<DeviceChoice>().unwrap_err().to_string();
        assert!(message.contains("`metal`") && message.contains("vulkan"), "{message}");
    }

    #[test]
    fn too_little_memory_is_said_with_the_figure_needed() {
        let what = || "7 pairs".to_owned();
        let error = DeviceError::OutOfMemory { what: what(), needed: 5_000_000_000, available: 1 << 30, at_once: true };
        let message = error.to_string();
        assert!(message.contains("7 pairs need 5.000 GB in one piece") && message.contains("1.074 GB"), "{message}");
        let error =
            DeviceError::OutOfMemory { what: what(), needed: 5_000_000_000, available: 1 << 30, at_once: false };
        assert!(error.to_string().contains("need 5.000 GB, and"), "{error}");
    }
}
