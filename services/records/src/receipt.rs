//! Compares kept receipts with the current record.

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use ed25519_dalek::{Signature, VerifyingKey};
use positions::{Digest, Recorded};
use rows::{MatchId, match_name};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use time::OffsetDateTime;
use tlog::Proof;

use crate::code::{Code, Problem, ensure};
use crate::leaf::{Leaf, match_hash};
use crate::text::{bytes, match_id, time};

/// The media type of a receipt's payload, in its header. Other tokens of the service have another.
const TYPE: &str = "croupier-receipt+jwt";

/// The public keys of an installation.
pub struct Keys(BTreeMap<String, VerifyingKey>);

/// A receipt whose signature was verified.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// Its source for messages, such as the name of its file.
    pub source: String,
    pub match_id: MatchId,
    pub position: i64,
    digest: Digest,
    create_time: OffsetDateTime,
    /// The term in which it was signed; `None` in receipts of the first builds.
    term: Option<i64>,
    /// That a transparency log has the match, as the answer with the receipt has them. They are not
    /// verified yet.
    pub proofs: Vec<Proof>,
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

/// How two receipts for an entry contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Differs {
    /// The service signed both, and cannot have recorded both.
    InOneTerm,
    InOtherTerms,
}

impl Differs {
    pub fn problem(self) -> Problem {
        match self {
            Differs::InOneTerm => Code::ReceiptsContradict.because(
                "the service signed two receipts for this entry, in one term, with different \
                 digests",
            ),
            Differs::InOtherTerms => Code::ReceiptTermsDiffer.because(
                "the service signed receipts for this entry with different digests, and not in one \
                 term: the record went back between them, or was changed",
            ),
        }
    }
}

/// The header of a signed token (JWS).
#[derive(Deserialize)]
struct JwsHeader {
    alg: String,
    typ: Option<String>,
    kid: Option<String>,
}

/// The algorithm of signatures, as a header names it: Ed25519.
const ALGORITHM: &str = "EdDSA";

/// The statement of a receipt.
#[derive(Deserialize)]
struct Statement {
    #[serde(rename = "match")]
    match_name: String,
    position: i64,
    digest: String,
    create_time: String,
    term: Option<i64>,
}

/// An answer of `GetReceipt`, or the receipt in it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    receipt: Option<Box<Answer>>,
    name: Option<String>,
    digest: Option<String>,
    jws: Option<String>,
    opened_proof: Option<String>,
    closed_proof: Option<String>,
}

impl Keys {
    /// Reads a JSON Web Key Set, as the service publishes it.
    pub fn parse(text: &str) -> Result<Keys, String> {
        let set: JwkSet = serde_json::from_str(text)
            .map_err(|error| format!("it is not a JSON Web Key Set: {error}"))?;
        let keys = set.keys.into_iter().filter(|key| (&*key.kty, &*key.crv) == ("OKP", "Ed25519"));
        let keys = keys.map(|key| {
            let bytes = BASE64_URL_SAFE_NO_PAD.decode(&key.x).ok();
            let bytes: Option<[u8; 32]> = bytes.and_then(|it| it.try_into().ok());
            let of_key = bytes.and_then(|it| VerifyingKey::from_bytes(&it).ok());
            of_key.map(|it| (key.kid, it)).ok_or_else(|| "one of its keys is invalid".to_owned())
        });
        let keys: BTreeMap<_, _> = keys.collect::<Result<_, _>>()?;
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
        let mut receipt = self.verify_jws(jws, source)?;
        if let Some(answer) = answer {
            receipt.agree(&answer)?;
            receipt.proofs = answer.proofs(receipt.match_id)?;
        }
        Ok(receipt)
    }

    fn verify_jws(&self, jws: &str, source: &str) -> Result<Receipt, String> {
        let not_one = |problem: &str| format!("it is not a receipt: {problem}");
        let (signed, signature) =
            jws.rsplit_once('.').ok_or_else(|| not_one("it has no signature"))?;
        let (header, payload) =
            signed.split_once('.').ok_or_else(|| not_one("it has no payload"))?;
        let header: JwsHeader = part(header).map_err(|error| not_one(&error))?;
        if header.typ.as_deref() != Some(TYPE) {
            return Err("it is another kind of token than a receipt".to_owned());
        }
        let kid = header.kid.unwrap_or_default();
        let key = self.0.get(&kid);
        let key = key.ok_or_else(|| format!("no published key has the id {kid:?}"))?;
        let invalid = |problem: &str| format!("its signature is not valid: {problem}");
        if header.alg != ALGORITHM {
            return Err(invalid("it is not an EdDSA signature"));
        }
        let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).ok();
        let signature = signature.and_then(|it| Signature::from_slice(&it).ok());
        let signature = signature.ok_or_else(|| invalid("it is not 64 bytes in base64url"))?;
        key.verify_strict(signed.as_bytes(), &signature)
            .map_err(|_| invalid("the key did not make it"))?;
        let Statement { match_name, position, digest, create_time, term } =
            part(payload).map_err(|error| not_one(&error))?;
        let receipt = |create_time| {
            let (match_id, digest) = (match_id(&match_name)?, bytes::<32>(&digest)?.into());
            let source = source.to_owned();
            let proofs = Vec::new();
            Ok(Receipt { source, match_id, position, digest, create_time, term, proofs })
        };
        time(&create_time).and_then(receipt).map_err(|problem: Problem| problem.reason)
    }
}

/// A part of a signed token: JSON in base64url.
fn part<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let bytes =
        BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| "it is not base64url".to_owned())?;
    serde_json::from_slice(&bytes).map_err(|error| error.to_string())
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

    fn proofs(&self, id: MatchId) -> Result<Vec<Proof>, String> {
        let texts = [&self.opened_proof, &self.closed_proof].into_iter().flatten();
        let proofs = texts.filter(|it| !it.is_empty()).map(|it| {
            let proof = Proof::parse(it).ok_or("its proof of the log cannot be read")?;
            let is_of_other = |leaf: Leaf| *leaf.match_hash() != match_hash(id);
            match Leaf::parse(&proof.leaf).is_some_and(is_of_other) {
                true => Err("its proof of the log is of another match".to_owned()),
                false => Ok(proof),
            }
        });
        proofs.collect()
    }
}

impl Receipt {
    /// Fields beside the signed statement must not differ from it.
    fn agree(&self, answer: &Answer) -> Result<(), String> {
        let name = format!("{}/entries/{}/receipt", match_name(self.match_id), self.position);
        if answer.name.as_ref().is_some_and(|it| *it != name) {
            return Err("it is named after another entry than the one that was signed".to_owned());
        }
        let digest = BASE64_STANDARD.encode(self.digest.as_bytes());
        if answer.digest.as_ref().is_some_and(|it| *it != digest) {
            return Err("its digest is another one than what was signed".to_owned());
        }
        Ok(())
    }

    /// Whether another receipt for the same entry has another digest, and whether both were signed
    /// in one term: in another one the record may have gone back between them.
    pub(crate) fn differs(&self, other: &Receipt) -> Option<Differs> {
        let is_same_term = self.term.is_some() && self.term == other.term;
        let differs = if is_same_term { Differs::InOneTerm } else { Differs::InOtherTerms };
        (self.digest != other.digest).then_some(differs)
    }

    /// Checks that an entry at its position is the one for which it was issued.
    pub(crate) fn compare(
        &self,
        recorded: &Recorded,
        digest: Option<Digest>,
    ) -> Result<(), Problem> {
        let differs = |reason: &str| Code::ReceiptDiffers.because(reason);
        let digest = digest.ok_or_else(|| differs("the record has no digest for this entry"))?;
        ensure(digest == self.digest, Code::ReceiptDiffers, || {
            format!(
                "the record was changed after the receipt was issued: the digest of this entry was \
                 {} and is {digest} now",
                self.digest
            )
        })?;
        ensure(recorded.create_time == self.create_time, Code::ReceiptDiffers, || {
            "the receipt tells another time for this entry than the record".to_owned()
        })
    }

    /// Why it contradicts a record of `entries` entries, none of which is at its position.
    pub(crate) fn beyond(&self, entries: i64) -> Problem {
        Code::ReceiptBeyondEnd.because(format!(
            "the record was cut short after the receipt was issued: it has {entries} entries, and \
             the receipt is for entry {}",
            self.position
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::Known;
    use crate::outcome::{Finding, Tally};

    const MATCH: &str = "matches/00000000-0000-0000-0000-000000000007";

    fn receipt(source: &str, digest: u8, term: Option<i64>) -> Receipt {
        Receipt {
            source: source.to_owned(),
            match_id: match_id(MATCH).expect("it is valid"),
            position: 3,
            digest: [digest; 32].into(),
            create_time: OffsetDateTime::UNIX_EPOCH,
            term,
            proofs: Vec::new(),
        }
    }

    #[test]
    fn of_receipts_that_contradict_each_other_the_later_one_is_named() {
        let found = |receipts: Vec<Receipt>| {
            let mut tally = Tally::default();
            tally.compare_receipts(&Known::new(receipts, BTreeMap::new()));
            let found = tally.wrong.into_iter().chain(tally.unproven);
            let named = |it: Finding| {
                assert_eq!((&*it.name, it.position), (MATCH, Some(3)));
                (it.receipt.unwrap_or_default(), it.code)
            };
            found.map(named).collect::<Vec<_>>()
        };
        let first = || receipt("first", 1, Some(1));
        assert_eq!(found(vec![first(), receipt("again", 1, Some(2))]), []);
        let in_one_term = ("second".to_owned(), Code::ReceiptsContradict);
        assert_eq!(found(vec![first(), receipt("second", 2, Some(1))]), [in_one_term]);
        let in_another = || ("second".to_owned(), Code::ReceiptTermsDiffer);
        assert_eq!(found(vec![first(), receipt("second", 2, Some(2))]), [in_another()]);
        // Receipts of the first builds do not say their term.
        let unknown = vec![receipt("first", 1, None), receipt("second", 2, None)];
        assert_eq!(found(unknown), [in_another()]);
        // What was signed in one term says more.
        let third = receipt("third", 3, Some(2));
        let in_one_term = ("third".to_owned(), Code::ReceiptsContradict);
        assert_eq!(found(vec![first(), receipt("second", 2, Some(2)), third]), [in_one_term]);
    }
}
