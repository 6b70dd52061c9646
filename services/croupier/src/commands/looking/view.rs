//! `croupier view`: the table as a viewer sees it.

use contract::v1::GetViewRequest;

use crate::client::{Client, Service};
use crate::commands::arguments::ViewerArgs;
use crate::failure::Failure;
use crate::print;

/// Draw the table as a spectator, a seat or the house sees it
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    viewer_args: ViewerArgs,
    /// Draw the table at this position [default: the last]
    #[arg(long, value_name = "POSITION")]
    at: Option<i32>,
    /// Print the table as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let client = if args.json { client.for_programs(service) } else { client };
    let (it, viewer) = args.viewer_args.find(&client).await?;
    let request = GetViewRequest {
        name: it.name.clone(),
        viewer,
        position: args.at,
        read_time: None,
        ..GetViewRequest::default()
    };
    let answer = client.view(&request).await?;
    if args.json {
        return Ok(print::json("GetViewResponse", &answer)?);
    }
    let game = client.game_of(&it).await?;
    let table = answer.table.unwrap_or_default();
    let of = it.position.max(table.position);
    print::line(&format!("{}, {}, {}/{of}\n", game.title, it.name, table.position))?;
    Ok(print::line(&print::columns(&table.text))?)
}
