//! The tools `games` and `review`: the rules, and matches that ended.

use contract::v1::{
    Entropy, Game, GetRulesRequest, ListGamesRequest, Match, Rules, RulesParagraph, ScorePart,
};

use crate::arguments::{Games, Review, game_name, match_name};
use crate::failure::Failure;
use crate::seen::{Seen, incomplete, see};
use crate::service::Service;
use crate::text::{ANSWER_BYTES_MAX, fit, fitting};

/// What a page of rules keeps free for its heading and notes.
const REST_BYTES: usize = 400;

pub async fn games(service: &impl Service, args: Games) -> Result<String, Failure> {
    let language = service.language().to_owned();
    let request = ListGamesRequest { page_size: 1000, language, ..Default::default() };
    let games = service.call(request).await?.games;
    let Some(game) = args.game else { return Ok(all(&games)) };
    let name = game_name(&game);
    let game = games.iter().find(|it| it.name == name).ok_or_else(|| {
        let known: Vec<&str> = games.iter().map(short).collect();
        let message = format!("there is no game {game:?}; there are {}", known.join(", "));
        Failure::new("UNKNOWN_GAME", message)
    })?;
    let language = service.language().to_owned();
    let request = GetRulesRequest { name: format!("{name}/rules"), language, ..Default::default() };
    let rules = service.call(request).await?.rules.ok_or_else(incomplete)?;
    match args.section {
        None => Ok(contents(game, &rules)),
        Some(section) => read_on(&rules, section.trim()),
    }
}

fn short(game: &Game) -> &str {
    game.name.strip_prefix("games/").unwrap_or(&game.name)
}

fn all(games: &[Game]) -> String {
    let mut text = String::new();
    for game in games {
        let (title, description) = (&game.title, &game.description);
        let (min, max) = (game.seats_min, game.seats_max);
        text.push_str(&format!("{}: {title}, {min} to {max} seats. {description}\n", short(game)));
    }
    text.push_str("\n`games` with one of these names has its options and rules.\n");
    fit(&text, ANSWER_BYTES_MAX)
}

/// A game with its options, and the contents of its rules.
fn contents(game: &Game, rules: &Rules) -> String {
    let mut text = all(std::slice::from_ref(game));
    if !game.options.is_empty() {
        text.push_str("\n# Options\n");
    }
    for option in &game.options {
        let (name, default) = (&option.name, &option.default_value);
        let values = option.values.join(", ");
        text.push_str(&format!(
            "{name}: {} ({values}; {default} unless set)\n",
            option.description
        ));
    }
    text.push_str("\n# Rules: `games` with a section shows it\n");
    for section in &rules.sections {
        let ends = if section.ends_match { " (how the match ends)" } else { "" };
        text.push_str(&format!("{}. {}{ends}\n", section.number, section.title));
    }
    fit(&text, ANSWER_BYTES_MAX)
}

/// The rules from a section such as `4`, or a paragraph such as `4.2`, to the end of the section.
fn read_on(rules: &Rules, from: &str) -> Result<String, Failure> {
    let number = from.split('.').next().unwrap_or_default();
    let section = rules.sections.iter().find(|it| it.number.to_string() == number);
    let first = section.and_then(|it| match from.contains('.') {
        true => it.paragraphs.iter().position(|it| it.number == from),
        false => Some(0),
    });
    let (Some(section), Some(first)) = (section, first) else {
        let last = rules.sections.len();
        let message = format!("there is no section {from:?}; name one from 1 to {last}");
        return Err(Failure::new("SECTION_NOT_FOUND", message));
    };
    let paragraph = |it: &RulesParagraph| {
        let ruling = match it.ruling.is_empty() {
            true => String::new(),
            false => format!(" Ruling: {}", it.ruling),
        };
        fit(&format!("{} {}{ruling}", it.number, it.text), ANSWER_BYTES_MAX / 2)
    };
    let rest = &section.paragraphs[first..];
    let lines: Vec<String> = rest.iter().map(paragraph).collect();
    let kept = fitting(&lines, ANSWER_BYTES_MAX - REST_BYTES);
    let mut text = format!("# {}. {}\n", section.number, section.title);
    for line in &lines[..kept] {
        text.push_str(line);
        text.push('\n');
    }
    if let Some(next) = rest.get(kept) {
        text.push_str(&format!("[cut: go on with section {:?}]\n", next.number));
    }
    Ok(fit(&text, ANSWER_BYTES_MAX))
}

// === Matches that ended ===

pub async fn review(service: &impl Service, args: Review) -> Result<String, Failure> {
    let seen = see(service, &match_name(&args.name)).await?;
    if !seen.is_ended() {
        return Err(Failure::new("MATCH_NOT_ENDED", "the match has not ended; `wait` for its end"));
    }
    let mut text = format!("match: {}\ngame: {}\nstate: ended\n", seen.it.name, seen.it.game);
    text.push_str(&result(&seen));
    text.push_str(&verification(&seen.it));
    Ok(fit(&text, ANSWER_BYTES_MAX))
}

fn result(seen: &Seen) -> String {
    let it = &seen.it;
    let mut text = format!("\n# Result\n{}\n", it.summary);
    if it.abandoned {
        text.push_str("It ended without a result.\n");
    }
    let parts = seen.table.as_ref().map_or(&[][..], |table| &table.score_parts);
    for (seat, points) in (0u32..).zip(&it.scores) {
        let who = it.seats.get(seat as usize).map_or_else(String::new, |it| {
            match [&it.display_name, &it.player, &it.bot].into_iter().find(|it| !it.is_empty()) {
                Some(name) => format!(", {name}"),
                None => String::new(),
            }
        });
        let you = if seen.seat == Some(seat) { ", you" } else { "" };
        let won = if it.winners.contains(&seat) { ", won" } else { "" };
        let part = |it: &ScorePart| format!("{} {}", it.points, it.title);
        let parts: Vec<String> = parts.iter().filter(|it| it.seat == seat).map(part).collect();
        let why = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
        let number = seat + 1;
        text.push_str(&format!("seat {number}{who}{you}{won}: {points} points{why}\n"));
    }
    text
}

fn verification(it: &Match) -> String {
    let id = it.name.strip_prefix("matches/").unwrap_or(&it.name);
    let chance = match it.entropy() {
        Entropy::Shared => "the seed and contributions of seats, which came after the commitment",
        Entropy::SharedOrderNotProven => "the seed and contributions of seats",
        _ => "the seed of the service alone",
    };
    let seed = match it.seed.is_empty() {
        true => "not revealed yet".to_owned(),
        false => it.seed.clone(),
    };
    format!(
        "\n# Verification\n\
         All chance follows from {chance}.\n\
         seed commitment, published before the deal: {}\n\
         seed: {seed}\n\
         record: the resource croupier://matches/{id}/record, or GET /v1/matches/{id}/record\n\
         `croupier verify {id}` plays the record again by the rules and checks every digest and every \
         random choice; docs/verify.md describes how to do it without our code.\n",
        it.seed_commitment
    )
}
