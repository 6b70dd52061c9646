//! `croupier update`: changes what a match is called, whether it is in the lobby, and its tags.

use contract::field_mask;
use contract::v1::{Match, UpdateMatchRequest};

use crate::client::{Client, Service};
use crate::commands::arguments::pair;
use crate::failure::Failure;
use crate::print::{self, print_match};

/// Change what a match is called, whether it is in the lobby, and its tags
#[derive(clap::Args)]
pub struct Args {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    name: String,
    #[command(flatten)]
    changes: Changes,
    /// Print the match as a line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Changes {
    /// What to call it, for everyone who sees it; empty for no name
    #[arg(long, value_name = "TEXT")]
    display_name: Option<String>,
    /// Whether the lobby lists the match while it has open seats
    #[arg(long, value_name = "true|false")]
    lobby: Option<bool>,
    /// A tag, which only the platform sees; may be repeated. They replace all tags
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    tag: Vec<(String, String)>,
    /// Remove all tags
    #[arg(long, conflicts_with = "tag")]
    no_tags: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let name = client.find(&args.name).await?;
    let Changes { display_name, lobby, tag, no_tags } = args.changes;
    let fields = [
        ("display_name", display_name.is_some()),
        ("lobby", lobby.is_some()),
        ("tags", !tag.is_empty() || no_tags),
    ];
    let updated = Match {
        name,
        display_name: display_name.unwrap_or_default(),
        lobby: lobby.unwrap_or_default(),
        tags: tag.into_iter().collect(),
        ..Match::default()
    };
    let request = UpdateMatchRequest {
        r#match: Some(updated),
        update_mask: Some(field_mask(fields)),
        ..UpdateMatchRequest::default()
    };
    let it = client.update(&request).await?;
    match args.json {
        true => Ok(print_match(&it)?),
        false => Ok(print::line(&format!("{} is changed", it.name))?),
    }
}
