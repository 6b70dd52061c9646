//! Keeping what a service signed about matches while they are played: the last receipt of each, the
//! proofs that its transparency log has them, and the newest checkpoint of that log. What is told
//! later is compared with it.
//!
//! Nothing is written anywhere: a program that restarts stores the fields of a [`Keeper`] itself.

use std::collections::BTreeMap;
use std::time::Duration;

use contract::v1::{Match, Receipt};
use records::{AboutMatch, Answer, Code, Finding, Keys, Known, Look, Looked, Problem, Tally};
use tlog::{Signed, Succession, VerifierKey};
use tokio::time::{Instant, sleep};

use crate::croupier::Croupier;
use crate::refusal::Refusal;
use crate::verify::{VerifyError, fetch_keys};

/// How often a proof is asked for that is not there yet.
const PROOF_PAUSE: Duration = Duration::from_millis(250);

/// What was kept of a service.
#[derive(Clone, Debug, Default)]
pub struct Keeper {
    /// The verifier key of its log. If it is empty, the key that the service names first is
    /// believed, and kept.
    pub log_key: String,
    /// The newest checkpoint of the log, a signed note; empty before the first.
    pub checkpoint: String,
    /// The matches, by name.
    pub matches: BTreeMap<String, KeptMatch>,
}

/// What was kept of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptMatch {
    /// The last receipt, as it was signed; empty before the first.
    pub receipt: String,
    /// The proof that the log has its opening, a file for `croupier verify --log`.
    pub opened_proof: String,
    /// The proof that the log has its end.
    pub closed_proof: String,
    /// Whether the proof of the opening was there when [`Keeper::await_opening`] returned, which is
    /// called before contributing to the chance of the match.
    pub came_first: bool,
}

/// That the service contradicts itself, or a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What it is.
    pub finding: Finding,
    /// What the service signed and cannot have signed honestly, for anyone to verify.
    pub evidence: Vec<String>,
}

impl Keeper {
    /// Waits until the log has the opening of a match, and keeps the proof. Call it before
    /// contributing to the chance of the match: the order is proven to whoever has the proof from
    /// before. Returns at once if the service has no log, and after `wait` at the latest.
    pub async fn await_opening(
        &mut self,
        croupier: &Croupier,
        its: &Match,
        wait: Duration,
    ) -> Result<Vec<Complaint>, VerifyError> {
        let deadline = Instant::now() + wait;
        let path = format!("/log/proof/opened/{}", its.name.trim_start_matches("matches/"));
        while self.knows_log(croupier).await? {
            if let Some(proof) = text(croupier, &path).await? {
                let complaints = self.compare_proof(croupier, its, &proof).await?;
                let kept = self.matches.entry(its.name.clone()).or_default();
                if complaints.is_empty() && !kept.came_first {
                    (kept.came_first, kept.opened_proof) = (true, proof);
                }
                return Ok(complaints);
            }
            if Instant::now() >= deadline {
                break;
            }
            sleep(PROOF_PAUSE).await;
        }
        Ok(Vec::new())
    }

    /// Gets a receipt for the last entry of a match, with the proofs of the log, compares them with
    /// what was kept, and keeps them. A match that is not dealt yet has no receipt.
    pub async fn look(
        &mut self,
        croupier: &Croupier,
        its: &Match,
    ) -> Result<Vec<Complaint>, VerifyError> {
        if its.position == 0 {
            return Ok(Vec::new());
        }
        let receipt = croupier.match_named(&its.name).receipt(its.position).await?;
        let keys = fetch_keys(croupier).await?;
        let mut complaints = self.compare_receipt(&keys, its, &receipt);
        if self.knows_log(croupier).await? {
            for proof in [&receipt.opened_proof, &receipt.closed_proof] {
                if !proof.is_empty() {
                    complaints.extend(self.compare_proof(croupier, its, proof).await?);
                }
            }
        }
        let kept = self.matches.entry(its.name.clone()).or_default();
        if complaints.is_empty() {
            kept.receipt = receipt.jws;
            // The proof from before a contribution is worth more than a later one.
            if !kept.came_first {
                kept.opened_proof = receipt.opened_proof;
            }
            kept.closed_proof = receipt.closed_proof;
        }
        Ok(complaints)
    }

    fn compare_receipt(&self, keys: &Keys, its: &Match, receipt: &Receipt) -> Vec<Complaint> {
        let kept = self.matches.get(&its.name).map_or("", |it| &it.receipt);
        let (mut receipts, mut tally) = (Vec::new(), Tally::default());
        for (jws, source) in [(kept, "the receipt that was kept"), (&receipt.jws, "the receipt")] {
            match keys.verify(jws, source) {
                Ok(receipt) => receipts.push(receipt),
                Err(_) if jws.is_empty() => {}
                Err(reason) => {
                    let finding = Finding::of_source(source, Code::ReceiptInvalid, reason);
                    tally.list(&[finding]);
                }
            }
        }
        tally.compare_receipts(&Known::new(receipts, BTreeMap::new()));
        let evidence = || [kept.to_owned(), receipt.jws.clone()].into();
        let found = tally.wrong.into_iter().chain(tally.unproven);
        found.map(|finding| Complaint { finding, evidence: evidence() }).collect()
    }

    /// Whether the service has a log, whose key is kept.
    async fn knows_log(&mut self, croupier: &Croupier) -> Result<bool, Refusal> {
        if self.log_key.is_empty() {
            let key = text(croupier, "/log/key").await?;
            self.log_key = key.unwrap_or_default().trim().to_owned();
        }
        Ok(!self.log_key.is_empty())
    }

    async fn compare_proof(
        &mut self,
        croupier: &Croupier,
        its: &Match,
        proof: &str,
    ) -> Result<Vec<Complaint>, VerifyError> {
        let mut complaints = self.follow(croupier).await?;
        let mut look = Look {
            log_key: self.log_key.clone(),
            told: proof.to_owned(),
            checkpoint: Some(self.checkpoint.clone()).filter(|it| !it.is_empty()),
            consistency: None,
            about: Some(AboutMatch {
                name: its.name.clone(),
                seats: Some(its.seats.len()),
                seed_commitment: Some(its.seed_commitment.clone()),
                ..AboutMatch::default()
            }),
        };
        if let Some((old, size)) = look.needed_consistency() {
            look.consistency = text(croupier, &format!("/log/consistency/{old}/{size}")).await?;
        }
        let Looked { findings, evidence, checkpoint, .. } =
            look.compare().map_err(VerifyError::Kept)?;
        self.checkpoint = checkpoint.unwrap_or_default();
        // That the service shows no proof, such as under load, is no contradiction.
        let found = findings.into_iter().filter(|it| it.code.answer() == Answer::Wrong);
        complaints.extend(found.map(|it| Complaint { finding: it, evidence: evidence.clone() }));
        Ok(complaints)
    }

    /// Follows the log to the one that is served now, if their keys say so.
    async fn follow(&mut self, croupier: &Croupier) -> Result<Vec<Complaint>, VerifyError> {
        let served = text(croupier, "/log/key").await?.unwrap_or_default();
        if served.trim() == self.log_key || served.trim().is_empty() {
            return Ok(Vec::new());
        }
        let key: VerifierKey = self.log_key.parse().map_err(VerifyError::Kept)?;
        let statements = text(croupier, "/log/successions").await?.unwrap_or_default();
        let followed = Succession::follow(&key, &statements);
        let Some((end, statement)) = followed.first() else { return Ok(Vec::new()) };
        if !followed.iter().any(|(it, _)| it.next.to_string() == served.trim()) {
            return Ok(Vec::new());
        }
        let kept = Signed::verify(&self.checkpoint, &key).ok().map(|it| it.checkpoint);
        let is_other = kept.is_some_and(|kept| {
            kept.size > end.last.size || (kept.size == end.last.size && kept.root != end.last.root)
        });
        let evidence = vec![std::mem::take(&mut self.checkpoint), statement.clone()];
        self.log_key = served.trim().to_owned();
        let problem = Problem {
            code: Code::LogContradicts,
            reason: "the log ended otherwise than it was seen".to_owned(),
        };
        let finding = Finding::of(problem);
        Ok(if is_other { vec![Complaint { finding, evidence }] } else { Vec::new() })
    }
}

/// A page as text; `None` if there is none.
async fn text(croupier: &Croupier, path: &str) -> Result<Option<String>, Refusal> {
    Ok(croupier.page(path).await?.and_then(|it| String::from_utf8(it).ok()))
}
