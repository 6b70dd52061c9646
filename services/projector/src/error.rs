//! Why a read model could not be updated or read.

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Database(#[from] database::Error),
    #[error(transparent)]
    Log(#[from] event_log::Error),
    #[error("projection {model} cannot be written")]
    Unwritten { model: &'static str, source: database::Error },
    #[error("a newer rebuild has begun")]
    Superseded,
    #[error("the old tables stayed in use too long, so the rebuilt ones were not put in place")]
    TablesInUse,
}

impl From<sqlx::Error> for Error {
    fn from(source: sqlx::Error) -> Self {
        Error::Database(source.into())
    }
}
