//! Who may ask.
//!
//! A page anywhere on the web can make a browser send requests to this machine. It cannot know the token, which stands in the fragment
//! of the address and is sent by our page alone, in a field that no other site may set. `Host` must name this machine: a foreign name that was
//! made to lead here (DNS rebinding) is refused. `Origin`, where a browser sends it, must be the very host that was asked.

use std::net::IpAddr;

use crate::head::{Head, Refused};
use crate::token::same;

/// What requests are held to.
#[derive(Clone, Debug)]
pub struct Guard {
    token: String,
    /// Whether addresses other than this machine's own may be asked.
    open: bool,
}

impl Guard {
    /// Asks for a token; `open` lets any address (not any name) stand for this machine.
    pub fn new(token: &str, open: bool) -> Self {
        Self { token: token.to_owned(), open }
    }

    /// Refuses hosts and origins that are not this server.
    pub fn check_place(&self, head: &Head) -> Result<(), Refused> {
        let host = head.host.as_deref().ok_or_else(|| Refused::new(400, "the request names no host"))?;
        if !self.is_here(host) {
            return Err(Refused::new(403, "this server answers to localhost, 127.0.0.1 and [::1] only"));
        }
        match &head.origin {
            Some(origin) if origin.strip_prefix("http://") != Some(host) => {
                Err(Refused::new(403, "requests of other pages are refused"))
            }
            _ => Ok(()),
        }
    }

    /// Refuses who does not know the token.
    pub fn check_token(&self, head: &Head) -> Result<(), Refused> {
        let given = head.authorization.as_deref().and_then(|value| value.strip_prefix("Bearer "));
        match given {
            Some(given) if same(given, &self.token) => Ok(()),
            _ => Err(Refused::new(401, "open the address that `drystone view` printed: its part after # is the key")),
        }
    }

    /// Whether a field `Host` names this machine, with any port: a tunnel may have another.
    fn is_here(&self, host: &str) -> bool {
        let (name, port) = match host.rfind(':').filter(|_| !host.ends_with(']')) {
            Some(at) => (&host[..at], Some(&host[at + 1..])),
            None => (host, None),
        };
        let port =
            port.is_none_or(|port| (1..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit()));
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let open = self.open && bare.parse::<IpAddr>().is_ok();
        port && (["localhost", "127.0.0.1", "[::1]"].contains(&name) || open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(host: &str, origin: Option<&str>) -> Head {
        Head { host: Some(host.into()), origin: origin.map(str::to_owned), ..Head::default() }
    }

    #[test]
    fn only_this_machine_is_here() {
        let guard = Guard::new("t", false);
        for host in ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]", "[::1]:65535"] {
            assert!(guard.check_place(&head(host, None)).is_ok(), "{host}");
            assert!(guard.check_place(&head(host, Some(&format!("http://{host}")))).is_ok(), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "127.evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "127.0.0.2",
            "0.0.0.0",
            "localhost:",
            "localhost:x",
            "localhost:123456",
            "::1",
            "192.168.0.1",
            "LOCALHOST@evil",
        ] {
            assert_eq!(guard.check_place(&head(host, None)).unwrap_err().status, 403, "{host}");
        }
        assert_eq!(guard.check_place(&Head::default()).unwrap_err().status, 400);
    }

    #[test]
    fn only_our_own_page_may_ask() {
        let guard = Guard::new("t", false);
        for origin in ["null", "http://evil.example", "https://localhost:80", "http://localhost", "http://127.0.0.1:80"]
        {
            let refused = guard.check_place(&head("localhost:80", Some(origin))).unwrap_err();
            assert_eq!(refused.status, 403, "{origin}");
        }
    }

    #[test]
    fn an_open_server_takes_addresses_but_no_names() {
        let guard = Guard::new("t", true);
        assert!(guard.check_place(&head("192.168.0.7:8000", None)).is_ok());
        assert!(guard.check_place(&head("[fe80::1]:8000", None)).is_ok());
        assert!(guard.check_place(&head("evil.example:8000", None)).is_err());
    }

    #[test]
    fn the_token_is_wanted_whole() {
        let guard = Guard::new("secret", false);
        let with = |value: &str| Head { authorization: Some(value.into()), ..Head::default() };
        assert!(guard.check_token(&with("Bearer secret")).is_ok());
        for value in
            ["", "secret", "Bearer", "Bearer ", "Bearer secre", "Bearer secrets", "bearer secret", "Basic secret"]
        {
            assert_eq!(guard.check_token(&with(value)).unwrap_err().status, 401, "{value}");
        }
        assert_eq!(guard.check_token(&Head::default()).unwrap_err().status, 401);
    }
}
