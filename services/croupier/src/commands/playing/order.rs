//! `croupier pause`, `croupier resume` and `croupier end`: orders of the platform, without a vote
//! of the seats.

use contract::v1::{EndMatchRequest, PauseMatchRequest, ResumeMatchRequest};
use uuid::Uuid;

use crate::client::{Client, Service};
use crate::failure::Failure;
use crate::print::Printer;

// The commands differ in nothing else. A doc comment would replace their help.
#[derive(clap::Args)]
pub struct Args {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    name: String,
    /// Print the entry as a line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy)]
pub enum Order {
    Pause,
    Resume,
    End,
}

pub async fn run(order: Order, args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let name = client.find(&args.name).await?;
    let request_id = Uuid::new_v4().to_string();
    let entry = match order {
        Order::Pause => {
            let request = PauseMatchRequest { name, request_id, ..PauseMatchRequest::default() };
            client.pause(&request).await?
        }
        Order::Resume => {
            let request = ResumeMatchRequest { name, request_id, ..ResumeMatchRequest::default() };
            client.resume(&request).await?
        }
        Order::End => {
            let request = EndMatchRequest { name, request_id, ..EndMatchRequest::default() };
            client.end(&request).await?
        }
    };
    Ok(Printer { json: args.json }.print(&entry)?)
}
