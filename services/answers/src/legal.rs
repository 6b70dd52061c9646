//! Legal actions as messages of the contract.

use contract::{names, reasons, v1};
use games::{About, Beside, By, Counter, Effect, Game, Group, Legal, LegalKind, Obstacle, Refused};
use positions::Position;
use table::{Layout, Motion, PlaceId, Table};

use crate::values::{action_of, number, wire_position};

/// The legal actions of a seat, and the table as it sees it.
pub struct Legals<'a> {
    pub game: &'static dyn Game,
    pub position: Position,
    pub actions: &'a [Legal],
    pub kinds: &'a [LegalKind],
    pub table: &'a Table,
    pub beside: &'a Beside,
}

/// The answer without texts, and the groups of its actions.
pub fn legal_of(legal: &Legals) -> (v1::ListLegalActionsResponse, Vec<Group>) {
    let (game, layout) = (legal.game, legal.game.layout());
    let abouts: Vec<About> = legal.actions.iter().map(|it| About::of(game, &it.action)).collect();
    let groups = games::groups(legal.table, legal.actions, &abouts);
    let place = |place: PlaceId| layout.place_name(place).to_owned();
    let effects = legal.beside.effects.iter().map(Vec::as_slice).chain(std::iter::repeat(&[][..]));
    let actions = legal.actions.iter().zip(abouts).zip(effects).map(|((it, about), effects)| {
        let amount = |(coin, amount)| v1::Amount {
            coin: layout.coin_name(coin).to_owned(),
            amount,
            text: String::new(),
        };
        v1::LegalAction {
            verb: it.verb.to_owned(),
            action: Some(action_of(game, it.action.clone())),
            open_ended: it.open_ended,
            pieces: about.pieces.iter().map(|&it| layout.piece_name(it).to_owned()).collect(),
            places: about.places.into_iter().map(place).collect(),
            seats: about.seats.into_iter().map(number).collect(),
            values: about.values.into_iter().map(str::to_owned).collect(),
            amounts: about.amounts.into_iter().map(amount).collect(),
            effects: effects.iter().map(|it| effect_of(layout, it)).collect(),
            ..v1::LegalAction::default()
        }
    });
    let kinds = legal.kinds.iter().map(|kind| v1::LegalActionKind {
        verb: kind.verb.to_owned(),
        listed: kind.listed as u32,
        complete: kind.is_complete,
    });
    let answer = v1::ListLegalActionsResponse {
        position: wire_position(legal.position),
        actions: actions.collect(),
        kinds: kinds.collect(),
        groups: groups.iter().map(|group| group_of(layout, group)).collect(),
        obstacles: legal.beside.obstacles.iter().map(|it| obstacle_of(game, it)).collect(),
    };
    (answer, groups)
}

/// The same reason, domain and facts as in the error of such an action.
fn obstacle_of(game: &dyn Game, it: &Obstacle) -> v1::Obstacle {
    let verb = it.verb.unwrap_or_default().to_owned();
    let (domain, reason, facts) = match &it.refusal {
        Refused::Rules { reason, facts, .. } => {
            (names::game_name(game.name()), *reason, &facts[..])
        }
        Refused::Table { reason, facts, .. } => (reasons::DOMAIN.to_owned(), *reason, &facts[..]),
        Refused::Malformed(_) | Refused::Faulty { .. } => (reasons::DOMAIN.to_owned(), "", &[][..]),
    };
    let facts = facts.iter().map(|(name, fact)| ((*name).to_owned(), fact.clone())).collect();
    let (reason, message) = (reason.to_owned(), it.refusal.to_string());
    v1::Obstacle { verb, reason, domain, facts, message, text: String::new() }
}

fn effect_of(layout: &Layout, it: &Effect) -> v1::Effect {
    let effect = v1::Effect { change: it.change, ..v1::Effect::default() };
    match it.of {
        Counter::Coins(place, coin) => {
            let (place, coin) = (layout.place_name(place), layout.coin_name(coin));
            v1::Effect { place: place.to_owned(), coin: coin.to_owned(), ..effect }
        }
        Counter::Mark(mark) => v1::Effect { mark: layout.mark_name(mark).to_owned(), ..effect },
    }
}

fn group_of(layout: &Layout, group: &Group) -> v1::LegalActionGroup {
    use v1::legal_action_group::By as Wire;
    v1::LegalActionGroup {
        by: Some(match group.by {
            By::Verb(verb) => Wire::Verb(verb.to_owned()),
            By::Piece(piece) => Wire::Piece(layout.piece_name(piece).to_owned()),
            By::Place(place) => Wire::Place(layout.place_name(place).to_owned()),
            By::Seat(seat) => Wire::Seat(number(seat)),
            By::Value(value) => Wire::Value(value.to_owned()),
            By::Others => Wire::Others(true),
        }),
        title: String::new(),
        groups: group.groups.iter().map(|it| group_of(layout, it)).collect(),
        actions: group.actions.iter().map(|&nth| nth as u32).collect(),
    }
}

pub fn motion_of(motion: Motion) -> v1::Motion {
    match motion {
        Motion::EndWithoutResult => v1::Motion::EndWithoutResult,
        Motion::Pause => v1::Motion::Pause,
        Motion::Resume => v1::Motion::Resume,
    }
}
