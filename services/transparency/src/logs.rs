//! The logs of an installation, which operators begin and end.

use database::Database;
use records::PlatformTag;
use sqlx::Row;
use time::OffsetDateTime;
use tlog::{SigningKey, VerifierKey};

use crate::Error;

/// The logs of an installation, cheap to clone.
#[derive(Clone)]
pub struct Logs {
    pub(crate) database: Database,
}

/// A log.
#[derive(Clone)]
pub struct LogRow {
    pub log: i16,
    /// Its name, in the first line of its checkpoints.
    pub origin: String,
    pub begin_time: OffsetDateTime,
    /// Since when nothing is appended.
    pub end_time: Option<OffsetDateTime>,
    /// How many witnesses must have cosigned a checkpoint before it is told.
    pub cosigners: i16,
    /// Whether its leaves have a tag of the match's platform.
    pub tells_platforms: bool,
    secret: [u8; 32],
}

/// A witness that is asked to cosign.
#[derive(Clone, Debug)]
pub struct WitnessRow {
    pub key: VerifierKey,
    pub url: String,
}

impl LogRow {
    /// The key that signs its checkpoints.
    pub(crate) fn key(&self) -> SigningKey {
        SigningKey::new(&self.origin, &self.secret).expect("the name was checked at its beginning")
    }

    /// What stands for a platform in its leaves, if it tells platforms apart.
    pub(crate) fn platform_tag(&self, platform: &str) -> Option<PlatformTag> {
        self.tells_platforms.then(|| records::platform_tag(&self.secret, platform))
    }

    /// The key with which anyone verifies its checkpoints.
    pub fn verifier(&self) -> VerifierKey {
        self.key().verifier()
    }
}

impl Logs {
    pub fn new(database: &Database) -> Logs {
        Logs { database: database.clone() }
    }

    /// All of them, the newest first.
    pub async fn list(&self) -> Result<Vec<LogRow>, Error> {
        let rows = sqlx::query(
            "select log, origin, secret, begin_time, end_time, cosigners, tells_platforms
             from transparency_logs
             order by log desc",
        )
        .fetch_all(self.database.pool())
        .await?;
        let row = |row: &sqlx::postgres::PgRow| -> Result<LogRow, sqlx::Error> {
            let secret: Vec<u8> = row.try_get("secret")?;
            Ok(LogRow {
                log: row.try_get("log")?,
                origin: row.try_get("origin")?,
                begin_time: row.try_get("begin_time")?,
                end_time: row.try_get("end_time")?,
                cosigners: row.try_get("cosigners")?,
                tells_platforms: row.try_get("tells_platforms")?,
                secret: secret.try_into().expect("the table checks its length"),
            })
        };
        Ok(rows.iter().map(row).collect::<Result<_, _>>()?)
    }

    /// The one that was begun last; it may have ended.
    pub async fn newest(&self) -> Result<Option<LogRow>, Error> {
        Ok(self.list().await?.into_iter().next())
    }

    /// Begins a log, whose leaves may tell platforms apart. The current one must have ended.
    pub async fn begin(&self, origin: &str, tells_platforms: bool) -> Result<(), Error> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|_| Error::NoRandomness)?;
        let is_printable = origin.chars().all(|it| !it.is_control());
        if SigningKey::new(origin, &secret).is_none() || !is_printable {
            return Err(Error::Origin(origin.to_owned()));
        }
        let logs = self.list().await?;
        if logs.iter().any(|it| it.origin == origin) {
            return Err(Error::Used(origin.to_owned()));
        }
        if let Some(current) = logs.first().filter(|it| it.end_time.is_none()) {
            return Err(Error::Current(current.origin.clone()));
        }
        self.forget_pending().await?;
        let number = logs.first().map_or(1, |it| it.log + 1);
        let beginning = sqlx::query(
            "insert into transparency_logs (log, origin, secret, tells_platforms)
             values ($1, $2, $3, $4)",
        );
        let beginning = beginning.bind(number).bind(origin).bind(&secret[..]);
        self.database.write(beginning.bind(tells_platforms)).await?;
        Ok(())
    }

    /// Ends the current log. It is served until another one begins. Matches that it has not closed
    /// stay without an end in it.
    pub async fn end(&self) -> Result<(), Error> {
        let ending =
            sqlx::query("update transparency_logs set end_time = now() where end_time is null");
        if self.database.write(ending).await?.rows_affected() == 0 {
            return Err(Error::NoLog);
        }
        self.forget_pending().await
    }

    /// Forgets the leaves to come: those of one log are not those of the next.
    async fn forget_pending(&self) -> Result<(), Error> {
        self.database.write(sqlx::query("delete from transparency_pending")).await?;
        Ok(())
    }

    /// Who is asked to cosign.
    pub async fn witnesses(&self) -> Result<Vec<WitnessRow>, Error> {
        let rows: Vec<(String, String)> =
            sqlx::query_as("select key, url from transparency_witnesses order by key")
                .fetch_all(self.database.pool())
                .await?;
        let row = |(key, url): (String, String)| Some(WitnessRow { key: key.parse().ok()?, url });
        Ok(rows.into_iter().filter_map(row).collect())
    }

    /// Asks a witness from now on.
    pub async fn add_witness(&self, witness: &WitnessRow) -> Result<(), Error> {
        let adding = sqlx::query(
            "insert into transparency_witnesses (key, url)
             values ($1, $2)
             on conflict (bucket, key) do update
             set url = excluded.url",
        );
        let key = witness.key.to_string();
        self.database.write(adding.bind(key).bind(&witness.url)).await?;
        Ok(())
    }

    /// Asks a witness no longer.
    pub async fn remove_witness(&self, key: &VerifierKey) -> Result<(), Error> {
        let removing = sqlx::query("delete from transparency_witnesses where key = $1");
        self.database.write(removing.bind(key.to_string())).await?;
        Ok(())
    }

    /// Tells checkpoints of the current log once so many witnesses have cosigned them.
    pub async fn require(&self, cosigners: i16) -> Result<(), Error> {
        let requiring =
            sqlx::query("update transparency_logs set cosigners = $1 where end_time is null");
        match self.database.write(requiring.bind(cosigners)).await?.rows_affected() {
            0 => Err(Error::NoLog),
            _ => Ok(()),
        }
    }
}
