//! The viewer's session behind functions that a page calls, without further glue.
//!
//! Bytes go in and out through two buffers. The page asks for `room`, writes what it has to say there and calls a function; what the
//! function answers lies at `out`, `out_length` bytes of it, until the next call. Numbers returned by `open`, `command` and `get` are
//! those of HTTP: 200, or why not. Nothing is imported: the page gives the time that passes.
//!
//! `docs/view-inside.md` lists the functions.

mod demo;

use std::cell::RefCell;

use demo::Demo;

thread_local! {
    static DEMO: RefCell<Demo> = RefCell::new(Demo::default());
}

fn with<T>(act: impl FnOnce(&mut Demo) -> T) -> T {
    DEMO.with_borrow_mut(act)
}

/// Room for so many bytes that the page writes, and where it is.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|panic| {
        // The page reads it after the trap.
        DEMO.with(|demo| {
            if let Ok(mut demo) = demo.try_borrow_mut() {
                demo.out = panic.to_string().into_bytes();
            }
        });
    }));
    with(|demo| demo.room(length).as_mut_ptr())
}

/// Begins a scene: `{"scene", "parameters"?, "solver"?, "options"?}`.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> u32 {
    with(Demo::open)
}

/// Does a command, as `POST /command` does.
#[unsafe(no_mangle)]
pub extern "C" fn command() -> u32 {
    with(Demo::command)
}

/// Answers a path, as `GET` does.
#[unsafe(no_mangle)]
pub extern "C" fn get() -> u32 {
    with(Demo::get)
}

/// Lets seconds pass; 1 if another step is due already.
#[unsafe(no_mangle)]
pub extern "C" fn pass(seconds: f64) -> u32 {
    with(|demo| demo.pass(seconds))
}

/// Lays out the frame of now; how many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn frame() -> usize {
    with(|demo| demo.show(|session| session.frame()))
}

/// Lays out the report of now as a frame; how many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn report() -> usize {
    with(|demo| demo.show(|session| session.report_frame()))
}

/// Lays out a frame that says that the scene has changed; how many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn scene_changed() -> usize {
    with(|demo| demo.show(|session| session.scene_frame()))
}

/// Counts everything that changes what is shown.
#[unsafe(no_mangle)]
pub extern "C" fn changes() -> f64 {
    with(|demo| demo.number(|session| session.changes() as f64))
}

/// Changes with what there is to draw.
#[unsafe(no_mangle)]
pub extern "C" fn generation() -> u32 {
    with(|demo| demo.number(|session| f64::from(session.generation())) as u32)
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn out() -> *const u8 {
    with(|demo| demo.out.as_ptr())
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn out_length() -> usize {
    with(|demo| demo.out.len())
}
