//! `croupier entries`: what has happened in a match so far.

use super::{Look, Teller};
use crate::client::{Client, Failure, Service};

/// Tell what has happened in a match so far
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    look: Look,
    /// Begin after this position
    #[arg(long, value_name = "POSITION", default_value_t = 0)]
    after: i64,
    /// Print each entry as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let (it, viewer) = args.look.find(&client).await?;
    let mut teller = Teller::of(&client, &it, args.json).await?;
    let mut token = String::new();
    loop {
        let page = client.entries_page(&it.name, &viewer, &token).await?;
        let wanted = page.entries.iter().filter(|entry| entry.position > args.after);
        for entry in wanted {
            teller.tell(entry)?;
        }
        if page.next_page_token.is_empty() {
            return Ok(());
        }
        token = page.next_page_token;
    }
}
