//! `croupier openapi`: the REST interface, for programs that generate clients.

use crate::failure::Failure;
use crate::print;

/// Print the OpenAPI document of the REST interface, which a service also serves at /openapi.json
#[derive(clap::Args)]
pub struct Args {}

pub fn run(Args {}: Args) -> Result<(), Failure> {
    Ok(print::line(&api::openapi())?)
}
