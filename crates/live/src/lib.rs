//! A simulation to watch and to take a hand in.
//!
//! A [`Session`] owns a [`drystone::Simulation`] or a recording. It takes commands as JSON, keeps a log of those that change the
//! motion, goes back to any step exactly, and says what there is to draw as bytes. It knows no sockets, threads or clocks:
//! `drystone view` puts it behind a web server, the demo page runs it as WebAssembly. `docs/view-inside.md` is the protocol.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod act;
mod answer;
mod body;
mod catalog;
mod command;
mod figures;
mod film;
mod frame;
mod groups;
mod history;
mod limits;
mod log;
mod meter;
mod moment;
mod numbers;
mod pack;
mod pick;
mod record;
mod report;
mod run;
mod saves;
mod scene;
mod series;
mod session;
mod soft_hold;
mod spring;
mod stage;
mod start;

pub use answer::{Answer, Content, Refusal};
pub use catalog::catalog;
pub use command::{Command, Show};
pub use frame::{HEAD_BYTES, Kind, frame_of, kind_of, step_of, with_dropped};
pub use limits::Limits;
pub use log::{Log, LogError, Repeat};
pub use session::Session;
pub use start::{Motion, Source, Start};
