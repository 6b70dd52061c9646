//! Asking witnesses to cosign the newest checkpoint.

use std::collections::HashMap;

use database::Database;
use futures::future::join_all;
use metrics::gauge;
use tlog::{AddCheckpoint, Note, consistency};

use crate::Error;
use crate::checkpoints::{CheckpointRow, newest};
use crate::http_client::HttpClient;
use crate::logs::{LogRow, Logs, WitnessRow};
use crate::meter::WITNESS_UP;
use crate::reader::prove;

/// Asks the witnesses of the installation.
pub(crate) struct Cosigning {
    logs: Logs,
    client: HttpClient,
    /// What each witness cosigned last, by its key, as far as it is known.
    sizes: HashMap<String, u64>,
}

impl Cosigning {
    pub fn new(database: &Database) -> Cosigning {
        Cosigning {
            logs: Logs::new(database),
            client: HttpClient::with_system_roots(),
            sizes: HashMap::new(),
        }
    }

    /// Asks each witness once, and keeps the cosignatures of those that gave one.
    pub async fn cosign(&mut self) -> Result<(), Error> {
        let witnesses = self.logs.witnesses().await?;
        let Some(log) = self.logs.newest().await?.filter(|_| !witnesses.is_empty()) else {
            return Ok(());
        };
        let pool = self.logs.database.pool();
        // Whether it was told or not.
        let Some(newest) = newest(pool, &log, 0).await? else { return Ok(()) };
        let asked = join_all(witnesses.iter().map(|it| self.ask(&log, &newest, it))).await;
        let mut before = Note::unsigned(String::new());
        let _ = before.add_lines(&newest.cosigned);
        let (mut cosigned, mut cosigners) = (String::new(), 0_i16);
        for (witness, answer) in witnesses.iter().zip(asked) {
            let lines = match answer {
                Ok(lines) => {
                    self.sizes.insert(witness.key.to_string(), newest.size);
                    answered(witness, true);
                    lines
                }
                Err(error) => {
                    tracing::warn!(error = &error as &dyn std::error::Error, "it is not cosigned");
                    self.sizes.remove(&witness.key.to_string());
                    answered(witness, false);
                    // An earlier one of the same tree still holds.
                    before.lines_of(&witness.key)
                }
            };
            cosigners += i16::from(!lines.is_empty());
            cosigned.push_str(&lines);
        }
        sqlx::query(
            "update transparency_checkpoints
             set cosigned = $3, cosigners = $4
             where bucket = 0 and log = $1 and size = $2",
        )
        .bind(log.log)
        .bind(newest.size.cast_signed())
        .bind(cosigned)
        .bind(cosigners)
        .execute(self.logs.database.pool())
        .await?;
        Ok(())
    }

    /// The lines of the cosignature of a witness.
    async fn ask(
        &self,
        log: &LogRow,
        newest: &CheckpointRow,
        witness: &WitnessRow,
    ) -> Result<String, Error> {
        let failed = |reason: String| Error::Witness { witness: witness.url.clone(), reason };
        let url = format!("{}/add-checkpoint", witness.url.trim_end_matches('/'));
        let mut old = self.sizes.get(&witness.key.to_string()).copied().unwrap_or_default();
        for _ in 0..2 {
            let parts = consistency(old, newest.size).ok_or_else(|| {
                failed(format!(
                    "it has seen {old} leaves of {}, and there are {}",
                    log.origin, newest.size
                ))
            })?;
            let pool = self.logs.database.pool();
            let proof = prove(pool, log, newest.size, &parts).await?;
            let asked = AddCheckpoint { old, proof, note: newest.note.clone() };
            let (status, text) = self.client.post(&url, asked.to_string()).await.map_err(failed)?;
            match status {
                200 => {
                    let mut note = Note::parse(&newest.note).expect("it was signed here");
                    let has = note.add_lines(&text).and_then(|()| note.cosignature(&witness.key));
                    let is_right = has.is_ok_and(|it| it.is_some());
                    let wrong = || failed("its cosignature does not hold".to_owned());
                    return is_right.then(|| note.lines_of(&witness.key)).ok_or_else(wrong);
                }
                409 => {
                    let size = text.trim().parse();
                    old = size.map_err(|_| failed("it named no size".to_owned()))?;
                }
                _ => return Err(failed(format!("it answered with the status {status}"))),
            }
        }
        Err(failed("it names one size after another".to_owned()))
    }
}

/// Tells whether a witness cosigned the last checkpoint for which it was asked.
fn answered(witness: &WitnessRow, is_cosigned: bool) {
    let name = witness.key.name().to_owned();
    gauge!(WITNESS_UP, "witness" => name).set(f64::from(u8::from(is_cosigned)));
}
