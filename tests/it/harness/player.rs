//! Random play from a seed, over any protocol.

use contract::v1::*;
use sqlx::postgres::PgConnection;
use table::{ChaCha, Chance, Viewer};

use super::{Client, Failure, PATIENCE, Truth, recorded_requests};

pub const MOUNTEBANK: &str = "games/mountebank";

/// A running match and the players at its table.
pub struct Playing {
    pub name: String,
    /// A client for each seat.
    pub seats: Vec<Client>,
    chance: ChaCha,
    /// Entries as returned to the seats that acted.
    pub entries: Vec<Entry>,
    /// Each acknowledged request, in order.
    pub requests: Vec<String>,
    /// The seat that must decide; none when the match has ended.
    pub asked: Option<u32>,
}

/// A request for a match of Mountebank with a player on every seat.
pub fn new_match(seats: u32) -> CreateMatchRequest {
    CreateMatchRequest {
        game: MOUNTEBANK.to_owned(),
        seats,
        players: (0..seats).map(player).collect(),
        ..CreateMatchRequest::default()
    }
}

/// An invented player.
pub fn player(seat: u32) -> String {
    let people = ["ottoline", "bartholomew", "clementine", "ignatius"];
    let more = ["wilhelmina", "cornelius", "philippa", "thaddeus"];
    people.iter().chain(&more).nth(seat as usize).expect("no table has more seats").to_string()
}

pub async fn create(client: &Client, request: &CreateMatchRequest) -> Match {
    let created = client.ask(request).await.unwrap_or_else(|error| panic!("{error:?}"));
    created.r#match.expect("a match")
}

pub async fn get(client: &Client, name: &str) -> Match {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    client.ask(&request).await.expect("it is there").r#match.expect("a match")
}

/// All entries of a match, page by page.
pub async fn entries(client: &Client, name: &str, viewer: &str) -> Vec<Entry> {
    let (parent, viewer) = (name.to_owned(), viewer.to_owned());
    let mut request = ListEntriesRequest { parent, viewer, ..ListEntriesRequest::default() };
    let mut entries = Vec::new();
    loop {
        let page = client.ask(&request).await.unwrap_or_else(|error| panic!("{error:?}"));
        entries.extend(page.entries);
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            return entries;
        }
    }
}

pub async fn view(client: &Client, name: &str, viewer: &str, position: Option<i32>) -> Table {
    let (name, viewer) = (name.to_owned(), viewer.to_owned());
    let seen = client
        .ask(&GetViewRequest {
            name,
            viewer,
            position,
            read_time: None,
            ..GetViewRequest::default()
        })
        .await;
    seen.unwrap_or_else(|error| panic!("{error:?}")).table.expect("a table")
}

/// A token for a seat, or for a spectator.
pub async fn token(client: &Client, name: &str, seat: Option<u32>) -> String {
    let request = CreateTokenRequest { parent: name.to_owned(), seat, lifetime: None };
    client.ask(&request).await.expect("a platform may").token
}

/// A token for a player, over all the player's matches.
pub async fn player_token(client: &Client, player: &str) -> String {
    let request = CreatePlayerTokenRequest { parent: format!("players/{player}"), lifetime: None };
    client.ask(&request).await.expect("a platform may").token
}

/// Checks a match that has ended: each acknowledged request became one entry, in order; every
/// client reads the same entries, and the database holds each once.
pub async fn check_record(playing: &Playing, clients: &[&Client], database: &mut PgConnection) {
    let listed = entries(clients[0], &playing.name, "house").await;
    check_dense(&listed, playing.requests.len() as i32 + 1);
    for client in clients {
        assert_eq!(entries(client, &playing.name, "house").await, listed);
    }
    let acknowledged: Vec<i32> = playing.entries.iter().map(|entry| entry.position).collect();
    assert_eq!(acknowledged, (2..=listed.len() as i32).collect::<Vec<_>>());
    assert_eq!(recorded_requests(database, &playing.name).await[1..], playing.requests);
    let it = get(clients[0], &playing.name).await;
    assert_eq!(it.state(), MatchState::Ended);
    Truth::of(&it, Viewer::House, &listed).check_deals(&it);
}

/// `1..=n` and nothing else.
#[track_caller]
pub fn check_dense(entries: &[Entry], last: i32) {
    let positions: Vec<i32> = entries.iter().map(|entry| entry.position).collect();
    assert_eq!(positions, (1..=last).collect::<Vec<_>>());
}

/// A random action: first a random kind, then a random action of it. None if there is none.
pub fn choose(legal: &[LegalAction], chance: &mut ChaCha) -> Option<contract::Action> {
    let mut verbs: Vec<&str> = legal.iter().map(|it| it.verb.as_str()).collect();
    verbs.dedup();
    if verbs.is_empty() {
        return None;
    }
    let verb = verbs[chance.below(verbs.len())];
    let alike: Vec<_> = legal.iter().filter(|it| it.verb == verb).collect();
    alike[chance.below(alike.len())].action.clone()
}

impl Playing {
    /// A new match; the platform plays every seat.
    pub async fn new(client: &Client, seats: u32, seed: u64) -> Playing {
        Playing::of(client, &create(client, &new_match(seats)).await, seed)
    }

    pub fn of(client: &Client, it: &Match, seed: u64) -> Playing {
        Playing {
            name: it.name.clone(),
            seats: vec![client.clone(); it.seats.len()],
            chance: ChaCha::of([7; 32], seed),
            entries: Vec::new(),
            requests: Vec::new(),
            asked: it.waiting_for.first().copied(),
        }
    }

    /// Gives each seat its own token instead of the platform's key.
    pub async fn with_tokens(mut self) -> Playing {
        for (seat, client) in (0..).zip(&mut self.seats) {
            *client = client.holding(token(client, &self.name, Some(seat)).await);
        }
        self
    }

    /// A random action for a seat that must act.
    pub async fn plan(&mut self) -> Result<Option<SubmitActionRequest>, Failure> {
        let Some(seat) = self.asked else { return Ok(None) };
        let request = ListLegalActionsRequest {
            name: self.name.clone(),
            seat: Some(seat),
            ..Default::default()
        };
        let legal = self.seats[seat as usize].ask(&request).await?;
        let action = choose(&legal.actions, &mut self.chance);
        assert!(action.is_some(), "a seat that must act has a legal action");
        Ok(Some(SubmitActionRequest {
            name: self.name.clone(),
            action,
            seat: Some(seat),
            expected_position: None,
            expected_prompt: None,
            request_id: format!("{}-{}", seat, self.chance.below(1 << 30)),
            ..SubmitActionRequest::default()
        }))
    }

    pub async fn submit(&mut self, action: &SubmitActionRequest) -> Result<Entry, Failure> {
        let seat = action.seat.expect("a plan says who acts");
        let entry = self.seats[seat as usize].ask(action).await?.entry.expect("an entry");
        self.acknowledged(&action.request_id, entry.clone());
        Ok(entry)
    }

    /// Notes an acknowledged request and its entry.
    pub fn acknowledged(&mut self, request_id: &str, entry: Entry) {
        self.requests.push(request_id.to_owned());
        let layer = entry.prompts.iter().map(|prompt| prompt.layer).max();
        let live = entry.prompts.iter().filter(|prompt| Some(prompt.layer) == layer);
        self.asked = live.filter(|prompt| !prompt.optional).map(|prompt| prompt.seat).next();
        self.entries.push(entry);
    }

    /// Plays one action. Returns whether the match continues.
    pub async fn step(&mut self) -> bool {
        let planned = self.plan().await.unwrap_or_else(|error| panic!("{error:?}"));
        let Some(action) = planned else { return false };
        self.submit(&action).await.unwrap_or_else(|error| panic!("{error:?}"));
        true
    }

    /// Plays this many actions, or until the end if it comes first.
    pub async fn steps(&mut self, count: usize) {
        for _ in 0..count {
            if !self.step().await {
                return;
            }
        }
    }

    pub async fn finish(&mut self) {
        while self.step().await {}
    }

    /// Plays on through restarts of the service: each action is sent until it is answered.
    pub async fn patient_step(&mut self) -> bool {
        let action = loop {
            match self.plan().await {
                Ok(Some(action)) => break action,
                Ok(None) => return false,
                Err(failure) => self.wait_out(failure).await,
            }
        };
        let began = tokio::time::Instant::now();
        while let Err(failure) = self.submit(&action).await {
            assert!(began.elapsed() < 2 * PATIENCE, "{failure:?}");
            self.wait_out(failure).await;
        }
        true
    }

    async fn wait_out(&self, failure: Failure) {
        assert_eq!(failure.code, tonic::Code::Unavailable, "{failure:?}");
        assert!(failure.retry_ms.is_some() || failure.is_of_connection(), "{failure:?}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
