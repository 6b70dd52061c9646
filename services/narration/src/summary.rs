//! A match in a sentence or two.

use table::{Seat, Seats};

use crate::Narrator;
use crate::clauses::{scored, won};
use crate::people::SEAT;
use crate::words::{Args, sentence};

/// The public state of a match.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The number of seats without a player.
    pub open: usize,
    /// The seats that must decide something; empty before the match starts and once it has ended.
    pub waiting_for: Seats,
    /// The public points by seat.
    pub scores: Vec<i32>,
    pub round: Option<u8>,
    pub turn: Option<Seat>,
    pub winners: Option<Seats>,
}

impl Narrator {
    /// `Mountebank: Ada and Bruno. It is Ada's turn. Scores: Ada 12, Bruno 9.`
    pub fn summary(&self, standing: &Standing) -> String {
        let voice = self.voice();
        let words = voice.words();
        let seats: Seats = self.people.seats().collect();
        let game = Args::new()
            .text("game", words.say("game", &Args::new()))
            .text("people", voice.people(seats))
            .number("open", standing.open as i64);
        let mut sentences = vec![words.say("summary", &game)];
        if let Some(winners) = standing.winners {
            sentences.push(won(voice, winners));
        } else if let Some(turn) = standing.turn {
            let args = Args::new().person(SEAT, self.person(turn));
            let args = args.number("round", standing.round.unwrap_or_default().into());
            sentences.push(words.say("summary-turn", &args));
            let others = standing.waiting_for.iter().any(|seat| seat != turn);
            if others {
                let args = voice.with_people(Args::new(), standing.waiting_for.iter());
                sentences.push(words.say("summary-waiting", &args));
            }
        }
        if standing.scores.iter().any(|&points| points != 0) {
            let scores: Vec<_> = self.people.seats().zip(standing.scores.iter().copied()).collect();
            sentences.push(scored(voice, &scores, |_| Vec::new()));
        }
        let sentences = sentences.iter().map(|it| sentence(it));
        sentences.collect::<Vec<_>>().join(" ")
    }
}
