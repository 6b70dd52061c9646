//! Receipts that somebody kept, against the record as it is now.

use std::collections::HashMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use store::{Digest, MatchId, Recorded};
use time::OffsetDateTime;

use crate::read::{bytes, match_id, time};

/// The media type of a receipt's payload, in its header. Other tokens of the service have another.
const TYPE: &str = "croupier-receipt+jwt";

/// The public keys of an installation.
pub struct Keys(HashMap<String, DecodingKey>);

/// A receipt whose signature was verified.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// What the person calls it, such as the name of its file.
    pub source: String,
    pub match_id: MatchId,
    pub position: i64,
    digest: Digest,
    create_time: OffsetDateTime,
}

#[derive(Deserialize)]
struct JwkSet {
    keys: Vec<Jwk>,
}

#[derive(Deserialize)]
struct Jwk {
    kty: String,
    crv: String,
    kid: String,
    x: String,
}

/// What a receipt states.
#[derive(Deserialize)]
struct Statement {
    #[serde(rename = "match")]
    match_name: String,
    position: i64,
    digest: String,
    create_time: String,
}

/// An answer of `GetReceipt`, or the receipt in it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    receipt: Option<Box<Answer>>,
    name: Option<String>,
    digest: Option<String>,
    jws: Option<String>,
}

impl Keys {
    /// Reads a JSON Web Key Set, as the service publishes it.
    pub fn parse(text: &str) -> Result<Keys, String> {
        let set: JwkSet = serde_json::from_str(text)
            .map_err(|error| format!("it is not a JSON Web Key Set: {error}"))?;
        let keys = set.keys.into_iter().filter(|key| (&*key.kty, &*key.crv) == ("OKP", "Ed25519"));
        let keys = keys.map(|key| {
            let of_key = DecodingKey::from_ed_components(&key.x);
            of_key.map(|it| (key.kid, it)).map_err(|_| "one of its keys is invalid".to_owned())
        });
        let keys: HashMap<_, _> = keys.collect::<Result<_, _>>()?;
        if keys.is_empty() {
            return Err("it has no Ed25519 key".to_owned());
        }
        Ok(Keys(keys))
    }

    /// Verifies the signature of a receipt: an answer of `GetReceipt` as JSON, or the bare JWS.
    pub fn verify(&self, text: &str, source: &str) -> Result<Receipt, String> {
        let text = text.trim();
        let answer = text.starts_with('{').then(|| Answer::parse(text)).transpose()?;
        let jws = match &answer {
            Some(answer) => answer.jws.as_deref().ok_or("it has no field `jws`")?,
            None => text,
        };
        let receipt = self.verify_jws(jws, source)?;
        if let Some(answer) = answer {
            receipt.agree(&answer)?;
        }
        Ok(receipt)
    }

    fn verify_jws(&self, jws: &str, source: &str) -> Result<Receipt, String> {
        let header = jsonwebtoken::decode_header(jws);
        let header = header.map_err(|error| format!("it is not a receipt: {error}"))?;
        if header.typ.as_deref() != Some(TYPE) {
            return Err("it is another kind of token than a receipt".to_owned());
        }
        let kid = header.kid.unwrap_or_default();
        let key = self.0.get(&kid);
        let key = key.ok_or_else(|| format!("no published key has the id {kid:?}"))?;
        let mut rules = Validation::new(Algorithm::EdDSA);
        rules.required_spec_claims.clear();
        rules.validate_exp = false;
        let signed = jsonwebtoken::decode::<Statement>(jws, key, &rules)
            .map_err(|error| format!("its signature is not valid: {error}"))?;
        let Statement { match_name, position, digest, create_time } = signed.claims;
        Ok(Receipt {
            source: source.to_owned(),
            match_id: match_id(&match_name)?,
            position,
            digest: bytes::<32>(&digest)?.into(),
            create_time: time(&create_time)?,
        })
    }
}

impl Answer {
    fn parse(text: &str) -> Result<Answer, String> {
        let answer: Answer = serde_json::from_str(text)
            .map_err(|error| format!("it is not an answer of GetReceipt: {error}"))?;
        Ok(match answer.receipt {
            Some(receipt) => *receipt,
            None => answer,
        })
    }
}

impl Receipt {
    /// What is said beside the signed statement must not differ from it.
    fn agree(&self, answer: &Answer) -> Result<(), String> {
        let name = format!("{}/entries/{}/receipt", self.match_id.name(), self.position);
        if answer.name.as_ref().is_some_and(|it| *it != name) {
            return Err("it is named after another entry than the one that was signed".to_owned());
        }
        let digest = BASE64_STANDARD.encode(self.digest.as_bytes());
        if answer.digest.as_ref().is_some_and(|it| *it != digest) {
            return Err("its digest is another one than what was signed".to_owned());
        }
        Ok(())
    }

    /// Whether an entry at its position is the one that it was issued for, or why not.
    pub(crate) fn compare(
        &self,
        recorded: &Recorded,
        digest: Option<Digest>,
    ) -> Result<(), String> {
        let Some(digest) = digest else {
            return Err("the record has no digest for this entry".to_owned());
        };
        if digest != self.digest {
            return Err(format!(
                "the record was changed after the receipt was issued: the digest of this entry was \
                 {} and is {digest} now",
                self.digest
            ));
        }
        if recorded.create_time != self.create_time {
            return Err("the receipt tells another time for this entry than the record".to_owned());
        }
        Ok(())
    }

    /// Why it contradicts a record with so many entries, none of which is at its position.
    pub(crate) fn beyond(&self, entries: i64) -> String {
        format!(
            "the record was cut short after the receipt was issued: it has {entries} entries, and \
             the receipt is for entry {}",
            self.position
        )
    }
}
