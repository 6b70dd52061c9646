//! Compares matches with the transparency log.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use positions::Digest;
use records::{Block, Closed, Code, Leaf, LeafKind, Opened, Outcome, Problem, read_block};
use rows::{MatchId, match_name};
use serde::Serialize;
use table::{PlayerCommitment, Seat, Small};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tlog::{Proof, Signed, VerifierKey};
use tokio::runtime::Runtime;

use crate::client::Service;
use crate::commands::auditing::{Remote, parse_log_url};
use crate::failure::Failure;
use crate::process::threads;

/// The proofs that are told one by one.
const TOLD_MAX: usize = 20;

/// What the log must have of a match.
pub struct Loggable {
    match_id: MatchId,
    opened: Opened,
    /// By seat: the commitments to the players whom the record names.
    players: Vec<Vec<[u8; 32]>>,
    /// `None` while the match is under way.
    closed: Option<Closed>,
    /// Of the first entry.
    deal_time: Option<OffsetDateTime>,
}

/// The log, or proofs that were kept of it.
pub struct Log {
    source: Source,
    key: VerifierKey,
    told: Told,
}

enum Source {
    Remote { remote: Box<Remote>, runtime: Runtime },
    Kept(HashMap<([u8; 32], LeafKind), Proof>),
}

/// What the log shows of all matches together.
#[derive(Default, Serialize)]
pub struct Told {
    origin: String,
    /// Matches whose opening is in it.
    opened: u64,
    /// Those whose end is in it.
    closed: u64,
    /// Those whose opening was in it before the deal, as a kept proof shows.
    opened_before_deal: u64,
    /// The first of them.
    matches: Vec<OfMatch>,
}

/// What the log shows of a match.
#[derive(Serialize)]
struct OfMatch {
    name: String,
    opened_index: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    closed_index: Option<u64>,
    /// When the checkpoint of the proof was signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint_time: Option<String>,
    /// The seats whose players the leaf commits to.
    players: usize,
}

impl Loggable {
    /// Of a match whose record was read.
    pub fn of(block: &Block) -> Option<Loggable> {
        let whole = read_block(block).ok()?;
        let match_id = whole.row.match_id;
        let end = whole.entries.last().zip(whole.decoded.last());
        let closed = end.and_then(|(row, entry)| {
            let is_won = !entry.winners()?.is_empty();
            let digest: Digest = row.digest?;
            Some(Closed::ended(match_id, row.position, digest, row.create_time, is_won))
        });
        let mut players = vec![Vec::new(); usize::try_from(whole.row.seats).unwrap_or_default()];
        for it in &whole.row.seated {
            let seat = u8::try_from(it.seat).ok().and_then(|seat| Seat::try_from(seat).ok())?;
            let before = it.before.iter().map(|it| (it.speech_key, &it.player));
            for (key, player) in before.chain([(it.speech_key, &it.player)]) {
                let Some(key) = key else { continue };
                let of = PlayerCommitment::new(match_id.0.as_bytes(), seat, &key.0, player);
                players.get_mut(seat.index())?.push(of.commitment);
            }
        }
        Some(Loggable {
            match_id,
            opened: Opened::of(&whole.row),
            players,
            closed,
            deal_time: whole.entries.first().map(|it| it.create_time),
        })
    }
}

impl Log {
    /// A log at an address, or a file of proofs that were kept.
    pub fn open(at: &str, key: Option<VerifierKey>, service: &Service) -> Result<Log, Failure> {
        let (source, key) = if parse_log_url(at).is_some() {
            let runtime = threads::runtime().map_err(Failure::Threads)?;
            let remote = runtime.block_on(Remote::reach(service, at, key))?;
            let key = remote.key.clone();
            (Source::Remote { remote: Box::new(remote), runtime }, key)
        } else {
            let path = Path::new(at);
            let failed = |source| Failure::Path { path: path.to_owned(), source };
            let text = fs::read_to_string(path).map_err(failed)?;
            let none = || Failure::Negative(format!("{at} is not a file of proofs"));
            let proofs = Proof::parse_all(&text).ok_or_else(none)?;
            let keyed = proofs.into_iter().filter_map(|proof| {
                let leaf = Leaf::parse(&proof.leaf)?;
                Some(((*leaf.match_hash(), leaf.kind()), proof))
            });
            let key = key.ok_or_else(|| {
                Failure::Usage("--log with a file needs --log-key, which verifies it".to_owned())
            })?;
            (Source::Kept(keyed.collect()), key)
        };
        let told = Told { origin: key.name().to_owned(), ..Told::default() };
        Ok(Log { source, key, told })
    }

    pub fn told(&self) -> &Told {
        &self.told
    }

    /// Compares a match with its leaves.
    pub fn compare(&mut self, it: &Loggable, outcome: &mut Outcome) {
        if let Err(problem) = self.try_compare(it) {
            outcome.add(None, None, problem);
        }
    }

    fn try_compare(&mut self, it: &Loggable) -> Result<(), Problem> {
        let (leaf, index, signed) = self.leaf(it.match_id, LeafKind::Opened)?;
        let Leaf::Opened(opened) = leaf else { return Err(differs("its opening is not there")) };
        let players = compare_opened(&opened, it)?;
        let closed_index = match &it.closed {
            None => None,
            Some(closed) => {
                let (leaf, index, _) = self.leaf(it.match_id, LeafKind::Closed)?;
                if leaf != Leaf::Closed(closed.clone()) {
                    return Err(differs("the log has another end of it"));
                }
                Some(index)
            }
        };
        self.told.opened += 1;
        self.told.closed += u64::from(closed_index.is_some());
        let is_before = signed.time.zip(it.deal_time).is_some_and(|(time, deal)| {
            i64::try_from(time).is_ok_and(|time| time < deal.unix_timestamp())
        });
        self.told.opened_before_deal += u64::from(is_before);
        if self.told.matches.len() < TOLD_MAX {
            let (name, checkpoint_time) = (match_name(it.match_id), signed.time.map(rfc3339));
            let of = OfMatch { name, opened_index: index, closed_index, checkpoint_time, players };
            self.told.matches.push(of);
        }
        Ok(())
    }

    /// A leaf of a match, its index, and the checkpoint that has it.
    fn leaf(&self, match_id: MatchId, kind: LeafKind) -> Result<(Leaf, u64, Signed), Problem> {
        let unread = |reason: String| Problem { code: Code::LogProofInvalid, reason };
        let proof = match &self.source {
            Source::Remote { remote, runtime } => {
                let id = match_id.0.to_string();
                runtime.block_on(remote.proof(kind, &id)).map_err(unread)?
            }
            Source::Kept(proofs) => proofs.get(&(records::match_hash(match_id), kind)).cloned(),
        };
        let proof = proof.ok_or_else(|| Problem {
            code: Code::LogMissing,
            reason: format!("the log does not say that it was {}", kind.name()),
        })?;
        let signed = proof.verify(&self.key).map_err(|reason| {
            unread(format!("the proof that it was {} does not hold: {reason}", kind.name()))
        })?;
        let leaf = Leaf::parse(&proof.leaf);
        let leaf = leaf.ok_or_else(|| unread("the leaf is of a later release".to_owned()))?;
        Ok((leaf, proof.index, signed))
    }
}

/// Fails unless the match was opened so. Returns the number of players to whom the leaf commits and
/// whom the record names.
fn compare_opened(logged: &Opened, it: &Loggable) -> Result<usize, Problem> {
    let Opened { match_hash, time_us, digest, seed_commitment, players } = logged;
    let its = &it.opened;
    if (match_hash, time_us) != (&its.match_hash, &its.time_us) {
        return Err(differs("the log has it as another match, or of another time"));
    }
    if (digest, seed_commitment) != (&its.digest, &its.seed_commitment) {
        return Err(differs("it was opened otherwise, as the log has it"));
    }
    if players.len() != it.players.len() {
        return Err(differs("the log has it with another number of seats"));
    }
    let is_named = |(logged, named): &(&Option<[u8; 32]>, &Vec<[u8; 32]>)| {
        logged.is_some_and(|it| named.contains(&it))
    };
    Ok(players.iter().zip(&it.players).filter(is_named).count())
}

fn differs(reason: &str) -> Problem {
    Problem { code: Code::LogDiffers, reason: reason.to_owned() }
}

impl Told {
    pub fn lines(&self) -> Vec<String> {
        let Told { origin, opened, closed, opened_before_deal, matches } = self;
        let mut lines: Vec<String> = matches
            .iter()
            .map(|it| {
                let closed = it.closed_index.map(|index| format!(", closed at {index}"));
                let time = it.checkpoint_time.as_ref().map(|it| format!("; checkpoint of {it}"));
                let (name, opened) = (&it.name, it.opened_index);
                let (closed, time) = (closed.unwrap_or_default(), time.unwrap_or_default());
                format!("{name} is in the log {origin}: opened at {opened}{closed}{time}.")
            })
            .collect();
        let before = match opened_before_deal {
            0 => String::from("That the opening was there before the deal is not shown"),
            count => format!("The opening of {count} was there before the deal"),
        };
        lines.push(format!(
            "The log has the opening of {opened} of the matches and the end of {closed}. {before}."
        ));
        lines
    }
}

fn rfc3339(time: u64) -> String {
    let time = OffsetDateTime::from_unix_timestamp(time.try_into().unwrap_or_default());
    time.ok().and_then(|it| it.format(&Rfc3339).ok()).unwrap_or_default()
}
