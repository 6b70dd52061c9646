//! The data that a match takes over from the one that it follows.

use std::collections::BTreeMap;

use clocks::TimeControl;
use rows::{Follows, MatchId, Series, level_of};
use table::{CASUAL, Seat, Small};

use super::new_match::NewMatch;
use crate::access::Caller;
use crate::error::{Error, SeriesError};
use crate::matches::Matches;
use crate::request::display_names;

impl Matches {
    /// Completes a request with the data of the previous match. `new.previous` must be set.
    pub(crate) async fn follow(
        &self,
        caller: &Caller,
        new: &NewMatch,
        previous: MatchId,
    ) -> Result<(NewMatch, Follows), Error> {
        let (live, _) = self.current(caller, previous).await?;
        let head = live.head();
        let ended = head.table.filter(|table| table.ended()).ok_or(SeriesError::NotEnded)?;
        let winners: Vec<Seat> = ended.winners().into_iter().flat_map(|it| it.iter()).collect();
        let (row, seats) = (live.row(), live.seats());
        let series = Series::of(row, &winners);
        if let Some(winner) = series.winner {
            return Err(SeriesError::Decided { winner }.into());
        }
        let seated = live.players();
        // An erased player cannot be seated again.
        if seated.iter().flatten().any(|it| it.is_erased) {
            return Err(Error::PlayerErased);
        }
        let before: Vec<String> = seated.iter().flatten().map(|it| it.player.clone()).collect();
        let named = named(new, &before, seats.into());
        let players = if new.players.is_empty() && new.bots.is_empty() { &before } else { &named };
        let display_names = match &new.display_names[..] {
            [] => display_names::taken_over(&seated, players),
            _ if new.players.is_empty() && new.bots.is_empty() => {
                return Err(display_names::without_players());
            }
            given => given.to_vec(),
        };
        if !new.game.is_empty() && new.game != live.game.name() {
            return Err(SeriesError::Mismatch { field: "game" }.into());
        }
        if new.seats != 0 && new.seats != u32::from(seats) {
            return Err(SeriesError::Mismatch { field: "seats" }.into());
        }
        let moved = moved(&before, players).ok_or(SeriesError::Mismatch { field: "players" })?;
        let (its, moves) = (live.clone(), moved.clone());
        let naming = self.budgets().by_rules(live.platform(), live.game, move || {
            let moved = |seat: Seat| moves[usize::from(u8::from(seat))];
            its.game.options_of_next(its.options(), &ended, &moved)
        });
        let mut options: BTreeMap<String, String> = naming.await?;
        options.extend(new.options.clone());
        let level = |id: &String| level_of(id).unwrap_or_default().to_owned();
        let has_bots = players.iter().any(|id| level_of(id).is_some());
        let filled = NewMatch {
            game: live.game.name().to_owned(),
            seats: seats.into(),
            players: players.iter().map(|id| without_bot(id)).collect(),
            bots: if has_bots { players.iter().map(level).collect() } else { Vec::new() },
            display_names,
            options,
            time_control: new.time_control.or_else(|| TimeControl::of(live.options())),
            casual: new.casual.or_else(|| Some(live.options().contains_key(CASUAL))),
            ..new.clone()
        };
        Ok((filled, series.follows(previous, &moved)))
    }
}

/// The players of a request by seat. Its bots stand for the bots of the same levels in the match
/// before.
fn named(new: &NewMatch, before: &[String], seats: usize) -> Vec<String> {
    let mut bots: Vec<&String> = before.iter().filter(|id| level_of(id).is_some()).collect();
    let mut players = new.players.clone();
    if !new.bots.is_empty() {
        players.resize(seats.max(new.bots.len()).max(players.len()), String::new());
    }
    for (player, level) in players.iter_mut().zip(&new.bots).filter(|(_, level)| !level.is_empty())
    {
        if let Some(at) = bots.iter().position(|id| level_of(id) == Some(level)) {
            player.clone_from(bots.remove(at));
        }
    }
    players
}

fn without_bot(id: &str) -> String {
    if level_of(id).is_some() { String::new() } else { id.to_owned() }
}

/// For each seat of the match before, the seat of the same player now; `None` unless the players
/// are the same.
fn moved(before: &[String], players: &[String]) -> Option<Vec<Seat>> {
    if before.len() != players.len() {
        return None;
    }
    let seat_of = |player: &String| players.iter().position(|it| it == player);
    before.iter().map(|player| Seat::nth(seat_of(player)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(n: usize) -> Seat {
        Seat::nth(n).expect("a table has more seats")
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn the_same_players_may_sit_on_any_seats() {
        let before = names(&["ann", "bob", "cid"]);
        let moved = |players: &[&str]| super::moved(&before, &names(players));
        assert_eq!(moved(&["ann", "bob", "cid"]), Some(vec![seat(0), seat(1), seat(2)]));
        assert_eq!(moved(&["cid", "ann", "bob"]), Some(vec![seat(1), seat(2), seat(0)]));
        for others in [
            &["ann", "bob"][..],
            &["ann", "bob", "eve"],
            &["ann", "bob", "ann"],
            &["ann", "bob", ""],
        ] {
            assert_eq!(moved(others), None, "{others:?}");
        }
    }
}
