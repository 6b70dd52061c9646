//! Matches and seeks as messages of the contract.

#![deny(clippy::wildcard_enum_match_arm)]

use ::answers::motion_of;
use clocks::{Clock, Clocks, OnTimeout, TimeControl};
use contract::names::{game_name, seek_name};
use contract::{duration, seconds, v1};
use matches::{PastPlayer, Reveal, SeatedPlayer, Seek, Series, State, Summary};
use table::{CASUAL, Contribution, DEVICE, Entropy, MODULE, Motion, Seat, Seats, Small};

use super::values::{match_name, number, timestamp, wire_position};

pub(crate) fn match_of(mut summary: Summary) -> v1::Match {
    let mut options = std::mem::take(&mut summary.row.terms.options);
    let time_control = TimeControl::take_from(&mut options);
    let casual = options.remove(CASUAL).is_some();
    let from_device = options.remove(DEVICE).is_some();
    let module = options.remove(MODULE).unwrap_or_default();
    let (series, reveal) = (summary.series(), summary.reveal());
    let seats = summary.players.into_iter().zip(0..);
    let state = match summary.state {
        State::Open => v1::MatchState::Open,
        State::Running => v1::MatchState::Running,
        State::Ended => v1::MatchState::Ended,
    };
    let (row, now) = (&summary.row, &summary.now);
    let (reveal, reveal_delay) = match reveal {
        Reveal::AtEnd => (v1::Reveal::AtEnd, None),
        Reveal::After(delay_s) => (v1::Reveal::AfterDelay, Some(seconds(delay_s))),
        Reveal::Never => (v1::Reveal::Never, None),
    };
    let entropy = match &summary.state {
        State::Open => v1::Entropy::Unspecified,
        State::Running | State::Ended => entropy_of(&now.contributions),
    };
    let mut seats: Vec<v1::Seat> = seats.map(|(player, seat)| seat_of(seat, player)).collect();
    for Contribution { seat, bytes, after_commitment: _ } in &now.contributions {
        if let Some(seat) = seats.get_mut(seat.index()) {
            seat.contribution = bytes.to_vec();
        }
    }
    let previous = row.terms.follows.as_ref().map(|it| it.previous);
    let is_in_series = previous.is_some() || row.next.is_some();
    v1::Match {
        name: match_name(row.match_id),
        game: game_name(&row.game),
        state: state.into(),
        seats,
        entropy: entropy.into(),
        options: options.into_iter().collect(),
        position: wire_position(summary.position),
        create_time: Some(timestamp(row.create_time)),
        update_time: summary.update_time.map(timestamp),
        waiting_for: now.waiting_for.iter().map(number).collect(),
        scores: now.scores.clone(),
        abandoned: now.winners.is_some_and(Seats::is_empty),
        paused: now.is_paused,
        lobby: row.is_in_lobby,
        display_name: row.display_name.clone().unwrap_or_default(),
        module,
        from_device,
        casual,
        votes: now.votes.iter().copied().map(vote_of).collect(),
        winners: now.winners.into_iter().flat_map(Seats::iter).map(number).collect(),
        seed_commitment: hex::encode(row.terms.seed_commitment),
        seed: summary.seed.map(hex::encode).unwrap_or_default(),
        tags: summary.tags.into_iter().collect(),
        round: now.round.map(Into::into),
        turn: now.turn.map(number),
        reveal: reveal.into(),
        reveal_delay,
        previous: previous.map(match_name).unwrap_or_default(),
        next: row.next.map(match_name).unwrap_or_default(),
        series: is_in_series.then(|| series_of(series)),
        time_control: time_control.map(time_control_of),
        clocks: now.clocks.as_ref().map(clocks_of),
        unreadable: summary.is_unreadable,
        ..v1::Match::default()
    }
}

fn entropy_of(contributions: &[Contribution]) -> v1::Entropy {
    match Entropy::of(contributions) {
        Entropy::ServiceOnly => v1::Entropy::ServiceOnly,
        Entropy::Shared => v1::Entropy::Shared,
        Entropy::SharedOrderNotProven => v1::Entropy::SharedOrderNotProven,
    }
}

fn time_control_of(it: TimeControl) -> v1::TimeControl {
    let on_timeout = match it.on_timeout {
        OnTimeout::Answer => v1::OnTimeout::Answer,
        OnTimeout::Resign => v1::OnTimeout::Resign,
    };
    v1::TimeControl {
        preset: it.preset().unwrap_or_default().to_owned(),
        bank: Some(seconds(it.bank_s)),
        increment: Some(seconds(it.increment_s)),
        per_decision: Some(seconds(it.per_decision_s)),
        on_timeout: on_timeout.into(),
        resign_after: it.resign_after,
    }
}

/// A player who looks for a match.
pub(crate) fn seek_of(seek: Seek) -> v1::Seek {
    let state = match (seek.is_open, seek.match_id) {
        (true, _) => v1::SeekState::Open,
        (false, Some(_)) => v1::SeekState::Seated,
        (false, None) => v1::SeekState::Deleted,
    };
    let mut options = seek.options;
    let time_control = TimeControl::take_from(&mut options);
    let casual = options.remove(CASUAL).is_some();
    v1::Seek {
        name: seek_name(seek.seek_id),
        player: seek.player,
        display_name: seek.display_name.unwrap_or_default(),
        game: game_name(&seek.game),
        seats: seek.seats,
        options: options.into_iter().collect(),
        time_control: time_control.map(time_control_of),
        casual,
        rating_distance: seek.distance,
        rating_widening_per_s: seek.widening,
        rating: seek.rating,
        create_time: Some(timestamp(seek.create_time)),
        state: state.into(),
        r#match: seek.match_id.map(match_name).unwrap_or_default(),
    }
}

fn clocks_of(clocks: &Clocks) -> v1::Clocks {
    let clock_of = |(nth, clock): (usize, &Clock)| {
        let seat = Seat::nth(nth)?;
        Some(v1::Clock {
            seat: number(seat),
            bank: Some(duration(clock.bank)),
            running_since_time: clock.running_since.map(timestamp),
            deadline: clocks.deadline(seat).map(timestamp),
            timeouts: clock.timeouts,
        })
    };
    v1::Clocks {
        clocks: clocks.seats().iter().enumerate().filter_map(clock_of).collect(),
        paused_for_outage: Some(duration(clocks.excused())),
    }
}

fn seat_of(seat: u32, player: Option<SeatedPlayer>) -> v1::Seat {
    let Some(player) = player else {
        return v1::Seat { seat, ..v1::Seat::default() };
    };
    let bot = player.bot().map(str::to_owned);
    let SeatedPlayer { player, display_name, is_erased: _, before } = player;
    let level = |bot: Option<&str>| bot.unwrap_or_default().to_owned();
    let past = |it: PastPlayer| v1::PastPlayer {
        bot: level(it.bot()),
        player: if it.bot().is_some() { String::new() } else { it.player },
        display_name: it.display_name.unwrap_or_default(),
        until_position: wire_position(it.until),
    };
    v1::Seat {
        seat,
        player: if bot.is_some() { String::new() } else { player },
        display_name: display_name.unwrap_or_default(),
        contribution: Vec::new(),
        players_before: before.into_iter().map(past).collect(),
        bot: bot.unwrap_or_default(),
    }
}

fn series_of(series: Series) -> v1::Series {
    let Series { number, wins, best_of, winner } = series;
    v1::Series { number, wins, best_of, winner: winner.map(self::number) }
}

fn vote_of((seat, motion): (Seat, Motion)) -> v1::Vote {
    v1::Vote { seat: number(seat), motion: motion_of(motion).into() }
}
