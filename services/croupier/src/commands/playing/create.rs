//! `croupier create`: a new match.

use contract::v1::{CreateMatchRequest, Game, Match, Reveal, TimeControl};
use prost_types::Duration;
use uuid::Uuid;

use crate::client::{Client, Service};
use crate::commands::arguments::{check_seats, pair};
use crate::commands::duration::seconds;
use crate::failure::Failure;
use crate::print::{Texts, print_match, print_match_and_next};

/// Create a match and print how to join, play and watch it
///
/// It starts as soon as every seat is taken: `croupier create mountebank --players ada,bruno`
/// starts at once, and without --players everyone joins with `croupier join`.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as `mountebank`
    #[arg(required_unless_present = "previous")]
    game: Option<String>,
    /// The number of seats [default: one for each of --players and --bots, and at least the game's
    /// minimum]
    #[arg(long, value_name = "N")]
    seats: Option<u32>,
    /// The players from seat 0 on, by the platform's ids; an empty id leaves the seat open
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    players: Vec<String>,
    /// Bots for the seats after the players, by their levels
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    bots: Vec<String>,
    /// The names to show for the players and the bots after them, in the same order
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    names: Vec<String>,
    /// An option of the game; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,
    /// A tag, which only the platform sees; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    tag: Vec<(String, String)>,
    /// The match that this one follows: the same players play the next match of their series
    #[arg(long, value_name = "MATCH")]
    previous: Option<String>,
    /// When hidden information is revealed to everyone: at the `end` of the match, `never`, or a
    /// time after its end, such as `90s`, `30m`, `12h` or `7d`
    #[arg(long, value_name = "WHEN", default_value = "end", value_parser = reveal)]
    reveal: (Reveal, Option<Duration>),
    #[arg(long, value_name = "TIME", value_parser = time_control, help = time_help())]
    time: Option<TimeControl>,
    /// List the match in the lobby, where players find and join it themselves
    #[arg(long)]
    lobby: bool,
    /// Make it a casual match, whose result does not count for ratings
    #[arg(long)]
    casual: bool,
    /// Print the match as a line of JSON
    #[arg(long)]
    json: bool,
}

fn reveal(text: &str) -> Result<(Reveal, Option<Duration>), String> {
    match text {
        "end" => Ok((Reveal::AtEnd, None)),
        "never" => Ok((Reveal::Never, None)),
        _ => {
            let delay = whole_seconds(text).ok_or("write end, never, or a time such as 12h")?;
            Ok((Reveal::AfterDelay, Some(delay)))
        }
    }
}

fn time_help() -> String {
    format!(
        "How long each seat may take: {}, or a time for each decision such as `90s` or `12h` \
         [default: as long as it likes]",
        clocks::preset_names()
    )
}

/// A time such as `12h`, in the contract's form.
fn whole_seconds(text: &str) -> Option<Duration> {
    seconds(text).and_then(|it| it.try_into().ok()).map(contract::seconds)
}

pub(super) fn time_control(text: &str) -> Result<TimeControl, String> {
    match whole_seconds(text) {
        Some(time) => Ok(TimeControl { per_decision: Some(time), ..TimeControl::default() }),
        // The service knows the names.
        None if text.chars().all(|it| it.is_ascii_lowercase()) => {
            Ok(TimeControl { preset: text.to_owned(), ..TimeControl::default() })
        }
        None => Err(format!("write one of {}, or a time such as 12h", clocks::preset_names())),
    }
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let previous = match &args.previous {
        Some(name) => Some(client.fetch(&client.find(name).await?).await?),
        None => None,
    };
    let asked = args.game.as_deref().or(previous.as_ref().map(|it| it.game.as_str()));
    let game = client.game(asked.unwrap_or_default()).await?;
    let it = client.create(&args.request(&game, previous.as_ref())?).await?;
    if args.json {
        return Ok(print_match(&it)?);
    }
    Ok(print_match_and_next(&Texts::new(&game, &it), &game, &it, &service.command())?)
}

impl Args {
    fn request(
        &self,
        game: &Game,
        previous: Option<&Match>,
    ) -> Result<CreateMatchRequest, Failure> {
        // A match that follows another takes omitted values from it.
        let default = match previous {
            Some(_) => 0,
            None => game.seats_min.max((self.players.len() + self.bots.len()) as u32),
        };
        let seats = self.seats.unwrap_or(default);
        if seats > 0 || previous.is_none() {
            check_seats(&game.title, game.seats_min..=game.seats_max, seats)?;
        }
        let given = |what: &str, names: usize, places: usize| match names > places {
            true => Err(Failure::Usage(format!("there are more {what} than {places}: {names}"))),
            false => Ok(()),
        };
        if seats > 0 {
            let what = if self.bots.is_empty() { "players" } else { "players and bots" };
            given(what, self.players.len() + self.bots.len(), seats as usize)?;
        }
        given("names", self.names.len(), self.players.len() + self.bots.len())?;
        Ok(CreateMatchRequest {
            game: game.name.clone(),
            seats,
            players: self.players.clone(),
            bots: self.bots_by_seat(),
            display_names: self.names.clone(),
            options: self.options.iter().cloned().collect(),
            tags: self.tag.iter().cloned().collect(),
            previous: previous.map(|it| it.name.clone()).unwrap_or_default(),
            reveal: self.reveal.0.into(),
            reveal_delay: self.reveal.1,
            time_control: self.time.clone(),
            lobby: self.lobby,
            casual: self.casual.then_some(true),
            request_id: Uuid::new_v4().to_string(),
            ..CreateMatchRequest::default()
        })
    }
}

impl Args {
    fn bots_by_seat(&self) -> Vec<String> {
        match self.bots.is_empty() {
            true => Vec::new(),
            false => [vec![String::new(); self.players.len()], self.bots.clone()].concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reveal_is_a_word_or_a_time() {
        let texts = ["end", "never", "90s", "30m", "12h", "7d"];
        let delays = texts.map(|text| reveal(text).expect(text));
        let seconds = delays.map(|(_, delay)| delay.map_or(0, |it| it.seconds));
        assert_eq!(seconds, [0, 0, 90, 1800, 43200, 604_800]);
        assert_eq!((delays[0].0, delays[1].0), (Reveal::AtEnd, Reveal::Never));
        let daily = time_control("12h").expect("a time").per_decision;
        assert_eq!(daily, Some(contract::seconds(43200)));
        assert_eq!(time_control("daily").expect("a name").preset, "daily");
        assert!(time_control("1:30").is_err());
        for wrong in ["", "h", "90", "-1", "soon", "99999999999s", "4294967295d"] {
            assert!(reveal(wrong).is_err(), "{wrong}");
        }
    }
}
