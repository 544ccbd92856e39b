//! Memory of this process, where the system tells.

/// Bytes in memory now.
pub fn resident() -> Option<f64> {
    field("VmRSS:")
}

/// Most bytes that were in memory at once.
pub fn peak() -> Option<f64> {
    field("VmHWM:")
}

fn field(name: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024.0 * kibibytes)
}
