//! The read models of an installation, compared with its record.

use indicatif::{ProgressBar, ProgressStyle};
use matches::operators::Act;
use positions::BUCKETS;
use projector::Differences;
use serde::Serialize;

use crate::failure::Failure;
use crate::print;
use crate::process::acts;
use crate::process::installation::Installation;

/// The outcome for all read models.
#[derive(Default, Serialize)]
pub struct ReadModels {
    pub compared: Vec<Compared>,
    /// Why they were not compared.
    pub not_compared: Option<&'static str>,
}

/// The outcome for one read model.
#[derive(Serialize)]
pub struct Compared {
    pub projection: &'static str,
    /// Rows that the record does not give, and those that are missing.
    pub differing_rows: u64,
    /// The first of them.
    pub listed: Vec<String>,
    /// Whether rows that depend on several matches were left out, because no process settles them.
    pub is_unsettled: bool,
    pub is_rebuilt: bool,
}

impl ReadModels {
    pub fn not_compared(why: &'static str) -> ReadModels {
        ReadModels { not_compared: Some(why), ..ReadModels::default() }
    }

    /// Whether a read model still differs from the record.
    pub fn differ(&self) -> bool {
        self.compared.iter().any(|it| it.differing_rows > 0 && !it.is_rebuilt)
    }

    /// For people.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.compared.iter().flat_map(Compared::lines).collect();
        if let Some(why) = self.not_compared {
            lines.push(format!("The read models were not compared with the record: {why}."));
        } else if lines.is_empty() {
            lines.push("The read models are those that the record gives.".to_owned());
        }
        lines
    }
}

impl Compared {
    fn lines(&self) -> Vec<String> {
        let Compared { projection, differing_rows, .. } = self;
        let found = self.listed.iter().map(|it| format!("WRONG: read model {projection}: {it}"));
        let mut lines: Vec<String> = found.collect();
        if *differing_rows > 0 {
            let outcome = match self.is_rebuilt {
                true => "it was rebuilt".to_owned(),
                false => format!("`croupier project rebuild {projection}` rebuilds it"),
            };
            let rows = if *differing_rows == 1 { "row differs" } else { "rows differ" };
            let said = format!(
                "Read model {projection}: {differing_rows} {rows} from what the record gives; \
                 {outcome}."
            );
            lines.push(print::wrap("", &said));
        }
        if self.is_unsettled {
            let said = "Ratings and standings were not compared: no process settles results.";
            lines.push(said.to_owned());
        }
        lines
    }
}

/// Compares every read model with the record, and rebuilds those that differ if `rebuild` is set.
pub async fn compare(installation: &Installation, rebuild: bool) -> Result<ReadModels, Failure> {
    let database = installation.database();
    if !schema::pending(database).await?.is_empty() {
        return Ok(ReadModels::not_compared("the database has the tables of an earlier release"));
    }
    if database.is_sharded().await? {
        return Ok(ReadModels::not_compared("the database has several nodes"));
    }
    if !database.accepts_writes().await? {
        return Ok(ReadModels::not_compared("the database accepts no writes"));
    }
    let mut found = ReadModels::default();
    let bar = bar();
    let comparing = projector::compare(&installation.store, |bucket| {
        bar.set_position(bucket.index() as u64);
    });
    let compared = comparing.await;
    bar.finish_and_clear();
    for (model, differences) in compared? {
        let Differences { rows, listed, is_unsettled } = differences;
        let is_rebuilt = rebuild && rows > 0;
        if is_rebuilt {
            let act = Act::RebuildProjection { projection: model.name() };
            let rebuilding = projector::rebuild(&installation.store, model, |_, _| {});
            acts::carry_out(database, act, rebuilding).await?;
        }
        let projection = model.name();
        found.compared.push(Compared {
            projection,
            differing_rows: rows,
            listed,
            is_unsettled,
            is_rebuilt,
        });
    }
    Ok(found)
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} read models, bucket {pos} of {len}");
    // On standard error, and only if that is a terminal.
    ProgressBar::new(BUCKETS as u64).with_style(style.expect("the template is valid"))
}
