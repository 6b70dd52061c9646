//! `croupier game`: a game with its options, its set-up and its actions.

use contract::v1::{Game, GameOption, GetGameResponse, Layout, PlaceSetUp, Rules, SetUp};

use super::games::seats;
use crate::client::{Client, Service, short_game_name};
use crate::commands::arguments::check_seats;
use crate::commands::making::{arena, build, check, new, play, simulate};
use crate::commands::operating::modules;
use crate::failure::Failure;
use crate::print::{self, titled};

/// Describe a game: its seats, its options, its set-up and its actions
///
/// `croupier rules` prints the whole rules. The commands are for games that are modules: `new` and
/// `build` make one, `check`, `simulate`, `arena` and `play` work on a file, the others on the
/// database, or with a key of an operator by the service.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The game, such as `mountebank`
    #[arg(required = true)]
    game: Option<String>,
    /// Show the set-up for this number of seats [default: the game's minimum]
    #[arg(long, value_name = "N", conflicts_with = "json")]
    seats: Option<u32>,
    /// Print the game as a line of JSON, with everything needed to draw its table
    #[arg(long)]
    json: bool,
}

/// What to do with a game that is a module.
#[derive(clap::Subcommand)]
pub enum Command {
    New(new::Args),
    Build(build::Args),
    Check(check::Args),
    Simulate(simulate::Args),
    Arena(arena::Args),
    Play(play::Args),
    Add(modules::AddArgs),
    List(modules::ListArgs),
    Retire(modules::RetireArgs),
    Save(modules::SaveArgs),
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let named = args.game.expect("it is required without a command");
    let client = Client::connect(service).await?;
    let game = client.game(&named).await?;
    if args.json {
        return Ok(print::json("GetGameResponse", &GetGameResponse { game: Some(game) })?);
    }
    let played_with = args.seats.unwrap_or(game.seats_min);
    check_seats(&game.title, game.seats_min..=game.seats_max, played_with)?;
    let rules = client.rules(&named).await?;
    let name = short_game_name(&game.name);
    print::line(&format!("{} ({name}), {} seats\n", game.title, seats(&game)))?;
    print::line(&print::wrap("", &game.description))?;
    if !game.languages.is_empty() {
        print::line(&format!("Languages: {}", game.languages.join(", ")))?;
    }
    print_options(&game)?;
    let layout = game.layout.clone().unwrap_or_default();
    print_set_up(&layout, &rules, played_with)?;
    print_verbs(&layout)?;
    print_best_of(&rules)?;
    print::line(&format!("\nThe rules: croupier rules {name}"))?;
    Ok(print::line(&format!("A match: croupier create {name} --players ada,bruno"))?)
}

fn print_options(game: &Game) -> Result<(), Failure> {
    if game.options.is_empty() {
        return Ok(());
    }
    print::line("\nOptions, each for `--options NAME=VALUE`:")?;
    for option in &game.options {
        print::line(&format!("  {}", titled(&option.title, &option.name)))?;
        print::line(&print::wrap("      ", &option.description))?;
        print::line(&print::wrap("      ", &values(option)))?;
    }
    Ok(())
}

/// The values of an option, and its default.
fn values(option: &GameOption) -> String {
    let value = |(n, value): (usize, &String)| {
        let title = option.value_titles.get(n).map_or("", String::as_str);
        let default = if *value == option.default_value { " (default)" } else { "" };
        titled(title, value) + default
    };
    option.values.iter().enumerate().map(value).collect::<Vec<_>>().join(", ")
}

fn print_set_up(layout: &Layout, rules: &Rules, seats: u32) -> Result<(), Failure> {
    let of_seats = |it: &&SetUp| it.seats == seats && it.options.is_empty();
    let Some(set_up) = rules.set_ups.iter().find(of_seats) else { return Ok(()) };
    print::line(&format!("\nSet-up for {seats} seats:"))?;
    let rows = set_up_rows(layout, set_up);
    for line in print::table(&rows) {
        print::line(&format!("  {line}"))?;
    }
    Ok(())
}

/// The places and their contents. Places that are the same for each seat form one row.
fn set_up_rows(layout: &Layout, set_up: &SetUp) -> Vec<Vec<String>> {
    let mut rows: Vec<(Vec<String>, Option<u32>, u32)> = Vec::new();
    for it in &set_up.places {
        let place = layout.places.iter().find(|place| place.name == it.place);
        let seat = place.and_then(|place| place.seat);
        let row = vec![
            place.map_or_else(|| it.place.clone(), |place| place.title.clone()),
            contents(layout, it),
        ];
        match rows.iter_mut().find(|(other, of, _)| seat.is_some() && of.is_some() && *other == row)
        {
            Some((_, _, count)) => *count += 1,
            None => rows.push((row, seat, 1)),
        }
    }
    let owned = |(mut row, seat, count): (Vec<String>, Option<u32>, u32)| {
        match seat {
            Some(_) if count == set_up.seats => row[0].push_str(", each seat"),
            Some(seat) => row[0].push_str(&format!(", seat {}", seat + 1)),
            None => {}
        }
        row
    };
    rows.into_iter().map(owned).collect()
}

fn contents(layout: &Layout, it: &PlaceSetUp) -> String {
    let span =
        |min: i64, max: i64| if min == max { min.to_string() } else { format!("{min}-{max}") };
    let pieces = (it.pieces_max > 0).then(|| match (it.pieces_min, it.pieces_max) {
        (1, 1) => "1 piece".to_owned(),
        (min, max) => format!("{} pieces", span(min.into(), max.into())),
    });
    let coins = it.coins.iter().map(|coin| {
        let term = layout.coins.iter().find(|term| term.name == coin.coin);
        let title = term.map_or("", |term| term.title.as_str());
        let amount = span(coin.amount_min.into(), coin.amount_max.into());
        format!("{amount} {}", if title.is_empty() { &coin.coin } else { title })
    });
    pieces.into_iter().chain(coins).collect::<Vec<_>>().join(", ")
}

fn print_verbs(layout: &Layout) -> Result<(), Failure> {
    print::line("\nActions:")?;
    let width = layout.verbs.iter().map(|verb| verb.name.chars().count()).max().unwrap_or_default();
    for verb in &layout.verbs {
        print::line(&print::wrap(&format!("  {:<width$}  ", verb.name), &verb.description))?;
    }
    Ok(())
}

fn print_best_of(rules: &Rules) -> Result<(), Failure> {
    let mut best_of: Vec<_> = rules.best_of.iter().collect();
    best_of.sort_unstable();
    for (seats, matches) in best_of {
        print::line(&format!("\nWith {seats} seats, a series is a best of {matches}."))?;
    }
    Ok(())
}
