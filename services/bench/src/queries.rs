//! The latency of queries across matches.

use std::time::Instant;

use contract::names::game_name;
use contract::v1::{
    GetPlayerRequest, ListMatchesRequest, ListStandingsRequest, MatchState, SearchEntriesRequest,
};
use croupier_client::{Croupier, Refusal};
use serde_json::{Map, Value, json};

use crate::report::{Error, Report};
use crate::service::Service;

/// Query across matches, one query after another, for players of the service; `croupier load`
/// creates some
///
/// Prints a JSON object.
#[derive(clap::Args)]
pub struct Args {
    /// How often to repeat each query
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    samples: u64,
    /// The game whose players are queried
    #[arg(long, default_value = "mountebank")]
    game: String,
}

/// The number of initial queries that are not counted, while connections are opened and statements
/// planned.
const WARM_UP: u64 = 20;

pub async fn run(args: &Args, service: &Service) -> Result<Report, Error> {
    let client = service.connect().await?;
    let args = &Args { game: args.game.trim_start_matches("games/").to_owned(), ..*args };
    games::find(&args.game).ok_or_else(|| Error::unknown_game(&args.game))?;
    let bench = Bench { players: players(&client, &args.game).await?, client, args };
    Ok(Report::json(&Value::Object(bench.run().await?)))
}

async fn players(client: &Croupier, game: &str) -> Result<Vec<String>, Error> {
    let request = ListStandingsRequest {
        parent: game_name(game),
        page_size: 1000,
        ..ListStandingsRequest::default()
    };
    let standings = client.call(request).await?.standings;
    if standings.is_empty() {
        return Err(Error::NoPlayers);
    }
    Ok(standings.into_iter().map(|it| it.player).collect())
}

struct Bench<'a> {
    client: Croupier,
    args: &'a Args,
    players: Vec<String>,
}

impl Bench<'_> {
    async fn run(&self) -> Result<Map<String, Value>, Error> {
        let mut outcome = Map::new();
        let all = ListMatchesRequest::default;
        let by_player = |player: String| ListMatchesRequest { player, ..all() };
        let won = |winner: String| ListMatchesRequest {
            winner,
            state: MatchState::Ended.into(),
            game: game_name(&self.args.game),
            ..all()
        };
        let lists: [(&str, &dyn Fn(String) -> ListMatchesRequest); 3] = [
            ("list_matches_by_player", &by_player),
            ("list_matches_by_winner_state_and_game", &won),
            ("list_matches", &|_| all()),
        ];
        for (name, request) in lists {
            let query =
                async |player: &String| self.client.call(request(player.clone())).await.map(drop);
            outcome.insert(name.to_owned(), self.measure(query).await?);
        }
        let page = async |player: &String| {
            let name = contract::names::player_name(player);
            self.client
                .call(GetPlayerRequest { name, consistency_token: String::new() })
                .await
                .map(drop)
        };
        outcome.insert("get_player".to_owned(), self.measure(page).await?);
        let standings = async |_: &String| {
            let parent = game_name(&self.args.game);
            let request = ListStandingsRequest { parent, ..ListStandingsRequest::default() };
            self.client.call(request).await.map(drop)
        };
        outcome.insert("list_standings".to_owned(), self.measure(standings).await?);
        let search = async |player: &String| {
            let (parent, player) = (game_name(&self.args.game), player.clone());
            let request =
                SearchEntriesRequest { parent, player, page_size: 10, ..Default::default() };
            self.client.call(request).await.map(drop)
        };
        outcome.insert("search_entries_by_player".to_owned(), self.measure(search).await?);
        Ok(outcome)
    }

    /// Queries one player after another.
    async fn measure(
        &self,
        query: impl AsyncFn(&String) -> Result<(), Refusal>,
    ) -> Result<Value, Error> {
        let mut took_ms = Vec::new();
        let players = self.players.iter().cycle().zip(0..WARM_UP + self.args.samples);
        for (player, nth) in players {
            let began = Instant::now();
            query(player).await?;
            if nth >= WARM_UP {
                took_ms.push(began.elapsed().as_secs_f64() * 1e3);
            }
        }
        took_ms.sort_by(f64::total_cmp);
        let at = |share: f64| took_ms[((took_ms.len() - 1) as f64 * share) as usize];
        let round = |ms: f64| (ms * 1e3).round() / 1e3;
        Ok(json!({
            "samples": self.args.samples,
            "p50_ms": round(at(0.5)),
            "p99_ms": round(at(0.99)),
            "max_ms": round(at(1.0)),
        }))
    }
}
