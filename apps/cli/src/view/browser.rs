//! Opening a browser, where there is one.

use std::process::{Command, Stdio};

/// Programs that open an address with what the user has chosen for it.
const OPENERS: &[(&str, &[&str])] = if cfg!(target_os = "macos") {
    &[("open", &[])]
} else if cfg!(windows) {
    &[("rundll32", &["url.dll,FileProtocolHandler"])]
} else {
    &[("xdg-open", &[]), ("wslview", &[]), ("gio", &["open"])]
};

/// Opens an address; whether a program for it was found.
pub fn open(address: &str) -> bool {
    // Without a display nothing can be opened, and some openers would start a browser of text in this terminal.
    let no_display = cfg!(target_os = "linux")
        && ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].iter().all(|name| std::env::var_os(name).is_none());
    !no_display
        && OPENERS.iter().any(|(program, first)| {
            let mut command = Command::new(program);
            command.args(*first).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().is_ok()
        })
}
