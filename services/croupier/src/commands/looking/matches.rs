//! `croupier matches`: a list of matches.

use contract::v1::{ListMatchesRequest, Match, MatchState};
use prost_types::Timestamp;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::client::{Client, Service, game_name};
use crate::failure::Failure;
use crate::print::{self, print_match, time_of};

/// List matches, newest first
///
/// Filters are combined with AND: `croupier matches --player ada --outcome won --game mountebank`.
#[derive(clap::Args)]
pub struct Args {
    /// The maximum number of matches to list
    #[arg(long, value_name = "N", default_value = "20", value_parser = limit)]
    limit: usize,
    /// Only matches of this game, such as `mountebank`
    #[arg(long)]
    game: Option<String>,
    /// Only matches in this state
    #[arg(long, value_enum)]
    state: Option<State>,
    /// Only matches with this player
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// Only matches with this second player
    #[arg(long, value_name = "PLAYER")]
    opponent: Option<String>,
    /// Only matches that this player won, alone or with others
    #[arg(long, value_name = "PLAYER")]
    winner: Option<String>,
    /// Only matches with this outcome for --player
    #[arg(long, value_enum, requires = "player")]
    outcome: Option<Outcome>,
    /// Only matches created at this time or later, such as 2026-01-31T18:00:00Z
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<Timestamp>,
    /// Only matches created before this time
    #[arg(long, value_name = "TIME", value_parser = time)]
    until: Option<Timestamp>,
    /// Only matches with at least this many entries
    #[arg(long, value_name = "N")]
    length_min: Option<i32>,
    /// Only matches with at most this many entries
    #[arg(long, value_name = "N")]
    length_max: Option<i32>,
    /// Only matches with this tag; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    tag: Vec<String>,
    /// List oldest first
    #[arg(long)]
    oldest_first: bool,
    /// Print each match as a line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum State {
    Open,
    Running,
    Ended,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Outcome {
    Won,
    Shared,
    Lost,
}

pub(super) fn limit(text: &str) -> Result<usize, String> {
    let limit = text.parse().ok().filter(|&limit| limit > 0);
    limit.ok_or_else(|| "write a number from 1 on".to_owned())
}

fn time(text: &str) -> Result<Timestamp, String> {
    let wrong = |_| "not a time such as 2026-01-31T18:00:00Z".to_owned();
    let time = OffsetDateTime::parse(text, &Rfc3339).map_err(wrong)?;
    Ok(Timestamp { seconds: time.unix_timestamp(), nanos: time.nanosecond().cast_signed() })
}

impl Args {
    fn request(&self) -> ListMatchesRequest {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let state = self.state.map(|state| match state {
            State::Open => MatchState::Open,
            State::Running => MatchState::Running,
            State::Ended => MatchState::Ended,
        });
        let outcome = self.outcome.map(|outcome| match outcome {
            Outcome::Won => contract::v1::Outcome::Won,
            Outcome::Shared => contract::v1::Outcome::Shared,
            Outcome::Lost => contract::v1::Outcome::Lost,
        });
        ListMatchesRequest {
            game: self.game.as_deref().map(game_name).unwrap_or_default(),
            state: state.unwrap_or_default().into(),
            player: text(&self.player),
            opponent: text(&self.opponent),
            winner: text(&self.winner),
            outcome: outcome.unwrap_or_default().into(),
            from_create_time: self.from,
            until_create_time: self.until,
            length_min: self.length_min,
            length_max: self.length_max,
            tags: self.tag.clone(),
            oldest_first: self.oldest_first,
            ..ListMatchesRequest::default()
        }
    }
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let request = args.request();
    let is_filtered = request != ListMatchesRequest::default();
    let (matches, unreachable) = list(&client, request, args.limit).await?;
    if unreachable > 0 {
        eprintln!(
            "croupier: nodes of the database are away: the matches of {unreachable} of 64 buckets \
             are missing"
        );
    }
    if args.json {
        return Ok(matches.iter().try_for_each(print_match)?);
    }
    if matches.is_empty() && is_filtered {
        eprintln!("croupier: no match fits the filters");
        return Ok(());
    }
    if matches.is_empty() && unreachable == 0 {
        eprintln!("croupier: there are no matches yet; `croupier play` plays one");
        return Ok(());
    }
    print_table(&matches)
}

pub(super) fn print_table(matches: &[Match]) -> Result<(), Failure> {
    let mut head =
        ["NAME", "GAME", "STATE", "PLAYERS", "POSITION", "CREATED"].map(str::to_owned).to_vec();
    let mut rows: Vec<Vec<String>> = matches.iter().map(row).collect();
    if matches.iter().any(|it| !it.display_name.is_empty()) {
        head.push("CALLED".to_owned());
        rows.iter_mut().zip(matches).for_each(|(row, it)| row.push(it.display_name.clone()));
    }
    rows.insert(0, head);
    Ok(print::table(&rows).iter().try_for_each(|row| print::line(row))?)
}

/// The maximum size of a page.
const PAGE_MAX: usize = 1000;

/// The matches, and of how many buckets they are missing.
async fn list(
    client: &Client,
    mut request: ListMatchesRequest,
    limit: usize,
) -> Result<(Vec<Match>, i32), Failure> {
    let (mut matches, mut unreachable) = (Vec::new(), 0);
    while matches.len() < limit {
        request.page_size = (limit - matches.len()).min(PAGE_MAX) as i32;
        let page = client.matches_page(&request).await?;
        matches.extend(page.matches);
        unreachable = unreachable.max(page.unreachable);
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    Ok((matches, unreachable))
}

fn row(it: &Match) -> Vec<String> {
    let state = match it.state() {
        MatchState::Open => "open",
        MatchState::Running => "running",
        MatchState::Ended => "ended",
        MatchState::Unspecified => "",
    };
    let player = |seat: &contract::v1::Seat| {
        let name = if seat.bot.is_empty() { &seat.player } else { &seat.display_name };
        if name.is_empty() { "-".into() } else { name.clone() }
    };
    let players: Vec<String> = it.seats.iter().map(player).collect();
    vec![
        it.name.clone(),
        it.game.trim_start_matches("games/").to_owned(),
        state.to_owned(),
        players.join(", "),
        it.position.to_string(),
        time_of(it.create_time.as_ref()),
    ]
}
