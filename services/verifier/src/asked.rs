//! Requests of a host about its matches: a line of JSON, and after it the bytes of a message.

use device::{Call, Device, Listing, New, Refusal, Thought};
use prost::Message;
use serde::Deserialize;
use serde_json::json;

/// What a host asks.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Asked {
    /// A call of the contract, with its message. Answers with a message.
    Call(Call),
    /// The next entries of a stream that a message of the contract began: those after a position,
    /// or as the message says. Answers with a line of JSON and a message.
    Watch { call: Call, after: Option<i32> },
    /// The legal actions on a table that a service told, the bytes. Answers with a message.
    List(Listing),
    /// Deals a match. Answers with its name.
    Deal(New),
    /// Takes up a match from its record, the bytes. Answers with its name.
    TakeUp,
    /// Lets the bots of a match act. Answers with `true` if one did.
    Think(Thought),
    /// The record of a match as a file.
    Record(String),
    /// The message that gives a match to a service.
    Give(String),
    /// Lets a match go.
    Drop(String),
}

/// Answers a request. A refusal is an error of the protocol Connect, in JSON.
pub(crate) fn answer(device: &mut Device, request: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
    let split = request.iter().position(|it| *it == b'\n').unwrap_or(request.len());
    let (head, bytes) = request.split_at(split);
    let bytes = bytes.get(1..).unwrap_or_default();
    let asked = serde_json::from_slice(head).map_err(|error| malformed(&error.to_string()))?;
    let answered = match asked {
        Asked::Call(call) => device.call(&call, bytes),
        Asked::Watch { call, after } => device.watch(&call, bytes, after).map(|it| {
            let head = json!({ "position": it.position, "ended": it.has_ended }).to_string();
            [head.as_bytes(), b"\n", &it.message].concat()
        }),
        Asked::List(listing) => listing.answer(bytes),
        Asked::Deal(new) => device.deal(new).map(String::into_bytes),
        Asked::TakeUp => {
            let record =
                std::str::from_utf8(bytes).map_err(|error| malformed(&error.to_string()))?;
            device.take_up(record).map(String::into_bytes)
        }
        Asked::Think(thought) => device.think(&thought).map(|it| it.to_string().into_bytes()),
        Asked::Record(name) => device.record(&name).map(String::into_bytes),
        Asked::Give(name) => device.give(&name).map(|it| it.encode_to_vec()),
        Asked::Drop(name) => device.drop_match(&name).map(|()| Vec::new()),
    };
    answered.map_err(|refusal| refusal.to_json())
}

fn malformed(reason: &str) -> Vec<u8> {
    Refusal::new("invalid_argument", "MALFORMED_MESSAGE", reason).to_json()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_a_line_and_bytes() {
        let mut device = Device::default();
        let deal = br#"{"deal":{"game":"mountebank",
            "seed":"0101010101010101010101010101010101010101010101010101010101010101",
            "seats":[{"display_name":"Ann"},{"bot":"random","display_name":"Bot 2"}],
            "now_ms":1796000000000}}"#;
        let deal: Vec<u8> = deal.iter().copied().filter(|it| *it != b'\n').collect();
        let name = answer(&mut device, &deal).expect("it is dealt");
        let name = String::from_utf8(name).expect("a name");
        assert!(name.starts_with("matches/"));
        let record = answer(&mut device, format!(r#"{{"record":"{name}"}}"#).as_bytes());
        let record = record.expect("it has a record");
        let mut again = Device::default();
        let taken = answer(&mut again, &[b"\"take_up\"\n", &record[..]].concat());
        assert_eq!(taken, Ok(name.into_bytes()));
        let refused = answer(&mut device, b"no JSON").expect_err("it is none");
        assert!(String::from_utf8(refused).is_ok_and(|it| it.contains("invalid_argument")));
    }
}
