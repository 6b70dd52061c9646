//! The handles that a process opens on a database.

use std::sync::Arc;

use accounts::Accounts;
use database::{Database, Error};
use event_log::{Log, hints};
use keeping::archiving::{Archive, ColdStore};
use store::{ModuleOptions, RECORD, Store};

/// The location of an installation, and options for using it.
#[derive(Clone)]
pub struct Options {
    pub database: database::Options,
    /// The store of archived matches, if configured.
    pub objects: Option<ColdStore>,
    /// How a writer notifies other processes of new entries.
    pub hints: hints::Options,
    /// How modules are compiled, and where their code is kept.
    pub modules: ModuleOptions,
}

impl Options {
    pub fn new(database: database::Options) -> Options {
        Options {
            database,
            objects: None,
            hints: hints::Options::default(),
            modules: ModuleOptions::default(),
        }
    }
}

/// The tables of a database, as one process uses them. Cheap to clone.
#[derive(Clone)]
pub struct Installation {
    pub store: Store,
    pub accounts: Accounts,
    pub archive: Archive,
}

impl Installation {
    /// Connects, and fails if the database does not answer in time. The tables need not exist yet.
    pub async fn open(options: Options) -> Result<Installation, Error> {
        let database = Database::connect(options.database).await?;
        let archive = Archive::new(&database, options.objects);
        let log = event_log::Options {
            hints: options.hints,
            cold: Some(Arc::new(archive.clone())),
            ..event_log::Options::new(RECORD)
        };
        let store = Store::new(&Log::new(&database, log)).with_modules(options.modules);
        Ok(Installation { store, accounts: Accounts::new(&database), archive })
    }

    pub fn database(&self) -> &Database {
        self.store.database()
    }

    /// Closes all connections.
    pub async fn close(&self) {
        self.accounts.close().await;
        self.database().close().await;
    }

    /// Warns the operator if there are archived matches that this process cannot read.
    pub async fn warn_if_archived(&self) -> Result<(), Error> {
        if !self.archive.has_archived().await? {
            return Ok(());
        }
        let problem = match self.archive.objects().await {
            Ok(Some(_)) => return Ok(()),
            Ok(None) => "nobody named their archive",
            Err(event_log::Error::Database(error)) => return Err(error),
            Err(event_log::Error::Cold(error)) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "the archive is away");
                "their archive is away"
            }
        };
        tracing::warn!(
            "matches are archived, and {problem}: name it with --archive, or what was played in \
             them cannot be read"
        );
        Ok(())
    }
}
