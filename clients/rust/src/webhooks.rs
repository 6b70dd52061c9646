//! Messages that the service sends to an endpoint of the platform's own.

use contract::descriptors;
use contract::v1::WebhookMessage;
use http::HeaderMap;
use prost::Message;
use prost_reflect::{DeserializeOptions, DynamicMessage};
use standardwebhooks::Webhook;

/// Fields of later releases are ignored.
const READ: DeserializeOptions = DeserializeOptions::new().deny_unknown_fields(false);

/// A message was not signed by the service with this secret, or it is too old. Answer it with the
/// status 400, and drop it.
#[derive(Debug, thiserror::Error)]
pub enum Forged {
    /// Somebody else sent it, or somebody sent it again later.
    #[error("the message is not signed with this secret: {0}")]
    Signature(#[from] standardwebhooks::WebhookError),
    /// It was signed, but is no message.
    #[error("the body is not a message of a webhook: {0}")]
    Body(#[from] serde_json::Error),
}

/// What a message tells, once its signature is verified.
///
/// `secret` is that of the subscription, `headers` and `body` are those of the request, the body
/// exactly as it was received. Of a `type` that is not known here, take the message and ignore it.
pub fn read_message(
    secret: &str,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<WebhookMessage, Forged> {
    Webhook::new(secret)?.verify(body, headers)?;
    let descriptor = descriptors().get_message_by_name("croupier.v1.WebhookMessage");
    let descriptor = descriptor.expect("the contract describes the messages it generates");
    let mut text = serde_json::Deserializer::from_slice(body);
    let message = DynamicMessage::deserialize_with_options(descriptor, &mut text, &READ)?;
    let message = WebhookMessage::decode(&message.encode_to_vec()[..]);
    Ok(message.expect("a message is decoded by its descriptor"))
}

#[cfg(test)]
mod tests {
    use std::time::{SystemTime, UNIX_EPOCH};

    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    #[expect(clippy::disallowed_methods, reason = "a receiver has no other clock")]
    fn headers(body: &str) -> HeaderMap {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_secs();
        let webhook = Webhook::new(SECRET).expect("a secret");
        let signed = webhook.sign("msg_1", now as i64, body.as_bytes()).expect("a signature");
        let mut headers = HeaderMap::new();
        let all = [("id", "msg_1"), ("timestamp", &now.to_string()), ("signature", &signed)];
        for (name, value) in all {
            let name: http::HeaderName = format!("webhook-{name}").parse().expect("a name");
            headers.insert(name, value.parse().expect("a value"));
        }
        headers
    }

    #[test]
    fn a_message_is_read_if_its_signature_is_right() {
        let body = r#"{"type":"entries","later":1,"data":{"subscription":"subscriptions/a",
            "entries":[{"game":"games/rigs","entry":{"position":3,"verb":"open"}}]}}"#;
        let read = read_message(SECRET, &headers(body), body.as_bytes()).expect("a message");
        let data = read.data.expect("data");
        let entry = data.entries[0].entry.as_ref().expect("an entry");
        assert_eq!((&*read.r#type, entry.position, &*entry.verb), ("entries", 3, "open"));
        let altered = body.replace("open", "fold");
        let refused = read_message(SECRET, &headers(body), altered.as_bytes());
        assert!(matches!(refused, Err(Forged::Signature(_))));
    }
}
