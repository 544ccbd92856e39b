//! What the tests need beyond Cargo. Nothing here is fatal: without the driver everything that
//! needs no GPU still runs, and the reader is told what is missing and how to get it.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::{find_program, run, succeeds};

/// Mesa's software Vulkan driver (a GPU for machines without one) and the loader that finds it.
const PACKAGES: [&str; 2] = ["mesa-vulkan-drivers", "libvulkan1"];
/// Where Vulkan drivers announce themselves.
const DRIVER_FOLDERS: [&str; 2] = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"];

/// Installs the software Vulkan driver if it is missing and can be had.
pub fn setup() {
    if software_vulkan_is_there() {
        println!("xtask: software Vulkan driver found");
        return;
    }
    match install(&PACKAGES) {
        Ok(()) => println!("xtask: software Vulkan driver installed"),
        Err(reason) => println!(
            "xtask: software Vulkan driver not installed: {reason}. Tests on the CPU need no driver; \
             for those on the GPU install it by hand (Debian, Ubuntu: `apt-get install {}`; \
             Fedora: `dnf install mesa-vulkan-drivers`; Arch: `pacman -S vulkan-swrast`)",
            PACKAGES.join(" ")
        ),
    }
}

/// Mesa calls its software driver lavapipe, `lvp` for short.
fn software_vulkan_is_there() -> bool {
    DRIVER_FOLDERS.iter().any(|folder| {
        let Ok(entries) = Path::new(folder).read_dir() else { return false };
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("lvp_icd"))
    })
}

/// Installs packages of the system where that is possible without asking.
pub fn install(packages: &[&str]) -> Result<(), String> {
    if find_program("apt-get").is_none() {
        return Err("this machine has no apt-get".into());
    }
    let privilege = Privilege::find().ok_or("neither root nor sudo without a password")?;
    run(&mut privilege.apt(&["update", "-qq"]))?;
    let mut words = vec!["install", "-y", "-qq", "--no-install-recommends"];
    words.extend(packages);
    run(&mut privilege.apt(&words))
}

/// How packages may be installed.
#[derive(Clone, Copy)]
enum Privilege {
    Root,
    Sudo,
}

impl Privilege {
    fn find() -> Option<Self> {
        let id = Command::new("id").arg("-u").output().ok()?;
        if id.stdout.trim_ascii() == b"0" {
            return Some(Self::Root);
        }
        succeeds(Command::new("sudo").args(["-n", "true"])).then_some(Self::Sudo)
    }

    fn apt(self, words: &[&str]) -> Command {
        let mut command = match self {
            Self::Root => Command::new("env"),
            Self::Sudo => {
                let mut sudo = Command::new("sudo");
                sudo.args(["-n", "env"]);
                sudo
            }
        };
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(words).stdin(Stdio::null());
        command
    }
}
