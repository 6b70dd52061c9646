//! The tools `look` and `wait`: what happened, what the seat sees, and what it may do, in words.

use std::ops::ControlFlow;
use std::time::Duration;

use contract::v1::{
    Entry, ListMatchesRequest, Match, MatchState, Obstacle, Prompt, WatchEntriesRequest,
};
use croupier_client::Refusal;
use tokio::time::Instant;

use crate::arguments::{Look, Wait, match_name, wait};
use crate::failure::Failure;
use crate::seen::{Seen, is_passing, see};
use crate::service::{Service, as_player};
use crate::text::{ANSWER_BYTES_MAX, fit, fitting};

/// What news and the table keep of an answer that is too long.
const NEWS_BYTES_MIN: usize = 1_200;
const TABLE_BYTES_MIN: usize = 2_400;
/// What an answer has besides news, table and actions: its head, headings and notes.
const REST_BYTES: usize = 1_500;
/// What reasons have of that.
const OBSTACLES_BYTES_MAX: usize = 300;

/// How many effects of an action are told.
const EFFECTS_MAX: usize = 2;

/// The pause before a match is looked at again after its stream was lost, or looked for again.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a match is looked for: lists may lack one that has just begun.
const LISTED_WITHIN: Duration = Duration::from_secs(3);

/// What of a match to show.
#[derive(Default)]
pub struct Shown {
    pub since: Option<i32>,
    pub until: Option<i32>,
    /// The number of the first action.
    pub from: usize,
    /// How many bytes of the answer to leave for something else.
    pub kept_free: usize,
}

pub async fn look(service: &impl Service, look: Look) -> Result<String, Failure> {
    let seen = see(service, &match_name(&look.name)).await?;
    let Look { since, until, from, .. } = look;
    describe(service, &seen, &Shown { since, until, from: from.unwrap_or(1), kept_free: 0 }).await
}

/// Waits until it is the seat's turn or the match has ended, for a limited time.
pub async fn wait_for_turn(service: &impl Service, args: Wait) -> Result<String, Failure> {
    let name = match &args.name {
        Some(name) => match_name(name),
        None => only_match(service).await?,
    };
    let seen = turn(service, &name, None, wait(args.seconds)).await?;
    let shown = Shown { since: args.since, ..Shown::default() };
    describe(service, &seen, &shown).await
}

/// The match as it is once it waits for the seat or has ended, or after so long; also once the seat
/// was asked something after a position, by default that of now, which it may leave unanswered. A
/// service that stops does not fail the wait: a call after it finds the match where it was.
pub async fn turn(
    service: &impl Service,
    name: &str,
    after: Option<i32>,
    duration: Duration,
) -> Result<Seen, Failure> {
    let until = Instant::now() + duration;
    let mut seen = see(service, name).await?;
    let after = after.unwrap_or(seen.position());
    while !seen.is_turn(after) && !seen.is_ended() && Instant::now() < until {
        match tokio::time::timeout_at(until, moved(service, &seen)).await {
            Ok(Ok(ControlFlow::Continue(()))) => seen = see(service, name).await?,
            Ok(Ok(ControlFlow::Break(()))) | Err(_) => break,
            Ok(Err(failure)) => return Err(failure),
        }
    }
    Ok(seen)
}

/// Returns once the match has moved on, or its stream was lost. Breaks if the service stops, which
/// waits for its callers.
async fn moved(service: &impl Service, seen: &Seen) -> Result<ControlFlow<()>, Failure> {
    let request = WatchEntriesRequest {
        parent: seen.it.name.clone(),
        after_position: seen.position(),
        viewer: if seen.table.is_some() { seen.viewer() } else { String::new() },
        ..WatchEntriesRequest::default()
    };
    let watched = async { Ok::<_, Refusal>(service.open(request).await?.message().await?) };
    let pause = match watched.await {
        Ok(Some(_)) => return Ok(ControlFlow::Continue(())),
        Ok(None) => PAUSE,
        Err(refusal) if refusal.is("SHUTTING_DOWN") => return Ok(ControlFlow::Break(())),
        Err(refusal) if is_passing(&refusal) => refusal.retry_after().unwrap_or(PAUSE).max(PAUSE),
        Err(refusal) => return Err(refusal.into()),
    };
    tokio::time::sleep(pause).await;
    Ok(ControlFlow::Continue(()))
}

/// The only match of the player that is being played, or the first that waits for the player.
async fn only_match(service: &impl Service) -> Result<String, Failure> {
    let until = Instant::now() + LISTED_WITHIN;
    let running = loop {
        let running = running(service).await?;
        if !running.is_empty() || Instant::now() >= until {
            break running;
        }
        tokio::time::sleep(PAUSE).await;
    };
    let waits = |it: &&Match| {
        let is_own = |seat: &u32| {
            it.seats.get(*seat as usize).is_some_and(|it| it.player == service.player())
        };
        it.waiting_for.iter().any(is_own)
    };
    match running.iter().find(waits).or(running.first().filter(|_| running.len() == 1)) {
        Some(it) => Ok(it.name.clone()),
        None if running.is_empty() => {
            Err(Failure::new("NO_MATCH", "no match of yours is being played; start one"))
        }
        None => {
            let names: Vec<&str> = running.iter().map(|it| &*it.name).take(20).collect();
            let message =
                format!("several matches are being played; name one of {}", names.join(", "));
            Err(Failure::new("SEVERAL_MATCHES", message))
        }
    }
}

/// The matches of the player that are being played, the newest first.
pub async fn running(service: &impl Service) -> Result<Vec<Match>, Failure> {
    let listed = as_player(service, |player| ListMatchesRequest {
        state: MatchState::Running.into(),
        player,
        page_size: 20,
        language: service.language().to_owned(),
        ..ListMatchesRequest::default()
    });
    Ok(listed.await?.matches)
}

// === In words ===

/// A match in words, as far as they fit.
pub async fn describe(
    service: &impl Service,
    seen: &Seen,
    shown: &Shown,
) -> Result<String, Failure> {
    let entries = seen.entries(service, shown.since, shown.until).await?;
    let news: Vec<String> = entries.iter().filter_map(line).collect();
    let table = seen.table.as_ref().map_or("", |table| table.text.trim_end());
    let first = shown.from.clamp(1, seen.legal.len().max(1));
    let numbered = seen.legal.iter().enumerate().map(|(at, action)| {
        let open = if action.open_ended { " (example)" } else { "" };
        let effects = action.effects.iter().take(EFFECTS_MAX).map(|it| &*it.text);
        let effects = effects.collect::<Vec<_>>().join("; ");
        let effects = if effects.is_empty() { effects } else { format!(" [{effects}]") };
        format!("{}. {}{open}{effects}", at + 1, action.label)
    });
    let actions: Vec<String> = numbered.skip(first - 1).collect();

    let room = ANSWER_BYTES_MAX - REST_BYTES - shown.kept_free;
    let bytes = |lines: &[String]| lines.iter().map(|line| line.len() + 1).sum::<usize>();
    let (news_bytes, actions_bytes) = (bytes(&news), bytes(&actions));
    // The news give way first, then the table, then the end of the list.
    let for_news = room.saturating_sub(table.len() + actions_bytes).max(NEWS_BYTES_MIN);
    let for_news = for_news.min(news_bytes);
    let for_table = room.saturating_sub(for_news + actions_bytes).max(TABLE_BYTES_MIN);
    let table = fit(table, for_table);
    let for_actions = room.saturating_sub(for_news + table.len());

    let mut text = head(seen);
    if !news.is_empty() {
        let kept = fitting(news.iter().rev(), for_news);
        text.push_str("\n# What happened\n");
        if kept < news.len() {
            let left_out = news.len() - kept;
            let since = entries[0].position - 1;
            text.push_str(&format!(
                "[cut: {left_out} earlier lines left out; `look` with since {since} and until shows them]\n"
            ));
        }
        push_lines(&mut text, &news[news.len() - kept..]);
    }
    if !table.is_empty() {
        text.push_str("\n# The table\n");
        text.push_str(&table);
        text.push('\n');
    }
    if !actions.is_empty() {
        text.push_str(&question(seen));
        let kept = fitting(&actions, for_actions);
        push_lines(&mut text, &actions[..kept]);
        if kept < actions.len() {
            let next = first + kept;
            text.push_str(&format!(
                "[cut: actions {next} to {} left out; `look` with from {next} shows them]\n",
                seen.legal.len()
            ));
        }
    }
    Ok(fit(&text, ANSWER_BYTES_MAX - shown.kept_free))
}

fn push_lines(text: &mut String, lines: &[String]) {
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
}

/// An entry in one line, if there is something to tell.
fn line(entry: &Entry) -> Option<String> {
    let words = entry.text.trim().replace('\n', " ");
    (!words.is_empty()).then(|| format!("{}. {words}", entry.position))
}

/// The lines that programs read. Seats are numbered as texts do, from 1.
fn head(seen: &Seen) -> String {
    let it = &seen.it;
    let state = match it.state() {
        MatchState::Open => "open: waiting for players",
        MatchState::Ended => "ended",
        _ if it.paused => "paused",
        _ if seen.is_turn(i32::MAX) => "your turn",
        _ if !seen.legal.is_empty() => "waiting: you may act",
        _ => "waiting",
    };
    let mut text = format!("match: {}\ngame: {}\n", it.name, it.game);
    text.push_str(&match seen.seat {
        Some(seat) => format!("seat: {}\n", seat + 1),
        None => "seat: none, a spectator\n".to_owned(),
    });
    text.push_str(&format!("state: {state}\nposition: {}\n", seen.position()));
    if !seen.legal.is_empty() {
        text.push_str(&format!("list: {}\nactions: {}\n", seen.list(), seen.legal.len()));
    }
    text
}

/// What is asked, and what the list does not hold.
fn question(seen: &Seen) -> String {
    let asked = seen.prompts().map(|it| format!("{}{}", it.text, time_limit(it)));
    let asked: Vec<String> = asked.collect();
    let heading = format!("\n# Your actions\n{}\n", asked.join(" "));
    let examples = seen.kinds.iter().filter(|kind| !kind.complete).map(|kind| &*kind.verb);
    let examples: Vec<&str> = examples.collect();
    let note = match examples.is_empty() {
        true => String::new(),
        false => format!("More are legal than are listed: {}.\n", examples.join(", ")),
    };
    format!("{}{note}{}", fit(&heading, 400), fit(&obstacles(seen), OBSTACLES_BYTES_MAX))
}

/// Why other kinds of action are not legal, each in a line.
fn obstacles(seen: &Seen) -> String {
    let line = |it: &Obstacle| format!("Not possible: {}. {}.\n", it.verb, it.text);
    seen.obstacles.iter().map(line).collect()
}

/// Until when the seat has time.
fn time_limit(prompt: &Prompt) -> String {
    prompt.deadline.map_or_else(String::new, |it| format!(" Its time ends at {it}."))
}
