//! Acts of a person at the command line, which end with a [`Failure`].

use database::Database;
use matches::operators::{Act, Operator, Who};

use crate::failure::Failure;

/// Carries out the act that `work` does.
pub async fn carry_out<T, E: Into<Failure>>(
    database: &Database,
    act: Act<'_>,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, Failure> {
    let work = async { work.await.map_err(Into::into) };
    Operator::new(database, Who::CommandLine).carry_out(act, work).await
}
