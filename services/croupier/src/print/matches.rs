//! Matches as commands print them.

use std::io;

use contract::v1::{Game, GetMatchResponse, Match, Seat};

use super::lines::{json, line, wrap};
use super::texts::Texts;

/// Prints the same as `GET /v1/matches/{match}` returns.
pub fn print_match(it: &Match) -> io::Result<()> {
    json("GetMatchResponse", &GetMatchResponse { r#match: Some(it.clone()) })
}

/// Prints the seats of a match, and the commands to continue with.
pub fn print_match_and_next(
    texts: &Texts,
    game: &Game,
    it: &Match,
    command: &str,
) -> io::Result<()> {
    line(&format!("{}: {}\n", game.title, it.name))?;
    for seat in &it.seats {
        let who = match seat.player.as_str() {
            "" if !seat.bot.is_empty() => texts.player(seat.seat),
            "" => "open".to_owned(),
            id => titled_player(&texts.player(seat.seat), id),
        };
        line(&format!("  --seat {}  {who}", seat.seat))?;
    }
    line(&wrap("\n", &it.summary))?;
    let name = &it.name;
    line("\nNext:\n")?;
    let open = it.seats.iter().filter(|seat| is_open(seat)).count();
    if open > 0 {
        let seats =
            if open == 1 { "the open seat".to_owned() } else { format!("one of {open} seats") };
        line(&format!("  {command} join {name} PLAYER    # takes {seats}"))?;
    }
    let people = it.seats.iter().filter(|seat| seat.bot.is_empty()).map(|seat| seat.seat);
    let is_asked = |seat: &u32| it.waiting_for.contains(seat);
    if let Some(seat) = people.clone().find(is_asked).or_else(|| people.min()) {
        line(&format!("  {command} act {name} --seat {seat}    # plays for a seat"))?;
    }
    line(&format!("  {command} watch {name}    # shows what everyone may know"))
}

/// Whether neither a player nor a bot has the seat.
pub fn is_open(seat: &Seat) -> bool {
    seat.player.is_empty() && seat.bot.is_empty()
}

/// A player's name, with the id if it differs.
fn titled_player(name: &str, id: &str) -> String {
    if name.eq_ignore_ascii_case(id) { id.to_owned() } else { format!("{name} ({id})") }
}
