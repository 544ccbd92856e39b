//! Numbers as little-endian bytes.

use drystone::model::DVec3;

/// Bytes that numbers are appended to.
#[derive(Clone, Debug, Default)]
pub struct Pack {
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Pack {
    /// Appends a byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Appends two bytes.
    pub fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Appends four bytes.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Appends four bytes.
    pub fn i32(&mut self, value: i32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Appends a number at single precision.
    pub fn f32(&mut self, value: f64) {
        self.bytes.extend((value as f32).to_le_bytes());
    }

    /// Appends three numbers at single precision.
    pub fn vector(&mut self, value: DVec3) {
        value.to_array().into_iter().for_each(|value| self.f32(value));
    }

    /// Appends zeros up to a multiple of four bytes.
    pub fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}
