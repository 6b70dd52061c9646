//! `croupier load`: random matches, written to the database.

use bench::load;
use client::Service;

use super::OnDatabase;
use super::bench::show;
use crate::failure::Failure;

pub type Args = OnDatabase<load::Args>;

pub async fn run(Args { database, args }: Args, service: &Service) -> Result<(), Failure> {
    let store = database.open(&service.data).await?;
    let report = load::run(&args, &store).await?;
    store.close().await;
    show(report)
}
