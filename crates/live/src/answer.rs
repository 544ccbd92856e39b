//! What a session answers.

use std::fmt::Display;

use serde_json::{Value, json};

/// What the bytes of an answer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// JSON text.
    Json,
    /// Lines of JSON.
    Lines,
    /// Numbers as the document lays them out, or a file.
    Bytes,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What it is.
    pub content: Content,
    /// The answer.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// An answer in JSON.
    pub fn json(value: &Value) -> Self {
        Self { content: Content::Json, bytes: value.to_string().into_bytes() }
    }

    /// An answer in numbers.
    pub fn bytes(bytes: Vec<u8>) -> Self {
        Self { content: Content::Bytes, bytes }
    }
}

/// Why a request was refused. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Status as of HTTP: 400 not understood, 404 not there, 409 not possible now.
    pub status: u16,
    /// What is wrong and the way out.
    pub text: String,
}

impl Refusal {
    /// The request makes no sense.
    pub fn bad(text: impl Display) -> Self {
        Self { status: 400, text: text.to_string() }
    }

    /// There is no such thing.
    pub fn missing(text: impl Display) -> Self {
        Self { status: 404, text: text.to_string() }
    }

    /// It cannot be done as things stand.
    pub fn conflict(text: impl Display) -> Self {
        Self { status: 409, text: text.to_string() }
    }

    /// As the body of an answer.
    pub fn to_json(&self) -> Value {
        json!({"error": self.text})
    }
}
