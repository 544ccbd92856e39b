//! Every named scene, once, with its acceptance check.
#![forbid(unsafe_code)]
