//! What a log tells a player of a match under way, compared with what the player kept of the log.

use positions::Digest;
use serde::{Deserialize, Serialize};
use tlog::{Checkpoint, Note, Proof, Relation, Signed, VerifierKey, parse_hashes};

use crate::code::{Answer, Code, Problem};
use crate::creation::micros;
use crate::leaf::{Leaf, LeafKind, match_hash};
use crate::logged::{differs, leaf_of};
use crate::outcome::Finding;
use crate::text::{match_id, time, unhex};

/// What is told now, and what was kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Look {
    /// The verifier key of the log.
    pub log_key: String,
    /// What is told now: a `tlog-proof`, or a signed checkpoint.
    pub told: String,
    /// The last checkpoint that was kept of the log, a signed note.
    pub checkpoint: Option<String>,
    /// That the larger checkpoint continues the smaller one, as at `/log/consistency/`.
    pub consistency: Option<String>,
    /// The match that the proof is of.
    #[serde(rename = "match")]
    pub about: Option<AboutMatch>,
}

/// What somebody knows of a match. What is absent is not compared.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AboutMatch {
    /// As `matches/{match}`.
    pub name: String,
    /// In RFC 3339.
    pub create_time: Option<String>,
    pub seats: Option<usize>,
    /// In hexadecimal.
    pub seed_commitment: Option<String>,
    /// The position and the digest, in hexadecimal, of the last entry.
    pub end: Option<(i64, String)>,
}

/// What a look shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Looked {
    pub answer: Answer,
    pub findings: Vec<Finding>,
    /// The statements that contradict each other, as they were signed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// The checkpoint to keep: the newest that nothing contradicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<String>,
    /// The number of its leaves.
    pub size: u64,
    /// Where the leaf of the match is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// When the checkpoint that was told was signed, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
}

impl Look {
    /// The sizes between which [`Look::consistency`] is needed, the smaller one first; `None` if it
    /// is not.
    pub fn needed_consistency(&self) -> Option<(u64, u64)> {
        let size = |note: &str| Some(Checkpoint::parse(&Note::parse(note).ok()?.text)?.size);
        let told = Proof::parse(&self.told).map(|it| size(&it.note));
        let told = told.unwrap_or_else(|| size(&self.told))?;
        let kept = size(self.checkpoint.as_deref()?)?;
        (told != kept).then(|| (told.min(kept), told.max(kept)))
    }

    /// Fails if what was kept cannot be used.
    pub fn compare(&self) -> Result<Looked, String> {
        let key: VerifierKey = self.log_key.trim().parse()?;
        let kept = self.checkpoint.as_deref().map(|note| Signed::verify(note, &key)).transpose();
        let kept = kept.map_err(|error| format!("the checkpoint that was kept: {error}"))?;
        let mut looked = Looked {
            answer: Answer::Proven,
            findings: Vec::new(),
            evidence: Vec::new(),
            checkpoint: self.checkpoint.clone(),
            size: kept.as_ref().map_or(0, |it| it.checkpoint.size),
            index: None,
            time: None,
        };
        match self.told(&key) {
            Ok((signed, index)) => {
                looked.time = signed.time;
                looked.index = index;
                self.relate(&mut looked, kept.as_ref(), &signed);
            }
            Err(problem) => {
                looked.evidence = vec![self.told.clone()];
                self.find(&mut looked, problem);
            }
        }
        Ok(looked)
    }

    /// The checkpoint that is told, and where the leaf of the match is.
    fn told(&self, key: &VerifierKey) -> Result<(Signed, Option<u64>), Problem> {
        let Some(proof) = Proof::parse(&self.told) else {
            let signed = Signed::verify(&self.told, key).map_err(|error| {
                Code::LogProofInvalid.because(format!("the checkpoint does not hold: {error}"))
            })?;
            return Ok((signed, None));
        };
        let kind = Leaf::parse(&proof.leaf).map_or(LeafKind::Opened, |leaf| leaf.kind());
        let (leaf, signed) = leaf_of(kind, &proof, key)?;
        if let Some(about) = &self.about {
            about.compare(&leaf)?;
        }
        Ok((signed, Some(proof.index)))
    }

    /// Compares the checkpoint with the one that was kept, and says which of them to keep.
    fn relate(&self, looked: &mut Looked, kept: Option<&Signed>, told: &Signed) {
        let is_newer = kept.is_none_or(|kept| {
            let age = |it: &Signed| (it.checkpoint.size, it.time);
            age(told) >= age(kept)
        });
        if let Some(kept) = kept {
            let proof = self.consistency.as_deref().and_then(parse_hashes);
            let relation = told.relate(kept, proof.as_deref().unwrap_or_default());
            let (one, two) = (kept.checkpoint.size, told.checkpoint.size);
            let problem = match relation {
                Relation::Continued => None,
                Relation::TwoFaces => Some(Code::LogContradicts.because(format!(
                    "the log signed two checkpoints of {one} leaves with different hashes"
                ))),
                Relation::NotShown if proof.is_some() => {
                    Some(Code::LogContradicts.because(format!(
                        "the checkpoint of {two} leaves and the kept one of {one} are not of \
                             one history, by the proof that the service gives"
                    )))
                }
                Relation::NotShown => Some(Code::LogMissing.because(format!(
                    "the service does not show that its checkpoint of {two} leaves and the kept \
                     one of {one} are of one history"
                ))),
            };
            if let Some(problem) = problem {
                looked.evidence = vec![kept.note.to_string(), told.note.to_string()];
                return self.find(looked, problem);
            }
        }
        if is_newer {
            looked.checkpoint = Some(told.note.to_string());
            looked.size = told.checkpoint.size;
        }
    }

    fn find(&self, looked: &mut Looked, problem: Problem) {
        looked.answer = looked.answer.max(problem.code.answer());
        let name = self.about.as_ref().map(|it| it.name.clone()).unwrap_or_default();
        looked.findings.push(Finding { name, ..Finding::of(problem) });
    }
}

impl AboutMatch {
    fn compare(&self, leaf: &Leaf) -> Result<(), Problem> {
        if *leaf.match_hash() != match_hash(match_id(&self.name)?) {
            return Err(differs("the leaf is of another match"));
        }
        match leaf {
            Leaf::Opened(it) => {
                let create_time = self.create_time.as_deref().map(time).transpose()?;
                if create_time.is_some_and(|time| micros(time) != it.time_us) {
                    return Err(differs("the log has it as opened at another time"));
                }
                if self.seats.is_some_and(|seats| seats != it.players.len()) {
                    return Err(differs("the log has it with another number of seats"));
                }
                let commitment = self.seed_commitment.as_deref().map(unhex).transpose();
                if commitment.ok().flatten().is_some_and(|its| its != it.seed_commitment) {
                    return Err(differs("the log has another commitment to its seed"));
                }
            }
            Leaf::Closed(it) => {
                let Some((position, digest)) = &self.end else { return Ok(()) };
                let digest = unhex(digest).ok().and_then(|it| Digest::try_from(&it[..]).ok());
                let is_same = digest.is_some_and(|digest| *digest.as_bytes() == it.digest);
                if *position != it.position || !is_same {
                    return Err(differs("the log has another end of it"));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use rows::MatchId;
    use tlog::{Edge, Hash, SigningKey, format_hashes, leaf_hash};
    use uuid::Uuid;

    use super::*;
    use crate::leaf::Opened;

    const NAME: &str = "matches/00000000-0000-0000-0000-000000000007";

    pub(crate) fn key() -> SigningKey {
        SigningKey::new("log.example/a", &[7; 32]).expect("a name")
    }

    fn leaf() -> Vec<u8> {
        Leaf::Opened(Opened {
            match_hash: match_hash(MatchId(Uuid::from_u128(7))),
            time_us: 1_793_872_900_000_001,
            digest: [2; 32],
            seed_commitment: [3; 32],
            platform: None,
            players: vec![Some([4; 32]), None],
        })
        .bytes()
    }

    /// A checkpoint of a log that has these leaves.
    pub(crate) fn signed(leaves: &[Hash]) -> String {
        signed_at(leaves, 7)
    }

    /// The same, signed at this second.
    pub(crate) fn signed_at(leaves: &[Hash], time_s: u64) -> String {
        let mut edge = Edge::default();
        leaves.iter().for_each(|leaf| edge.push(*leaf));
        let (size, root) = (edge.size(), edge.root());
        let checkpoint = Checkpoint { origin: "log.example/a".into(), size, root };
        checkpoint.sign(&key(), time_s).to_string()
    }

    /// A proof of the leaf in a tree of two leaves, whose first leaf was in an earlier checkpoint.
    fn look() -> Look {
        let (first, second) = (leaf_hash(b"first"), leaf_hash(&leaf()));
        let note = signed(&[first, second]);
        let proof = Proof { leaf: leaf(), index: 1, hashes: vec![first], note };
        Look {
            log_key: key().verifier().to_string(),
            told: proof.to_string(),
            checkpoint: Some(signed(&[first])),
            consistency: Some(format_hashes(&[second])),
            about: Some(AboutMatch {
                name: NAME.to_owned(),
                create_time: Some("2026-11-05T10:01:40.000001Z".to_owned()),
                seats: Some(2),
                seed_commitment: Some("03".repeat(32)),
                end: None,
            }),
        }
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Look), expected: &[Code], evidence: usize) -> Looked {
        let mut it = look();
        change(&mut it);
        let looked = it.compare().expect("it can be used");
        let name = it.about.map(|it| it.name).unwrap_or_default();
        assert!(looked.findings.iter().all(|found| found.name == name));
        let codes: Vec<Code> = looked.findings.iter().map(|it| it.code).collect();
        assert_eq!((&codes[..], looked.evidence.len()), (expected, evidence), "{looked:?}");
        looked
    }

    #[test]
    fn what_continues_the_kept_checkpoint_is_kept_next() {
        let looked = check(|_| {}, &[], 0);
        assert_eq!((looked.answer, looked.size, looked.index), (Answer::Proven, 2, Some(1)));
        assert_eq!(look().needed_consistency(), Some((1, 2)));
        assert_eq!(looked.checkpoint, Some(Proof::parse(&look().told).expect("a proof").note));
        // An older one, as a cache may have it, is of the same history, and is not kept.
        let older = check(
            |it| {
                let told = Proof::parse(&it.told).expect("a proof").note;
                it.told = it.checkpoint.replace(told).expect("a checkpoint");
            },
            &[],
            0,
        );
        assert_eq!((older.size, older.checkpoint), (2, looked.checkpoint));
    }

    #[test]
    fn another_history_is_shown_by_two_signed_checkpoints() {
        let other = signed(&[leaf_hash(b"other")]);
        let looked = check(|it| it.checkpoint = Some(other), &[Code::LogContradicts], 2);
        assert_eq!((looked.answer, looked.size), (Answer::Wrong, 1));
        let faces = signed(&[leaf_hash(b"other"), leaf_hash(b"leaf")]);
        check(|it| it.checkpoint = Some(faces), &[Code::LogContradicts], 2);
        // Without a proof nothing is known.
        let looked = check(|it| it.consistency = None, &[Code::LogMissing], 2);
        assert_eq!((looked.answer, looked.size), (Answer::NotProven, 1));
    }

    #[test]
    fn a_leaf_that_is_not_the_creation_of_the_match_is_found() {
        let about = |change: fn(&mut AboutMatch)| {
            move |it: &mut Look| change(it.about.as_mut().expect("it has one"))
        };
        let differs = [Code::LogDiffers];
        check(about(|it| it.name = NAME.replace('7', "8")), &differs, 1);
        check(about(|it| it.seats = Some(3)), &differs, 1);
        check(about(|it| it.seed_commitment = Some("04".repeat(32))), &differs, 1);
        check(about(|it| it.create_time = Some("2026-11-05T10:01:40Z".into())), &differs, 1);
        let forged = |it: &mut Look| it.told = it.told.replace("index 1", "index 0");
        check(forged, &[Code::LogProofInvalid], 1);
        check(|it| it.told = "nothing".to_owned(), &[Code::LogProofInvalid], 1);
        let other = SigningKey::new("log.example/a", &[8; 32]).expect("a name").verifier();
        let mut look = look();
        look.log_key = other.to_string();
        assert!(look.compare().is_err(), "the kept checkpoint is of another key");
    }
}
