//! Set-up and test commands of the project: `cargo xtask test`, `cargo xtask exports` and others.
//! Besides the standard library it uses `serde_json` only, so that it builds in seconds.
#![forbid(unsafe_code)]

mod book;
mod browser;
mod demo;
mod exports;
mod files;
mod fuzz;
mod golden;
mod instructions;
mod inverse;
mod links;
mod mujoco;
mod process;
mod python;
mod robots;
mod setup;
mod soak;
mod test;
mod trees;
mod view;
mod wasm;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
usage: cargo xtask COMMAND

  setup              install what the tests need beyond Cargo (the software Vulkan driver)
  test [ARGUMENTS]   set up, then run every test of the workspace; arguments go to the test runner
  book               build the documentation as a book into target/book and check every link (installs mdBook below target)
  browser [PAGE]…    open pages of `drystone compare` in Chromium and check them; makes two if none is named
  inverse [--write]  ask MuJoCo and Pinocchio from PyPI about mass matrices, inverse dynamics and Jacobians, and compare; --write keeps
                     their answers
  trees [BODIES]…    measure `structured` beside MuJoCo from PyPI on trees of 10 to 10,000 bodies
  mujoco [--write]   compare joint accelerations with MuJoCo from PyPI; --write replaces its kept answers
  robots [--write]   import the robot files of several packages from PyPI, count what is refused and compare with MuJoCo and
                     Pinocchio; --write replaces their kept answers
  python             build the Python package and test it with the oldest Python supported and the newest found
  instructions [--write]
                     count the instructions of the hot kernels with Valgrind and hold them to benches/instructions.txt
  demo [--check]     build the viewer without a server into target/demo: its page and the engine as WebAssembly; --check holds
                     ten scenes under four solvers to the bits of this machine and opens those of the book in Chromium
  exports            open what the command writes with NumPy, trimesh, OpenUSD, Pillow and jsonschema (needs python3)
  fuzz [TARGET]… [SECONDS]
                     throw damaged files at the readers, 600 seconds each unless told otherwise
  soak [FILE]… [OPTIONS]
                     run random scenes or scene files under every solver and judge them by what physics allows
                     (`cargo xtask soak --help`)
  golden [--write]   compare the bits every solver ends with to tests/golden/hashes.txt, in builds for tests and releases
  bundle [--write]   build the page of the viewer and compare it with web/dist; --write replaces that (installs Node and npm)
  view [NAME]…       test the viewer in Chromium, driven as by a user: all cases or those whose names contain a word
                     (installs chromium and chromium-driver); --pictures takes those of docs/images instead,
                     --measure [--card] counts frames, bytes and pictures of 10,000 to a million bodies, drawn by the
                     processor or by a graphics card, --stalled watches a minute with a
                     reader that does not read
  wasm [--release]   build for browsers, run under Node and compare the bits with those of this machine and the golden ones
                     (installs the compiler's target and Node)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, rest)) = arguments.split_first() else {
        eprintln!("{HELP}");
        return ExitCode::from(2);
    };
    let done = match command.as_str() {
        "setup" => {
            setup::setup();
            Ok(())
        }
        "test" => test::test(rest),
        "book" => book::book(),
        "browser" => browser::browser(rest),
        "inverse" => inverse::inverse(rest),
        "mujoco" => mujoco::mujoco(rest),
        "trees" => trees::trees(rest),
        "python" => python::test(),
        "robots" => robots::robots(rest),
        "instructions" => instructions::instructions(rest),
        "demo" => demo::demo(rest),
        "exports" => exports::exports(),
        "fuzz" => fuzz::fuzz(rest),
        "soak" => soak::soak(rest),
        "golden" => golden::golden(rest),
        "bundle" => web::bundle(rest),
        "view" => view::view(rest),
        "wasm" => wasm::wasm(rest),
        "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        unknown => Err(format!("there is no command `{unknown}`\n\n{HELP}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
