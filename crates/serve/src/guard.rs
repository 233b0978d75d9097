//! The guard of the server: it refuses requests that name another host or come from another origin.
//!
//! A web page that is open in the same browser can send requests to this machine. If it changes its
//! own name's address (DNS rebinding), it can even read the answers. It cannot change
//! the `Host` and `Origin` that the browser sends.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The hosts that requests may name.
#[derive(Debug, Clone)]
pub struct Hosts {
    bound: SocketAddr,
    /// Further names, in lower case, with a port or for any.
    others: Vec<String>,
}

impl Hosts {
    /// Those of a server that listens there: `localhost`, the address itself, and, where it
    /// listens on all addresses, every address (but no name); besides, `others`, with or without
    /// a port.
    pub fn new(bound: SocketAddr, others: &[String]) -> Self {
        let others = others.iter().map(|other| other.to_ascii_lowercase());
        Self {
            bound,
            others: others.collect(),
        }
    }

    /// Whether a request may name this host (`name`, `name:port`, `[v6]:port`).
    pub fn allows(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let Some((name, port)) = split(&host) else {
            return false;
        };
        if self
            .others
            .iter()
            .any(|other| *other == host || *other == name)
        {
            return true;
        }
        if port.unwrap_or(80) != self.bound.port() {
            return false;
        }
        let Ok(address) = name.parse::<IpAddr>() else {
            return name == "localhost";
        };
        let bound = self.bound.ip();
        address == bound || bound.is_unspecified() || bound.is_loopback() && address.is_loopback()
    }

    /// Whether a request with these headers is our own page's, or no browser's: it names one of
    /// our hosts, and its origin, if it has one, is the same host.
    pub fn admits(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        let text = |name| {
            headers
                .get(name)
                .map(|value| value.to_str().unwrap_or_default())
        };
        let host = text(header::HOST).unwrap_or_default();
        if headers.get_all(header::HOST).iter().count() != 1 || !self.allows(host) {
            return Err("the request names another host");
        }
        let Some(origin) = text(header::ORIGIN) else {
            return Ok(());
        };
        let authority = origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"));
        if authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host)) {
            Ok(())
        } else {
            Err("the request comes from another origin")
        }
    }
}

/// Name (an address of version 6 without brackets) and port.
fn split(host: &str) -> Option<(&str, Option<u16>)> {
    if let Some(rest) = host.strip_prefix('[') {
        let (name, rest) = rest.split_once(']')?;
        let port = match rest.strip_prefix(':') {
            Some(port) => Some(port.parse().ok()?),
            None if rest.is_empty() => None,
            None => return None,
        };
        return Some((name, port));
    }
    match host.split_once(':') {
        Some((name, port)) => Some((name, Some(port.parse().ok()?))),
        None => Some((host, None)),
    }
}

/// Lets through what [`Hosts::admits`], and answers the rest with 403.
pub async fn guard(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    match hosts.admits(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(why) => {
            let text = format!(
                "Refused: {why}.\nOpen the address that `etalon serve` prints. For another name of \
                 this machine start it with --allow-host NAME.\n"
            );
            (StatusCode::FORBIDDEN, text).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(bound: &str) -> Hosts {
        Hosts::new(
            bound.parse().unwrap(),
            &["Lab.example".to_owned(), "two:9".to_owned()],
        )
    }

    #[test]
    fn loopback_allows_itself_and_no_name_of_the_web() {
        let hosts = hosts("127.0.0.1:7878");
        for host in [
            "127.0.0.1:7878",
            "localhost:7878",
            "LOCALHOST:7878",
            "[::1]:7878",
        ] {
            assert!(hosts.allows(host), "{host}");
        }
        for host in [
            "evil.example:7878",
            "127.0.0.1",
            "127.0.0.1:80",
            "192.168.0.2:7878",
            "localhost.evil.example:7878",
            "127.0.0.1:7878.evil.example",
            "[::1",
            "",
        ] {
            assert!(!hosts.allows(host), "{host}");
        }
    }

    #[test]
    fn all_addresses_are_numbers_and_names_are_asked_for() {
        let hosts = hosts("0.0.0.0:7878");
        assert!(hosts.allows("192.168.0.2:7878"));
        assert!(!hosts.allows("router.example:7878"));
        assert!(hosts.allows("lab.example"));
        assert!(hosts.allows("lab.example:443"));
        assert!(hosts.allows("two:9"));
        assert!(!hosts.allows("two:10"));
    }

    #[test]
    fn an_origin_must_be_the_host() {
        let hosts = hosts("127.0.0.1:7878");
        let asks = |origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, "127.0.0.1:7878".parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, origin.parse().unwrap());
            }
            hosts.admits(&headers).is_ok()
        };
        assert!(asks(None));
        assert!(asks(Some("http://127.0.0.1:7878")));
        for origin in [
            "http://localhost:7878",
            "null",
            "http://evil.example",
            "http://127.0.0.1:80",
        ] {
            assert!(!asks(Some(origin)), "{origin}");
        }
    }

    #[test]
    fn two_hosts_are_none() {
        let mut headers = HeaderMap::new();
        for host in ["127.0.0.1:7878", "evil.example"] {
            headers.append(header::HOST, host.parse().unwrap());
        }
        assert!(hosts("127.0.0.1:7878").admits(&headers).is_err());
        assert!(hosts("127.0.0.1:7878").admits(&HeaderMap::new()).is_err());
    }
}
