//! `croupier bench`: how fast the service is, measured where it runs.

mod actions;
mod export;
mod queries;

use clap::Subcommand;

use crate::client::{Failure, Service};

/// Measure, and print an object of JSON
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Actions(actions::Args),
    Queries(queries::Args),
    Export(export::Args),
}

pub fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    match args.what {
        What::Actions(args) => runtime.block_on(actions::run(args, service)),
        What::Queries(args) => runtime.block_on(queries::run(args, service)),
        What::Export(args) => runtime.block_on(export::run(args)),
    }
}
