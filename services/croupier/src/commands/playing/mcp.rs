//! `croupier mcp`: lets an agent play by the Model Context Protocol over standard input and output.

use crate::client::Service;
use crate::failure::Failure;

/// Serve an agent by the Model Context Protocol, over standard input and output
///
/// The agent plays with what `--key` or `CROUPIER_KEY` names: the token of a player or of a seat,
/// or an API key, with which it also starts matches.
#[derive(clap::Args)]
pub struct Args {
    /// The player that the agent plays as, with an API key; a token knows its player
    #[arg(long, env = "CROUPIER_PLAYER", value_name = "PLAYER", default_value = "agent")]
    player: String,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let croupier = service.for_agent()?;
    let served = mcp::serve_stdio(croupier, &args.player, &service.language()).await;
    served.map_err(Failure::Agent)
}
