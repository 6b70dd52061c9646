//! The URL of an endpoint, checked without network access.

use std::fmt;
use std::net::IpAddr;

use http::Uri;
use url::{Host, Url};

use crate::is_public;

/// The maximum length of an endpoint's URL, which all servers and proxies accept.
pub const URL_BYTES_MAX: usize = 2048;

/// An endpoint whose URL is valid. Its name may still resolve to an address that may not be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    url: Url,
    uri: Uri,
}

/// Why messages cannot be sent to a URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    #[error("the URL has more than {URL_BYTES_MAX} bytes")]
    TooLong,
    #[error("the URL is malformed: {0}")]
    Malformed(String),
    #[error("the URL must begin with https://")]
    Scheme,
    #[error("the URL must not contain a user name or a password")]
    Credentials,
    #[error("the URL must not contain a fragment")]
    Fragment,
    #[error("the URL leads to an address that is not public: {0}")]
    Private(IpAddr),
}

impl Endpoint {
    /// `allow_private` is for installations with internal receivers: it allows all addresses, and
    /// `http`.
    pub fn parse(text: &str, allow_private: bool) -> Result<Endpoint, EndpointError> {
        if text.len() > URL_BYTES_MAX {
            return Err(EndpointError::TooLong);
        }
        let malformed = |error: &dyn fmt::Display| EndpointError::Malformed(error.to_string());
        // The parser removes some of them silently.
        if text.contains(|char: char| char.is_control() || char.is_whitespace()) {
            let rule = "it contains a space or a control character";
            return Err(EndpointError::Malformed(rule.to_owned()));
        }
        // The parser accepts addresses in every notation of a resolver: 2130706433, 0x7f.1.
        let url = Url::parse(text).map_err(|error| malformed(&error))?;
        match url.scheme() {
            "https" => {}
            "http" if allow_private => {}
            _ => return Err(EndpointError::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(EndpointError::Credentials);
        }
        if url.fragment().is_some() {
            return Err(EndpointError::Fragment);
        }
        let address = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            Some(Host::Domain(_)) => None,
            None => return Err(EndpointError::Malformed("it has no host".to_owned())),
        };
        if let Some(address) = address.filter(|&it| !allow_private && !is_public(it)) {
            return Err(EndpointError::Private(address));
        }
        let uri = url.as_str().parse::<Uri>().map_err(|error| malformed(&error))?;
        Ok(Endpoint { url, uri })
    }

    /// The URL in its normal form.
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// The scheme, the host and the port.
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    pub(crate) fn uri(&self) -> &Uri {
        &self.uri
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_https_without_credentials_and_not_inside() {
        let parse = |url: &str| Endpoint::parse(url, false);
        assert_eq!(
            parse("https://Example.com/hook?a=b").expect("fine").as_str(),
            "https://example.com/hook?a=b"
        );
        assert_eq!(parse("http://example.com/"), Err(EndpointError::Scheme));
        assert_eq!(parse("ftp://example.com/"), Err(EndpointError::Scheme));
        assert_eq!(parse("https://ann:secret@example.com/"), Err(EndpointError::Credentials));
        assert_eq!(parse("https://example.com/#part"), Err(EndpointError::Fragment));
        for url in [
            "",
            "example.com",
            "https://",
            "https://a b/",
            "https://example.com/\0",
            " https://example.com/",
            "https://exam\tple.com/",
            "https://exa mple.com",
            "https://[::1",
        ] {
            assert!(matches!(parse(url), Err(EndpointError::Malformed(_))), "{url}");
        }
        let long = format!("https://example.com/{}", "a".repeat(URL_BYTES_MAX));
        assert_eq!(parse(&long), Err(EndpointError::TooLong));
    }

    #[test]
    fn an_address_is_recognized_in_every_notation() {
        for host in [
            "127.0.0.1",
            "2130706433",
            "0x7f.1",
            "0177.0.0.1",
            "127.1",
            "0",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "169.254.169.254",
            "０x7f.1",
            "10.0.0.1.",
        ] {
            let found = Endpoint::parse(&format!("https://{host}/"), false);
            assert!(matches!(found, Err(EndpointError::Private(_))), "{host}: {found:?}");
            assert!(Endpoint::parse(&format!("http://{host}:8080/"), true).is_ok(), "{host}");
        }
    }
}
