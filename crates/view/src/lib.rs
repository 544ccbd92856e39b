//! `drystone view`: a web server on this machine that shows a session in a browser.
//!
//! Three kinds of threads: one owns the session and touches no socket, one accepts connections, and one per connection reads and
//! writes it. The newest frame waits in one slot per reader; a reader that is slow loses frames and delays nobody.
//! Routes and frames are those of `docs/view-inside.md`; what is refused, and why, is in [`guard`].
#![forbid(unsafe_code)]

mod answer;
mod connection;
pub mod guard;
pub mod head;
mod hub;
mod page;
mod server;
mod simulation;
mod token;

pub use server::{Options, Server};
