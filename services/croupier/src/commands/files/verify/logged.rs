//! Compares matches with the transparency log.

use std::fs;
use std::path::Path;

use records::{Known, LogReport, Logbook, Loggable, Outcome};
use tlog::{Proof, VerifierKey};
use tokio::runtime::Runtime;

use crate::client::Service;
use crate::commands::auditing::{Remote, parse_log_url};
use crate::failure::Failure;
use crate::process::threads;

/// The log, or proofs that were kept of it.
pub struct Log {
    book: Logbook,
    /// The log itself, if it is asked for proofs.
    asked: Option<(Box<Remote>, Runtime)>,
}

impl Log {
    /// A log at an address, or a file of proofs that were kept.
    pub fn open(at: &str, key: Option<VerifierKey>, service: &Service) -> Result<Log, Failure> {
        if parse_log_url(at).is_some() {
            let runtime = threads::runtime().map_err(Failure::Threads)?;
            let remote = runtime.block_on(Remote::reach(service, at, key))?;
            let book = Logbook::new(remote.key.clone(), true);
            return Ok(Log { book, asked: Some((Box::new(remote), runtime)) });
        }
        let path = Path::new(at);
        let failed = |source| Failure::Path { path: path.to_owned(), source };
        let text = fs::read_to_string(path).map_err(failed)?;
        let none = || Failure::Negative(format!("{at} is not a file of proofs"));
        let proofs = Proof::parse_all(&text).ok_or_else(none)?;
        let key = key.ok_or_else(|| {
            Failure::Usage("--log with a file needs --log-key, which verifies it".to_owned())
        })?;
        let mut book = Logbook::new(key, true);
        proofs.into_iter().for_each(|proof| book.keep(proof, true));
        Ok(Log { book, asked: None })
    }

    /// The log of this key, of which there are only the proofs in receipts.
    pub fn of_receipts(key: VerifierKey) -> Log {
        Log { book: Logbook::new(key, false), asked: None }
    }

    /// Adds the proofs in receipts, which came after the deal.
    pub fn keep(&mut self, known: &Known) {
        let proofs = known.receipts().flat_map(|it| &it.proofs);
        proofs.for_each(|proof| self.book.keep(proof.clone(), false));
    }

    /// Compares a match with its leaves.
    pub fn compare(&mut self, it: &Loggable, known: &Known, outcome: &mut Outcome) {
        let Log { book, asked } = self;
        if !book.concerns(&outcome.name) {
            return;
        }
        book.compare(it, known, outcome, |kind| match asked {
            Some((remote, runtime)) => {
                runtime.block_on(remote.proof(kind, &it.match_id().0.to_string()))
            }
            None => Ok(None),
        });
    }

    pub fn report(self) -> LogReport {
        self.book.report()
    }
}

/// What the log shows, in words.
pub fn lines(report: &LogReport) -> Vec<String> {
    let LogReport { origin, opened, closed, opened_before_deal, chance, matches } = report;
    let mut lines: Vec<String> = matches
        .iter()
        .filter_map(|it| {
            let opened = it.opened_index.map(|index| format!("opened at {index}"));
            let closed = it.closed_index.map(|index| format!("closed at {index}"));
            let places = [opened, closed].into_iter().flatten().collect::<Vec<_>>().join(", ");
            let time = it.checkpoint_time.as_ref().map(|it| format!("; checkpoint of {it}"));
            let (name, time) = (&it.name, time.unwrap_or_default());
            (!places.is_empty()).then(|| format!("{name} is in the log {origin}: {places}{time}."))
        })
        .collect();
    let before = match opened_before_deal {
        0 => String::from("That the opening was there before the deal is not shown"),
        count => format!("The opening of {count} was there before the deal"),
    };
    lines.push(format!(
        "The log has the opening of {opened} of the matches and the end of {closed}. {before}."
    ));
    let sentences = [
        (chance.service_only, "the chance came from the service alone."),
        (
            chance.order_proven,
            "the chance was shared, and the order is proven: by the proof that you kept, the log \
             had the commitment to the seed before you contributed.",
        ),
        (
            chance.order_not_proven,
            "the chance was shared, and the order is not proven: it takes a proof of the opening \
             from before your contribution (--log FILE), and the contribution (--contribution).",
        ),
    ];
    let told = sentences.into_iter().filter(|(count, _)| *count > 0);
    lines.extend(told.map(|(count, said)| format!("By the log, in {count}: {said}")));
    lines
}
