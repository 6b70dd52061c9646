//! `croupier seek`: players who wait to be seated by the service.

use clap::Subcommand;
use contract::v1::{
    CreateSeekRequest, DeleteSeekRequest, GetSeekRequest, ListSeeksRequest, Seek, SeekState,
    TimeControl,
};
use uuid::Uuid;

use super::create::time_control;
use crate::client::{Client, Service, game_name};
use crate::commands::arguments::pair;
use crate::failure::Failure;
use crate::print::{self, time_of};

/// Look for a match for a player: the service seats players together who look for the same match
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    operation: Operation,
    /// Print each seek as a line of JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Operation {
    /// Look for a match
    Add(Box<New>),
    /// List the open seeks, oldest first
    List {
        /// Only this player
        #[arg(long, default_value = "", hide_default_value = true)]
        player: String,
        /// Only this game, such as `mountebank`
        #[arg(long)]
        game: Option<String>,
    },
    /// Show a seek, and the match that it ended in
    Show {
        /// Its name, as `seek add` prints it
        name: String,
    },
    /// Delete a seek
    Delete {
        /// Its name, as `seek add` prints it
        name: String,
    },
}

#[derive(clap::Args)]
struct New {
    /// The player, by the platform's id
    player: String,
    /// The game, such as `mountebank`
    game: String,
    /// The name to show for the player
    #[arg(long = "name", value_name = "NAME", default_value = "", hide_default_value = true)]
    display_name: String,
    /// The numbers of seats to play with
    #[arg(long, value_name = "N,N", value_delimiter = ',', required = true)]
    seats: Vec<u32>,
    /// An option of the game; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,
    /// How long each seat may take, as for `croupier create` [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = time_control)]
    time: Option<TimeControl>,
    /// Play a casual match, whose result does not count for ratings
    #[arg(long)]
    casual: bool,
    /// The largest accepted difference between the others' ratings and the player's [default: any]
    #[arg(long, value_name = "RATING")]
    distance: Option<f64>,
    /// By how much that difference grows with each second of waiting
    #[arg(long, value_name = "RATING", default_value_t = 0.0, hide_default_value = true)]
    widening: f64,
}

/// The maximum size of a page.
const PAGE_MAX: i32 = 1000;

pub async fn run(Args { operation, json }: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    match operation {
        Operation::Add(new) => tell(&client.create_seek(&new.request()).await?, json),
        Operation::List { player, game } => {
            let game = game.as_deref().map(game_name).unwrap_or_default();
            list(&client, player, game, json).await
        }
        Operation::Show { name } => {
            tell(&client.seek(&GetSeekRequest { name: full(&name) }).await?, json)
        }
        Operation::Delete { name } => {
            let name = full(&name);
            client.delete_seek(&DeleteSeekRequest { name: name.clone(), ..<_>::default() }).await?;
            Ok(print::line(&format!("{name} is deleted"))?)
        }
    }
}

impl New {
    fn request(self) -> CreateSeekRequest {
        CreateSeekRequest {
            player: self.player,
            display_name: self.display_name,
            game: game_name(&self.game),
            seats: self.seats,
            options: self.options.into_iter().collect(),
            time_control: self.time,
            casual: self.casual,
            rating_distance: self.distance,
            rating_widening_per_s: self.widening,
            request_id: Uuid::new_v4().to_string(),
        }
    }
}

fn full(name: &str) -> String {
    format!("seeks/{}", name.strip_prefix("seeks/").unwrap_or(name))
}

async fn list(client: &Client, player: String, game: String, json: bool) -> Result<(), Failure> {
    let mut request =
        ListSeeksRequest { page_size: PAGE_MAX, player, game, ..ListSeeksRequest::default() };
    let mut seeks = Vec::new();
    loop {
        let page = client.seeks_page(&request).await?;
        seeks.extend(page.seeks);
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    if json {
        return seeks.iter().try_for_each(|it| tell(it, true));
    }
    if seeks.is_empty() {
        eprintln!("croupier: nobody looks for a match");
        return Ok(());
    }
    let head = ["NAME", "PLAYER", "GAME", "SEATS", "SINCE"].map(str::to_owned).to_vec();
    let rows: Vec<_> = std::iter::once(head).chain(seeks.iter().map(row)).collect();
    Ok(print::table(&rows).iter().try_for_each(|row| print::line(row))?)
}

fn row(it: &Seek) -> Vec<String> {
    let seats: Vec<String> = it.seats.iter().map(u32::to_string).collect();
    vec![
        it.name.clone(),
        it.player.clone(),
        it.game.trim_start_matches("games/").to_owned(),
        seats.join(", "),
        time_of(it.create_time.as_ref()),
    ]
}

/// Prints the same as `GET /v1/seeks/{seek}` returns, or its state in words.
fn tell(it: &Seek, json: bool) -> Result<(), Failure> {
    if json {
        let answer = contract::v1::GetSeekResponse { seek: Some(it.clone()) };
        return Ok(print::json("GetSeekResponse", &answer)?);
    }
    let state = match it.state() {
        SeekState::Seated => format!("{} is seated: {}", it.player, it.r#match),
        SeekState::Deleted => format!("{} looks no longer", it.player),
        SeekState::Open | SeekState::Unspecified => format!("{} looks for a match", it.player),
    };
    Ok(print::line(&format!("{}  {state}", it.name))?)
}
