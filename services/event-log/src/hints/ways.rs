//! The ways to exchange hints, as an operator configures them.

use std::str::FromStr;

use super::servers::{Servers, WaysError};

/// The ways to send and receive hints. Without any, processes only poll.
#[derive(Clone, Debug)]
pub struct Options {
    /// By NOTIFY on the database.
    pub notify: bool,
    pub nats: Option<Servers>,
}

impl Default for Options {
    fn default() -> Self {
        Self { notify: true, nats: None }
    }
}

impl FromStr for Options {
    type Err = WaysError;

    /// Parses ways that are separated by commas. All URLs are servers of one NATS cluster.
    fn from_str(ways: &str) -> Result<Self, WaysError> {
        let (notify, urls): (Vec<&str>, Vec<&str>) =
            ways.split(',').map(str::trim).partition(|way| *way == "notify");
        let nats = if urls.is_empty() { None } else { Some(Servers::parse(&urls)?) };
        Ok(Self { notify: !notify.is_empty(), nats })
    }
}

impl Options {
    pub fn none() -> Self {
        Self { notify: false, nats: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_named_by_commas() {
        let parse = |ways: &str| ways.parse::<Options>();
        let both = parse("notify, nats://ann:a%2Cb@one,tls://ann:a%2Cb@two:7").expect("they are");
        assert!(both.notify);
        assert_eq!(format!("{:?}", both.nats), "Some(nats://one:4222, tls://two:7)");
        assert!(parse("notify").expect("it is").nats.is_none());
        assert!(!parse("nats://one").expect("it is").notify);
        assert_eq!(parse("").err(), Some(WaysError::Form));
        assert_eq!(parse("nats://one,two").err(), Some(WaysError::Form));
        assert_eq!(parse("ws://one").err(), Some(WaysError::Form));
        assert_eq!(parse("nats://a:b@one,nats://a:c@two").err(), Some(WaysError::Credentials));
        let Err(invalid) = parse("nats://ann:secret@one:port") else {
            panic!("the port is no number")
        };
        assert!(!invalid.to_string().contains("secret"), "{invalid}");
    }
}
