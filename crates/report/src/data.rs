//! Bytes as text, for pages that hold their pictures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Bytes as an address that needs no file.
pub fn data_uri(media_type: &str, bytes: &[u8]) -> String {
    format!("data:{media_type};base64,{}", STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::data_uri;

    #[test]
    fn addresses_hold_what_they_say() {
        assert_eq!(data_uri("image/png", b"Many"), "data:image/png;base64,TWFueQ==");
        assert_eq!(data_uri("text/plain", &[0xfb, 0xff, 0xfe]), "data:text/plain;base64,+//+");
    }
}
