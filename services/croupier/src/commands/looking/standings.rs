//! `croupier standings`: the ratings of the players of a pool.

use clap::ValueEnum;
use contract::v1::{ClockClass, ListStandingsRequest, ListStandingsResponse, Standing};

use crate::client::{Client, Service, game_name};
use crate::failure::Failure;
use crate::print::{self, time_of};

/// List the players of a game by rating, highest first, among matches of as many seats and such
/// clocks
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as `mountebank`
    game: String,
    /// The number of seats [default: the fewest that the game allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    seats: Option<u32>,
    /// How fast the matches are
    #[arg(long, value_name = "CLASS", default_value = "untimed")]
    clocks: Clocks,
    /// The maximum number of players to list, up to 1000
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(i32).range(1..=1000))]
    limit: i32,
    /// Print the list as a line of JSON
    #[arg(long)]
    json: bool,
}

/// A class of clocks.
#[derive(Clone, Copy, ValueEnum)]
enum Clocks {
    Untimed,
    Blitz,
    Live,
    Daily,
}

impl Clocks {
    fn class(self) -> ClockClass {
        match self {
            Clocks::Untimed => ClockClass::Untimed,
            Clocks::Blitz => ClockClass::Blitz,
            Clocks::Live => ClockClass::Live,
            Clocks::Daily => ClockClass::Daily,
        }
    }
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let request = ListStandingsRequest {
        parent: game_name(&args.game),
        page_size: args.limit,
        seats: args.seats.unwrap_or_default(),
        clock_class: args.clocks.class().into(),
        ..ListStandingsRequest::default()
    };
    let answer = client.standings_page(&request).await?;
    if args.json {
        return Ok(print::json("ListStandingsResponse", &answer)?);
    }
    let ListStandingsResponse { standings, .. } = answer;
    if standings.is_empty() {
        eprintln!("croupier: no such match of this game is over yet");
        return Ok(());
    }
    let players = standings.iter().map(|it| row(it.player.clone(), it));
    let rows: Vec<_> = std::iter::once(head("PLAYER")).chain(players).collect();
    Ok(print::table(&rows).iter().try_for_each(|row| print::line(row))?)
}

/// The headings of a standing's columns, after the given first one.
pub(super) fn head(first: &str) -> Vec<String> {
    let columns =
        [first, "RATING", "MEAN", "DEVIATION", "PLAYED", "WON", "SHARED", "LAST MATCH ENDED"];
    columns.map(str::to_owned).to_vec()
}

pub(super) fn row(first: String, it: &Standing) -> Vec<String> {
    vec![
        first,
        format!("{:.2}", it.rating),
        format!("{:.2}", it.mean),
        format!("{:.2}", it.deviation),
        it.played.to_string(),
        it.won.to_string(),
        it.shared.to_string(),
        time_of(it.last_end_time.as_ref()),
    ]
}
