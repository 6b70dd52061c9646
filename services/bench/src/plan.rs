//! The matches to play: created through the service, and computed to their ends before the clock
//! starts.
//!
//! The database holds the seed of a match, from which the effect of every action follows. So during
//! the measurement the clients neither apply entries nor choose actions: they send requests that
//! are already encoded.

use std::convert::Infallible;
use std::ops::Range;
use std::time::Duration;

use answers::action_of;
use bytes::Bytes;
use contract::Action;
use contract::names::{match_id, match_name};
use contract::v1::{CreateMatchRequest, SubmitActionRequest};
use croupier_client::Croupier;
use futures::{StreamExt, TryStreamExt, stream};
use games::{GAMES, Game, Playout, Step};
use indicatif::ProgressBar;
use prost::Message;
use rows::MatchId;
use store::Store;
use table::{ChaCha, Chance, MatchChance, Seat, Seed, TALK, invariants};
use tokio::sync::mpsc;

use crate::report::Error;

/// A match and all the requests for it.
pub(crate) struct Planned {
    pub(crate) match_id: MatchId,
    /// The encoded requests. Request n, counted from 0, becomes the entry at [`position`] n.
    pub(crate) requests: Vec<Bytes>,
}

/// The position at which a match's n-th action is recorded: the opening is before it.
pub(crate) fn position(nth: usize) -> i64 {
    nth as i64 + 2
}

/// The id by which a request is found in the store.
pub(crate) fn request_id(nth: usize) -> String {
    format!("bench-{nth}")
}

/// The actions to send: games in rotation, or talk. A game that is not compiled in is a module that
/// the service has, too.
#[derive(Clone)]
pub(crate) struct Mix {
    pub(crate) games: Vec<&'static dyn Game>,
    pub(crate) seed: u64,
    /// If set, a seat makes this many remarks instead of playing, for matches of any length.
    pub(crate) talk: Option<usize>,
}

impl Mix {
    /// The games of these names; all games if there are none.
    pub(crate) fn of(names: &[String], seed: u64, talk: Option<usize>) -> Result<Mix, Error> {
        let names: Vec<&str> = match names {
            [] => GAMES.iter().map(|game| game.name()).collect(),
            names => names.iter().map(String::as_str).collect(),
        };
        let find = |name: &str| games::find(name).ok_or_else(|| Error::unknown_game(name));
        let games = names.into_iter().map(find).collect::<Result<_, _>>()?;
        Ok(Mix { games, seed, talk })
    }

    /// The game of the n-th match, and its number of seats.
    pub(crate) fn nth(&self, nth: u64) -> (&'static dyn Game, u8) {
        let game = self.games[nth as usize % self.games.len()];
        let (least, most) = game.seats().into_inner();
        let mut chance = ChaCha::of(invariants::key(self.seed), nth);
        (game, least + chance.below(usize::from(most - least) + 1) as u8)
    }
}

/// Matches created concurrently.
const AT_ONCE: usize = 64;

/// Creates the matches of these numbers and computes their requests.
pub(crate) async fn plan(
    client: &Croupier,
    store: &Store,
    mix: &Mix,
    matches: Range<u64>,
    bar: &ProgressBar,
) -> Result<Vec<Planned>, Error> {
    let created: Vec<(u64, MatchId)> = stream::iter(matches)
        .map(|nth| async move { Ok::<_, Error>((nth, create(client, mix, nth).await?)) })
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
            let seed = seed.ok_or(Error::OtherDatabase)?;
            let planning = tokio::task::spawn_blocking(move || match talk {
                Some(length) => talked(match_id, length),
                None => played(match_id, game, seats, seed),
            });
            Ok(planning.await.expect("a random match is played to its end"))
        }
    });
    stream::iter(plans).buffer_unordered(2).try_collect().await
}

/// Creates and plans further matches, numbered from `first`, as they are taken.
pub(crate) async fn supply(
    client: &Croupier,
    store: &Store,
    mix: &Mix,
    first: u64,
    planned: mpsc::Sender<Planned>,
) -> Infallible {
    let mut next = first;
    while !planned.is_closed() {
        let numbers = next..next + SUPPLY;
        next += SUPPLY;
        match plan(client, store, mix, numbers, &ProgressBar::hidden()).await {
            Ok(more) => {
                for it in more {
                    let _ = planned.send(it).await;
                }
            }
            // A lasting failure shows in the run itself.
            Err(_) => tokio::time::sleep(FAILED_WAIT).await,
        }
    }
    std::future::pending().await
}

/// Matches planned at a time: a tenth of a second's at full rate.
const SUPPLY: u64 = 64;
const FAILED_WAIT: Duration = Duration::from_millis(100);

async fn create(client: &Croupier, mix: &Mix, nth: u64) -> Result<MatchId, Error> {
    let (game, seats) = mix.nth(nth);
    let request = CreateMatchRequest {
        game: game.name().to_owned(),
        seats: seats.into(),
        players: (0..seats).map(|seat| format!("bench-{nth}-{seat}")).collect(),
        options: mix.talk.map(|_| (TALK.to_owned(), "unlimited".to_owned())).into_iter().collect(),
        ..CreateMatchRequest::default()
    };
    let name = client.matches().create(request).await?.name;
    match_id(&name).map(MatchId).map_err(|_| Error::MatchName(name.clone()))
}

fn played(match_id: MatchId, game: &'static dyn Game, seats: u8, seed: Seed) -> Planned {
    let options = game.check_options(&Default::default(), seats);
    let options = options.expect("the defaults suit any number of seats");
    let chance = MatchChance::new(match_id.0.as_bytes(), &seed, &[]);
    let Playout { steps, .. } = game.playout(seats, &options, &chance);
    let action = |step: Step| (step.seat, action_of(game, step.action));
    planned(match_id, steps.into_iter().map(action))
}

/// A match that consists of one repeated remark.
fn talked(match_id: MatchId, length: usize) -> Planned {
    let said = Action::of_every_game(games::say("Your turn."));
    planned(match_id, std::iter::repeat_n((Seat::default(), said), length))
}

fn planned(match_id: MatchId, actions: impl Iterator<Item = (Seat, Action)>) -> Planned {
    let request = |(nth, (seat, action)): (usize, (Seat, Action))| {
        let request = SubmitActionRequest {
            name: match_name(match_id.0),
            action: Some(action),
            seat: Some(u8::from(seat).into()),
            expected_position: None,
            expected_prompt: None,
            request_id: request_id(nth),
            ..SubmitActionRequest::default()
        };
        Bytes::from(request.encode_to_vec())
    };
    Planned { match_id, requests: actions.enumerate().map(request).collect() }
}
