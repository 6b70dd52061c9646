//! Series: matches that follow each other, with the same players.
//!
//! What a match takes over is fixed when it is created, so its set-up and its score depend on
//! nothing but its own record.

use clocks::TimeControl;
use std::collections::BTreeMap;

use store::{Follows, MatchId, MatchRow, level_of};
use table::{Seat, Small};

use crate::budgets::Lane;
use crate::live::LiveMatch;
use crate::rows::seats_of;
use crate::{Caller, Error, Matches, NewMatch, display_names};

/// The score of a series, after this match if it has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The number of this match, counted from 1.
    pub number: u32,
    /// The matches won alone, by seat of this match.
    pub wins: Vec<u32>,
    /// The number of matches of which more than half decide the series; none if it has no end.
    pub best_of: Option<u32>,
    /// The seat that has won the series.
    pub winner: Option<Seat>,
}

/// Why no match can follow another one as requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeriesError {
    #[error("the match to follow has not ended")]
    NotEnded,
    #[error("another match follows that one already")]
    Followed { next: MatchId },
    #[error("seat {winner} of the match to follow has won the series")]
    Decided { winner: Seat },
    #[error("a match has the game, the number of seats and the players of the one that it follows")]
    Mismatch { field: &'static str },
}

impl Series {
    /// After a stored match with these winners.
    pub fn of(row: &MatchRow, winners: &[Seat]) -> Series {
        let seats = seats_of(row);
        let best_of = games::find(&row.game).and_then(|game| game.best_of(seats));
        Series::after(best_of, seats, row.follows.as_ref(), winners)
    }

    /// After a match with these winners; before its end there are none. `best_of` is the game's: it
    /// stands for a match that follows none.
    fn after(
        best_of: Option<u8>,
        seats: u8,
        follows: Option<&Follows>,
        winners: &[Seat],
    ) -> Series {
        let (number, mut wins, best_of) = match follows {
            Some(it) => {
                let wins: Vec<u32> = it.wins.iter().map(|&it| positive(it)).collect();
                (positive(it.number), wins, it.best_of.map(positive))
            }
            None => (1, vec![0; seats.into()], best_of.map(u32::from)),
        };
        if let [winner] = winners
            && let Some(wins) = wins.get_mut(usize::from(u8::from(*winner)))
        {
            *wins += 1;
        }
        let decides =
            |wins: &u32| best_of.is_some_and(|best_of| u64::from(*wins) * 2 > best_of.into());
        let winner = wins.iter().position(decides).and_then(Seat::nth);
        Series { number, wins, best_of, winner }
    }

    /// What the next match takes over. `moved` is where each seat of this match sits in it.
    fn follows(&self, previous: MatchId, moved: &[Seat]) -> Follows {
        let mut wins = vec![0; moved.len()];
        for (seat, won) in moved.iter().zip(&self.wins) {
            wins[usize::from(u8::from(*seat))] = stored(*won);
        }
        let (number, best_of) = (stored(self.number + 1), self.best_of.map(stored));
        Follows { previous, number, wins, best_of }
    }
}

/// Checks of the tables and of files keep the numbers of a series positive.
fn positive(stored: i32) -> u32 {
    stored.try_into().unwrap_or_default()
}

fn stored(number: u32) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

impl Matches {
    /// Fills in what a match takes over from the one before it, wherever the request is silent.
    /// `new.previous` must be set.
    pub(crate) async fn follow(
        &self,
        caller: &Caller,
        new: &NewMatch,
        previous: MatchId,
    ) -> Result<(NewMatch, Follows), Error> {
        let live = self.live(caller, previous).await?;
        self.refresh(&live).await?;
        let head = live.head();
        let ended = head.table.filter(|table| table.ended()).ok_or(SeriesError::NotEnded)?;
        let winners: Vec<Seat> = ended.winners().into_iter().flat_map(|it| it.iter()).collect();
        let (row, seats) = (live.row(), live.seats());
        let series = Series::of(row, &winners);
        if let Some(winner) = series.winner {
            return Err(SeriesError::Decided { winner }.into());
        }
        let seated = live.players();
        // Nobody is called by a pseudonym, so nobody could take that seat.
        if seated.iter().flatten().any(|it| it.is_erased) {
            return Err(Error::PlayerErased);
        }
        let before: Vec<String> = seated.iter().flatten().map(|it| it.player.clone()).collect();
        let named = named(new, &before, seats.into());
        let players = if new.players.is_empty() && new.bots.is_empty() { &before } else { &named };
        let display_names = match &new.display_names[..] {
            [] => display_names::taken_over(&seated, players),
            _ if new.players.is_empty() => return Err(display_names::without_players()),
            given => given.to_vec(),
        };
        if !new.game.is_empty() && new.game != live.game.name() {
            return Err(SeriesError::Mismatch { field: "game" }.into());
        }
        if new.seats != 0 && new.seats != u32::from(seats) {
            return Err(SeriesError::Mismatch { field: "seats" }.into());
        }
        let moved = moved(&before, players).ok_or(SeriesError::Mismatch { field: "players" })?;
        let mut options: BTreeMap<String, String> =
            live.game
                .options_of_next(&live.options, &ended, &|seat| moved[usize::from(u8::from(seat))]);
        options.extend(new.options.clone());
        let level = |id: &String| level_of(id).unwrap_or_default().to_owned();
        // Bots are named by the seats that they have now.
        let is_bot = |seat: usize| players.get(seat).is_some_and(|id| level_of(id).is_some());
        let mut display_names = display_names;
        let of_bots = display_names.iter_mut().enumerate().filter(|(seat, _)| is_bot(*seat));
        of_bots.for_each(|(_, name)| name.clear());
        let has_bots = players.iter().any(|id| level_of(id).is_some());
        let filled = NewMatch {
            game: live.game.name().to_owned(),
            seats: seats.into(),
            players: players.iter().map(|id| without_bot(id)).collect(),
            bots: if has_bots { players.iter().map(level).collect() } else { Vec::new() },
            display_names,
            options,
            time_control: new.time_control.or_else(|| TimeControl::of(&live.options)),
            ..new.clone()
        };
        Ok((filled, series.follows(previous, &moved)))
    }

    /// The match that follows this one, if one does. It is asked for only once this match has
    /// ended, and only until there is one. While the database is unavailable, it is the one that
    /// this process knows.
    pub(crate) async fn next_of(&self, live: &LiveMatch) -> Result<Option<MatchId>, Error> {
        if !live.has_ended() || live.next().is_some() {
            return Ok(live.next());
        }
        let finding = self.0.store.next_match(live.platform(), live.id());
        match self.in_lane(Lane::Lists, live.platform(), finding).await {
            Ok(Some(next)) => live.set_next(next),
            Ok(None) | Err(Error::DatabaseUnavailable { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(live.next())
    }
}

/// The players of a request by seat, where its bots stand for those of the match before.
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

/// Where each seat of the match before sits now; none unless the same players sit.
fn moved(before: &[String], players: &[String]) -> Option<Vec<Seat>> {
    if before.len() != players.len() {
        return None;
    }
    let seat_of = |player: &String| players.iter().position(|it| it == player);
    before.iter().map(|player| Seat::nth(seat_of(player)?)).collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn seat(n: usize) -> Seat {
        Seat::nth(n).expect("a table has more seats")
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    const PREVIOUS: MatchId = MatchId(Uuid::nil());

    /// Mountebank with two seats, once for each list of winners; seats change after each match.
    fn score(matches: &[&[usize]]) -> Series {
        let game = games::find("mountebank").expect("a game");
        let mut follows = None;
        let mut series = None;
        for winners in matches {
            let winners: Vec<Seat> = winners.iter().map(|&it| seat(it)).collect();
            let after = Series::after(game.best_of(2), 2, follows.as_ref(), &winners);
            follows = Some(after.follows(PREVIOUS, &[seat(1), seat(0)]));
            series = Some(after);
        }
        series.expect("there is a match")
    }

    /// §8.2
    #[test]
    fn two_wins_decide_the_best_of_three() {
        let series = |number, wins: [u32; 2], winner| {
            let wins = wins.to_vec();
            Series { number, wins, best_of: Some(3), winner }
        };
        assert_eq!(score(&[&[]]), series(1, [0, 0], None));
        assert_eq!(score(&[&[0]]), series(1, [1, 0], None));
        assert_eq!(score(&[&[0], &[]]), series(2, [0, 1], None), "the score follows the player");
        assert_eq!(score(&[&[0], &[1]]), series(2, [0, 2], Some(seat(1))));
        assert_eq!(score(&[&[0], &[0], &[0]]), series(3, [2, 1], Some(seat(0))));
        assert_eq!(score(&[&[0], &[0], &[0, 1]]), series(3, [1, 1], None), "a shared win");
        assert_eq!(score(&[&[0], &[0], &[0, 1], &[1]]), series(4, [1, 2], Some(seat(1))));
    }

    #[test]
    fn a_series_without_a_length_goes_on() {
        let game = games::find("rigs").expect("a game");
        let mut follows = None;
        for number in 1..=9 {
            let series = Series::after(game.best_of(3), 3, follows.as_ref(), &[seat(2)]);
            assert_eq!((series.number, &series.wins[..]), (number, &[0, 0, number][..]));
            assert_eq!((series.best_of, series.winner), (None, None));
            follows = Some(series.follows(PREVIOUS, &[seat(0), seat(1), seat(2)]));
        }
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
