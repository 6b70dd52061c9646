//! The matches that are played: created through the service, and thought out to their ends before
//! the clock starts.
//!
//! Whoever may read the database knows a match's seed, and so what every action of it will lead to.
//! That way the clients need not fold a table or choose a move while they are measured: they send
//! what was written before, as fast as they can.

use api::v1::{CreateMatchRequest, SubmitActionRequest};
use api::{Action, match_name};
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream};
use games::{GAMES, Game, Playout};
use indicatif::ProgressBar;
use prost::Message;
use store::{MatchId, Store};
use table::{ChaCha, Chance, Seat, Seed, invariants};
use uuid::Uuid;

use crate::client::{Client, Failure, unknown_game};
use crate::commands::game_name;

/// A match, and all that will be asked of it.
pub struct Planned {
    pub match_id: MatchId,
    /// The requests, encoded. The n-th, counted from 0, becomes the entry at [`position`] n.
    pub requests: Vec<Bytes>,
}

/// Where a match's n-th action is recorded: the deal is before it.
pub fn position(nth: usize) -> i64 {
    nth as i64 + 2
}

/// By which a request is found again in the record.
pub fn request_id(nth: usize) -> String {
    format!("bench-{nth}")
}

/// What is played: games by turns, or talk.
pub struct Mix {
    pub games: Vec<&'static dyn Game>,
    pub seed: u64,
    /// Instead of playing, the seats of Among Thieves say this many things: a match can be made as
    /// long as one likes.
    pub talk: Option<usize>,
}

impl Mix {
    /// The games of these names; all of them if none is named.
    pub fn of(names: &[String], seed: u64, talk: Option<usize>) -> Result<Mix, Failure> {
        let names: Vec<&str> = match (talk, names) {
            (Some(_), _) => vec![TALKERS],
            (None, []) => GAMES.iter().map(|game| game.name()).collect(),
            (None, names) => names.iter().map(String::as_str).collect(),
        };
        let find = |name: &str| games::find(name).ok_or_else(|| unknown_game(name, &all_names()));
        let games = names.into_iter().map(find).collect::<Result<_, _>>()?;
        Ok(Mix { games, seed, talk })
    }

    /// The game of the nth match, and how many play it.
    pub fn nth(&self, nth: u64) -> (&'static dyn Game, u8) {
        let game = self.games[nth as usize % self.games.len()];
        let (least, most) = game.seats().into_inner();
        let mut chance = ChaCha::of(invariants::key(self.seed), nth);
        (game, least + chance.below(usize::from(most - least) + 1) as u8)
    }
}

/// The game that sets no bound to what is said.
const TALKERS: &str = "among-thieves";

fn all_names() -> Vec<&'static str> {
    GAMES.iter().map(|game| game.name()).collect()
}

/// Matches created at a time, and thought out at a time.
const AT_ONCE: usize = 64;

/// Creates so many matches and plans them.
pub async fn plan(
    client: &Client,
    store: &Store,
    mix: &Mix,
    matches: u64,
    bar: &ProgressBar,
) -> Result<Vec<Planned>, Failure> {
    let created: Vec<(u64, MatchId)> = stream::iter(0..matches)
        .map(|nth| async move { Ok::<_, Failure>((nth, create(client, mix, nth).await?)) })
        .buffer_unordered(AT_ONCE)
        .inspect(|_| bar.inc(1))
        .try_collect()
        .await?;
    let ids: Vec<MatchId> = created.iter().map(|it| it.1).collect();
    let seeds = store.seeds(&ids).await?;
    let plans = created.into_iter().map(|(nth, match_id)| {
        let (game, seats) = mix.nth(nth);
        let (seed, talk) = (seeds.get(&match_id).copied(), mix.talk);
        async move {
            let seed = seed.ok_or_else(|| {
                Failure::Missing("the database is another one than the service's".to_owned())
            })?;
            let planning = tokio::task::spawn_blocking(move || match talk {
                Some(length) => talked(match_id, game, seats, seed, length),
                None => played(match_id, game, seats, seed),
            });
            Ok(planning.await.expect("a match at random is played to its end"))
        }
    });
    stream::iter(plans).buffer_unordered(2).try_collect().await
}

async fn create(client: &Client, mix: &Mix, nth: u64) -> Result<MatchId, Failure> {
    let (game, seats) = mix.nth(nth);
    let request = CreateMatchRequest {
        game: game_name(game.name()),
        seats: seats.into(),
        players: (0..seats).map(|seat| format!("bench-{nth}-{seat}")).collect(),
        request_id: Uuid::new_v4().to_string(),
        ..CreateMatchRequest::default()
    };
    let name = client.create(&request).await?.name;
    let id = name.strip_prefix("matches/").and_then(|id| id.parse().ok());
    Ok(MatchId(id.ok_or(Failure::Empty)?))
}

fn played(match_id: MatchId, game: &'static dyn Game, seats: u8, seed: Seed) -> Planned {
    let options = game.check_options(&Default::default(), seats);
    let options = options.expect("the defaults fit any number of seats");
    let Playout { steps, .. } = game.playout(seats, &options, seed);
    let actions = steps.into_iter().map(|step| (step.seat, step.action));
    planned(match_id, game, actions)
}

/// The first thing that may be said at the deal, over and over.
fn talked(
    match_id: MatchId,
    game: &'static dyn Game,
    seats: u8,
    seed: Seed,
    length: usize,
) -> Planned {
    let options = game.check_options(&Default::default(), seats);
    let options = options.expect("the defaults fit any number of seats");
    let (table, _) = game.open(seats, &options, &mut ChaCha::of(seed, 1));
    let of_seat = |seat| game.legal(&table, seat).into_iter().map(move |legal| (seat, legal));
    let said = table.contenders().flat_map(of_seat).find(|(_, legal)| legal.verb == "say");
    let (seat, said) = said.expect("a match begins with talk");
    planned(match_id, game, std::iter::repeat_n((seat, said.action), length))
}

fn planned(
    match_id: MatchId,
    game: &dyn Game,
    actions: impl Iterator<Item = (Seat, Bytes)>,
) -> Planned {
    let request = |(nth, (seat, body)): (usize, (Seat, Bytes))| {
        let request = SubmitActionRequest {
            name: match_name(match_id),
            action: Some(Action::of(game.name(), body)),
            seat: Some(u8::from(seat).into()),
            expected_position: None,
            request_id: request_id(nth),
        };
        Bytes::from(request.encode_to_vec())
    };
    Planned { match_id, requests: actions.enumerate().map(request).collect() }
}
