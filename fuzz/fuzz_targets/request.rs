//! Any bytes as the head of a request to the viewer: read, or refused with a status; and never past the guard without the token.
#![no_main]

use drystone_view::guard::Guard;
use drystone_view::head::{Head, MOST_HEAD, end_of_head};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let end = end_of_head(bytes).unwrap_or(bytes.len());
    match Head::parse(&bytes[..end]) {
        Ok(head) => {
            assert!(end <= MOST_HEAD && head.target.starts_with('/') && head.target.is_ascii());
            let guard = Guard::new("0123456789abcdef0123456789abcdef", false);
            if guard.check_place(&head).is_ok() {
                let host = head.host.clone().unwrap_or_default();
                assert!(["localhost", "127.0.0.1", "[::1]"].iter().any(|name| host.starts_with(name)));
            }
            if guard.check_token(&head).is_ok() {
                assert_eq!(head.authorization.as_deref(), Some("Bearer 0123456789abcdef0123456789abcdef"));
            }
        }
        Err(refused) => assert!((400..=505).contains(&refused.status) && !refused.text.is_empty()),
    }
});
