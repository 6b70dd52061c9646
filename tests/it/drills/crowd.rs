//! A crowd: players of several games, a watcher for each match, a stream of everything and a
//! subscription, all of which go on through whatever happens to the database. Each notes what it
//! was told, and in the end all of it is compared with the record.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use contract::v1::*;
use sqlx::postgres::PgConnection;
use table::{ChaCha, Chance};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::Code;

use crate::files::done;
use crate::harness::*;

/// When a match is resigned instead of being played on: most games are shorter.
const LONG: i32 = 120;

/// How long the players may take to finish their matches.
const FINISH_MAX: Duration = Duration::from_secs(90);

/// The pause before a call is repeated.
const PAUSE: Duration = Duration::from_millis(20);

pub const SUBSCRIPTION: &str = "subscriptions/drill";

pub struct Crowd {
    /// A match that cannot be read from this position on.
    pub unreadable: Option<(String, i32)>,
    shared: Arc<Shared>,
    players: JoinSet<()>,
    readers: JoinSet<()>,
}

struct Shared {
    /// One for each process that the crowd plays on.
    clients: Vec<Client>,
    seen: Mutex<Seen>,
    /// No more matches are begun.
    closing: CancellationToken,
    /// Whoever reads all matches may leave.
    done: CancellationToken,
    watchers: Mutex<JoinSet<()>>,
}

#[derive(Default)]
struct Seen {
    acknowledged: Vec<Acknowledged>,
    /// By match.
    watched: BTreeMap<String, Watched>,
    streamed: Told,
    consumed: Told,
    /// Failed calls by reason.
    refusals: BTreeMap<String, usize>,
    /// How streams ended that had been open.
    ends: BTreeMap<String, usize>,
}

/// An action that was acknowledged.
#[derive(Clone)]
struct Acknowledged {
    name: String,
    entry: Entry,
    asked: Instant,
    answered: Instant,
}

/// What the watcher of a match was told.
#[derive(Clone, Default)]
pub struct Watched {
    pub entries: Vec<Entry>,
    /// Whether the stream said that the match is over.
    pub is_over: bool,
    /// How often the record went back, with the position that still holds.
    pub went_back: Vec<i32>,
}

/// What a reader of all matches was told.
#[derive(Default)]
struct Told {
    entries: BTreeMap<String, Vec<Entry>>,
    went_back: usize,
    repeated: usize,
    unreadable: BTreeMap<String, i32>,
}

/// What was found when everything was compared with the record.
#[derive(Debug)]
pub struct Account {
    pub matches: usize,
    pub entries: usize,
    pub acknowledged: usize,
    /// Acknowledged entries that the record does not have.
    pub lost: usize,
    /// When the requests of the lost entries were sent.
    pub lost_until: Option<Instant>,
    pub streams_went_back: usize,
    pub consumers_went_back: usize,
    pub watches_went_back: usize,
    pub refusals: BTreeMap<String, usize>,
    pub ends: BTreeMap<String, usize>,
}

/// How a player goes on.
enum Step {
    Played,
    Over,
    /// The record does not have the match.
    Gone,
}

impl Crowd {
    pub async fn gather(client: &Client, players: u64) -> Crowd {
        Crowd::gather_on(std::slice::from_ref(client), players).await
    }

    /// The same on several processes of one installation. Each player stays with one of them, and
    /// who reads all matches with the first.
    pub async fn gather_on(clients: &[Client], players: u64) -> Crowd {
        let create =
            CreateSubscriptionRequest { name: SUBSCRIPTION.to_owned(), ..Default::default() };
        clients[0].ask(&create).await.expect("a subscription");
        let shared = Arc::new(Shared {
            clients: clients.to_vec(),
            seen: Mutex::default(),
            closing: CancellationToken::new(),
            done: CancellationToken::new(),
            watchers: Mutex::default(),
        });
        let (mut seats, mut readers) = (JoinSet::new(), JoinSet::new());
        for number in 0..players {
            seats.spawn(shared.clone().play_matches(number));
        }
        readers.spawn(shared.clone().read_stream());
        readers.spawn(shared.clone().consume());
        Crowd { unreadable: None, shared, players: seats, readers }
    }

    pub fn acknowledged(&self) -> usize {
        self.shared.seen().acknowledged.len()
    }

    /// Returns when this many more actions were acknowledged.
    pub async fn play_on(&self, count: usize) {
        let enough = self.acknowledged() + count;
        let playing = async {
            while self.acknowledged() < enough {
                self.check_readers();
                sleep(PAUSE).await;
            }
        };
        let played = timeout(FINISH_MAX, playing).await;
        played.unwrap_or_else(|_| panic!("{:?}", self.shared.seen().refusals));
    }

    /// For how long no action was acknowledged, at the longest, from this time until the last one.
    pub fn longest_gap(&self, since: Instant) -> Duration {
        let seen = self.shared.seen();
        let mut times: Vec<Instant> = seen.acknowledged.iter().map(|it| it.answered).collect();
        times.retain(|time| *time >= since);
        times.push(since);
        times.sort_unstable();
        times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default()
    }

    /// What the watchers were told so far, by match.
    pub fn watched(&self) -> BTreeMap<String, Watched> {
        self.shared.seen().watched.clone()
    }

    fn check_readers(&self) {
        assert_eq!(self.readers.len(), 2, "a reader ended");
    }

    /// Lets everybody finish, and compares what they were told with the record.
    pub async fn account(
        mut self,
        database: &mut PgConnection,
        url: &str,
        folder: &Path,
    ) -> Account {
        self.shared.closing.cancel();
        finish("the players", &mut self.players).await;
        let unreadable = self.unreadable.take();
        let readable = async |database: &mut _| {
            let mut record = record(database).await;
            if let Some((name, _)) = &unreadable {
                record.remove(name);
            }
            record
        };
        self.shared.finish_lost_ends(&readable(database).await).await;
        let mut watchers = std::mem::take(&mut *self.shared.watchers.lock().expect("no panic"));
        finish("the watchers", &mut watchers).await;
        let record = readable(database).await;
        until("the streams tell everything", async || {
            let seen = self.shared.seen();
            let told = |told: &Told| {
                let count = |name: &String| told.entries.get(name).map_or(0, Vec::len);
                record.iter().all(|(name, entries)| count(name) >= entries.len())
            };
            (told(&seen.streamed) && told(&seen.consumed)).then_some(())
        })
        .await;
        self.shared.done.cancel();
        finish("the readers", &mut self.readers).await;
        assert_eq!(check_keys(database).await, [""; 0]);
        match &unreadable {
            None => check_archive(url, folder).await,
            Some((name, position)) => {
                let seen = self.shared.seen();
                for told in [&seen.streamed, &seen.consumed] {
                    assert_eq!(told.unreadable, [(name.clone(), *position)].into());
                    assert_eq!(told.entries[name].len() as i32, position - 1);
                }
            }
        }
        self.shared.compare(&record).await
    }
}

/// A failure's reason for a count.
fn reason(failure: &Failure) -> String {
    let reason = failure.reason.as_str();
    if reason.is_empty() { "no answer".to_owned() } else { reason.to_owned() }
}

/// Whether a stream may end so: the database is away, or it is slow.
fn may_end(failure: &Failure) -> bool {
    [Code::Unavailable, Code::ResourceExhausted].contains(&failure.code)
}

/// Waits for tasks, and panics with the first that panicked.
async fn finish(who: &str, tasks: &mut JoinSet<()>) {
    let finishing = async {
        while let Some(ended) = tasks.join_next().await {
            ended.unwrap_or_else(|error| panic!("{who}: {error}"));
        }
    };
    timeout(FINISH_MAX, finishing).await.unwrap_or_else(|_| panic!("{who}: not in time"));
}

/// The digest of each entry, by match.
pub type Record = BTreeMap<String, Vec<Option<Vec<u8>>>>;

pub async fn record(database: &mut PgConnection) -> Record {
    // Other platforms may have matches of their own.
    let query = "select entries.match_id::text, array_agg(entries.digest order by position)
                 from entries join matches using (bucket, match_id)
                 where matches.platform = 'local'
                 group by 1";
    let rows: Vec<(String, Vec<Option<Vec<u8>>>)> =
        sqlx::query_as(query).fetch_all(database).await.expect("rows");
    rows.into_iter().map(|(id, digests)| (format!("matches/{id}"), digests)).collect()
}

/// The record can be exported, and what was exported can be played again and verified.
pub async fn check_archive(url: &str, folder: &Path) {
    let out = folder.join("exported");
    let out = out.to_str().expect("a plain path");
    done(&["export", "--seeds", "--database-url", url, "--out", out]).await;
    done(&["import", "--check", out]).await;
}

impl Shared {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("nobody panics holding it")
    }

    fn refused(&self, failure: &Failure) {
        *self.seen().refusals.entry(reason(failure)).or_default() += 1;
    }

    /// Notes how a stream ended, or that it was not opened.
    fn stream_ended(&self, was_open: bool, failure: &Failure) {
        match was_open {
            true => *self.seen().ends.entry(reason(failure)).or_default() += 1,
            false => self.refused(failure),
        }
    }

    /// The client of the player of this number.
    fn client(&self, number: u64) -> &Client {
        &self.clients[number as usize % self.clients.len()]
    }

    async fn play_matches(self: Arc<Self>, number: u64) {
        let client = self.client(number);
        for turn in 0_u64.. {
            if self.closing.is_cancelled() {
                return;
            }
            let game = games::GAMES[(number + turn) as usize % games::GAMES.len()];
            let request = CreateMatchRequest {
                game: format!("games/{}", game.name()),
                request_id: format!("{number}-{turn}"),
                ..new_match((*game.seats().start()).into())
            };
            let Some(it) = self.open(client, &request).await else { return };
            // Watched on another process than played on, if there is one.
            self.watch_later(number + 1, it.name.clone());
            self.play(client, &it.name, ChaCha::of([7; 32], number << 32 | turn)).await;
        }
    }

    async fn open(&self, client: &Client, request: &CreateMatchRequest) -> Option<Match> {
        while !self.closing.is_cancelled() {
            match client.ask(request).await {
                Ok(created) => return created.r#match,
                Err(failure) => self.wait_out(&failure).await,
            }
        }
        None
    }

    fn watch_later(self: &Arc<Self>, number: u64, name: String) {
        let watching = self.clone().watch(number, name);
        self.watchers.lock().expect("nobody panics holding it").spawn(watching);
    }

    /// Plays a match to its end.
    async fn play(&self, client: &Client, name: &str, mut chance: ChaCha) {
        loop {
            match self.step(client, name, &mut chance).await {
                Ok(Step::Played) => {}
                Ok(Step::Over | Step::Gone) => return,
                Err(failure) => self.wait_out(&failure).await,
            }
        }
    }

    async fn step(
        &self,
        client: &Client,
        name: &str,
        chance: &mut ChaCha,
    ) -> Result<Step, Failure> {
        let found = client
            .ask(&GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() })
            .await;
        let it = match found {
            Err(failure) if failure.reason == "MATCH_NOT_FOUND" => {
                self.refused(&failure);
                return Ok(Step::Gone);
            }
            found => found?.r#match.expect("a match"),
        };
        if it.state() == MatchState::Ended {
            return Ok(Step::Over);
        }
        let seat = *it.waiting_for.first().expect("somebody is asked");
        let asked = Instant::now();
        let request_id = format!("{seat}-{}", chance.below(1 << 30));
        let entry = if it.position > LONG {
            let request = ResignMatchRequest {
                name: name.to_owned(),
                seat: Some(seat),
                request_id,
                ..ResignMatchRequest::default()
            };
            self.insist(client, &request).await?.entry
        } else {
            let request = ListLegalActionsRequest {
                name: name.to_owned(),
                seat: Some(seat),
                ..Default::default()
            };
            let legal = client.ask(&request).await?.actions;
            // None if the record went back meanwhile, and another seat is asked.
            let Some(action) = choose(&legal, chance) else { return Ok(Step::Played) };
            let (name, action) = (name.to_owned(), Some(action));
            let request = SubmitActionRequest {
                name,
                action,
                seat: Some(seat),
                request_id,
                ..<_>::default()
            };
            self.insist(client, &request).await?.entry
        };
        let (name, entry) = (name.to_owned(), entry.expect("an entry"));
        let answered = Instant::now();
        self.seen().acknowledged.push(Acknowledged { name, entry, asked, answered });
        Ok(Step::Played)
    }

    /// Sends a request until its outcome is known.
    async fn insist<R: Rpc>(&self, client: &Client, request: &R) -> Result<R::Answer, Failure> {
        loop {
            match client.ask(request).await {
                Err(failure) if failure.code == Code::Unavailable => self.wait_out(&failure).await,
                answered => return answered,
            }
        }
    }

    /// Notes a failure that may happen, and waits a moment.
    async fn wait_out(&self, failure: &Failure) {
        self.refused(failure);
        let may_happen = match failure.code {
            Code::Unavailable | Code::ResourceExhausted => true,
            // The match is no longer where the player saw it.
            Code::DataLoss => failure.reason == "RECORD_WENT_BACK",
            Code::NotFound => failure.reason == "MATCH_NOT_FOUND",
            Code::FailedPrecondition | Code::InvalidArgument => true,
            _ => false,
        };
        assert!(may_happen, "{failure:?}");
        sleep(PAUSE).await;
    }

    /// Watches a match to its end.
    async fn watch(self: Arc<Self>, number: u64, name: String) {
        let watched = |change: &mut dyn FnMut(&mut Watched)| {
            change(self.seen().watched.entry(name.clone()).or_default());
        };
        watched(&mut |it| it.is_over = false);
        loop {
            let last = self.seen().watched[&name].entries.last().cloned().unwrap_or_default();
            let request = WatchEntriesRequest {
                parent: name.clone(),
                after_position: last.position,
                after_digest: last.digest,
                ..WatchEntriesRequest::default()
            };
            let mut stream = self.client(number).watch(&request).await;
            let was_open = stream.is_open();
            let failure = loop {
                match stream.next_within(FINISH_MAX).await {
                    Ok(Some(batch)) => {
                        let WatchEntriesResponse { entries, position, went_back, .. } =
                            batch.message;
                        watched(&mut |it| {
                            if went_back.is_some() {
                                it.entries.truncate(position as usize);
                                it.went_back.push(position);
                            }
                            for entry in &entries {
                                let next = it.entries.len() as i32 + 1;
                                assert_eq!(entry.position, next, "{name} is told with a hole");
                                it.entries.push(entry.clone());
                            }
                        });
                    }
                    Ok(None) => return watched(&mut |it| it.is_over = true),
                    Err(failure) => break failure,
                }
            };
            match failure.reason.as_str() {
                "RECORD_WENT_BACK" => {
                    failure.check(Code::DataLoss, "RECORD_WENT_BACK");
                    let holds: i32 =
                        failure.facts["position"].parse().expect("the position that holds");
                    watched(&mut |it| {
                        it.entries.truncate(holds as usize);
                        it.went_back.push(holds);
                    });
                }
                // The whole match is lost.
                "MATCH_NOT_FOUND" => return,
                _ => {
                    assert!(may_end(&failure), "{failure:?}");
                    self.stream_ended(was_open, &failure);
                    sleep(PAUSE).await;
                }
            }
        }
    }

    async fn read_stream(self: Arc<Self>) {
        let mut cursor = String::new();
        loop {
            let request = StreamEntriesRequest {
                cursor: cursor.clone(),
                heartbeat: Some(contract::seconds(1)),
                ..Default::default()
            };
            let mut stream = self.client(0).stream(&request).await;
            let was_open = stream.is_open();
            let failure = loop {
                let next = tokio::select! {
                    next = stream.next_within(FINISH_MAX) => next,
                    () = self.done.cancelled() => return,
                };
                match next {
                    Ok(batch) => {
                        let message = batch.expect("it does not end in peace").message;
                        self.seen().streamed.went_back += usize::from(message.went_back.is_some());
                        self.seen().streamed.take(message.entries, message.unreadable);
                        cursor = message.cursor;
                    }
                    Err(failure) => break failure,
                }
            };
            assert!(may_end(&failure), "{failure:?}");
            self.stream_ended(was_open, &failure);
            sleep(PAUSE).await;
        }
    }

    async fn consume(self: Arc<Self>) {
        let name = SUBSCRIPTION.to_owned();
        let request = ConsumeSubscriptionRequest {
            name: name.clone(),
            consumer: "drill".to_owned(),
            heartbeat: Some(contract::seconds(1)),
            ..Default::default()
        };
        loop {
            let mut stream = self.client(0).stream(&request).await;
            let was_open = stream.is_open();
            let failure = loop {
                let next = tokio::select! {
                    next = stream.next_within(FINISH_MAX) => next,
                    () = self.done.cancelled() => return,
                };
                match next {
                    Ok(batch) => {
                        let message = batch.expect("it does not end in peace").message;
                        self.seen().consumed.went_back += usize::from(message.went_back.is_some());
                        self.seen().consumed.take(message.entries, message.unreadable);
                        let (name, cursor) = (name.clone(), message.cursor);
                        let acknowledge = AcknowledgeEntriesRequest { name, cursor };
                        if let Err(failure) = self.client(0).ask(&acknowledge).await {
                            self.wait_out(&failure).await;
                        }
                    }
                    Err(failure) => break failure,
                }
            };
            assert!(may_end(&failure), "{failure:?}");
            self.stream_ended(was_open, &failure);
            sleep(PAUSE).await;
        }
    }

    /// Matches whose end was told and then lost have no players any more: somebody else plays them.
    async fn finish_lost_ends(self: &Arc<Self>, record: &Record) {
        for (seed, name) in (0..).zip(record.keys()) {
            if get(self.client(seed), name).await.state() != MatchState::Ended {
                let is_over = self.seen().watched.get(name).is_some_and(|it| it.is_over);
                self.play(self.client(seed), name, ChaCha::of([8; 32], seed)).await;
                if is_over {
                    // Its watcher, who believes that it is over, looks again.
                    self.seen().watched.remove(name);
                    self.watch_later(seed, name.clone());
                }
            }
        }
    }

    /// Compares everything that was told with the record.
    async fn compare(&self, record: &Record) -> Account {
        let mut listed = BTreeMap::new();
        for (name, digests) in record {
            let all = entries(self.client(0), name, "spectator").await;
            check_dense(&all, digests.len() as i32);
            listed.insert(name, all);
        }
        let seen = self.seen();
        for (name, all) in &listed {
            assert!(!all.last().expect("an entry").events.is_empty());
            for (who, told) in [("stream", &seen.streamed), ("subscription", &seen.consumed)] {
                let at = told.entries[*name].iter().zip(all).position(|(one, other)| one != other);
                let counts = (told.entries[*name].len(), all.len());
                assert!(
                    at.is_none() && counts.0 == counts.1,
                    "the {who} told {name} differently at {at:?} of {counts:?}"
                );
            }
            if let Some(watched) = seen.watched.get(*name) {
                assert!(watched.is_over, "{name} was watched to its end");
                assert!(watched.entries == *all, "the watcher was told {name} differently");
            }
        }
        let holds = |it: &&Acknowledged| {
            let there =
                listed.get(&it.name).and_then(|all| all.get(it.entry.position as usize - 1));
            there.is_some_and(|there| {
                there.digest == it.entry.digest && there.create_time == it.entry.create_time
            })
        };
        let lost: Vec<_> = seen.acknowledged.iter().filter(|it| !holds(it)).collect();
        Account {
            matches: listed.len(),
            entries: listed.values().map(Vec::len).sum(),
            acknowledged: seen.acknowledged.len(),
            lost: lost.len(),
            lost_until: lost.iter().map(|it| it.asked).max(),
            streams_went_back: seen.streamed.went_back,
            consumers_went_back: seen.consumed.went_back,
            watches_went_back: seen.watched.values().map(|it| it.went_back.len()).sum(),
            refusals: seen.refusals.clone(),
            ends: seen.ends.clone(),
        }
    }
}

impl Told {
    /// Notes entries: each follows the one before it in its match, or takes the place of what was
    /// told before.
    fn take(&mut self, entries: Vec<StreamedEntry>, unreadable: Vec<UnreadableEntry>) {
        self.unreadable.extend(unreadable.into_iter().map(|it| (it.r#match, it.position)));
        for entry in entries.into_iter().filter_map(|it| it.entry) {
            let (name, _) = entry.name.split_once("/entries/").expect("a name");
            let told = self.entries.entry(name.to_owned()).or_default();
            let at = entry.position as usize - 1;
            assert!(at <= told.len(), "{} is told with a hole after {}", entry.name, told.len());
            if told.get(at) == Some(&entry) {
                self.repeated += 1;
            } else {
                told.truncate(at);
                told.push(entry);
            }
        }
    }
}
