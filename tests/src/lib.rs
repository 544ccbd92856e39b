//! Behaviour, determinism and agreement tests live in `tests/tests`.
