//! `croupier load`: random matches, written to the database.

use bench::load;
use matches::operators::Act;

use super::bench::show;
use crate::client::Service;
use crate::failure::Failure;
use crate::process::acts;
use crate::process::opening::OnDatabase;

pub type Args = OnDatabase<load::Args>;

pub async fn run(Args { database, args }: Args, service: &Service) -> Result<(), Failure> {
    let installation = database.open(&service.data).await?;
    let loading = load::run(&args, &installation.store);
    let report = acts::carry_out(installation.database(), Act::Load, loading).await?;
    installation.close().await;
    show(report)
}
