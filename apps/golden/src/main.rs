//! Prints the rows of golden hashes. Compiled to WebAssembly it hands them, and a panic's words, to whoever loaded it:
//! `xtask/src/wasm.js` is such a loader.

fn main() {
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    std::panic::set_hook(Box::new(|panic| say(&format!("{panic}"))));
    drystone_golden::run(None, say);
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
fn say(line: &str) {
    println!("{line}");
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
use host::say;

/// What the loader gives.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod host {
    mod import {
        #[link(wasm_import_module = "host")]
        unsafe extern "C" {
            /// Takes a line of text: where it begins in memory, and how many bytes it has.
            pub fn say(start: *const u8, length: usize);
        }
    }

    pub fn say(line: &str) {
        // SAFETY: the loader reads `length` bytes of UTF-8 from `start` before it returns, and keeps neither.
        unsafe { import::say(line.as_ptr(), line.len()) }
    }
}
