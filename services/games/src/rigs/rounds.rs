//! A round: the four phases, one after the other.

use table::Dealer;

use super::{
    deals, disasters, end,
    karma::stage,
    market,
    phases::{ROUNDS, uninterrupted},
    player, production,
    vocabulary::Phase,
};

/// §4.1, §12.1: continues until a seat must decide; a karma card is resolved before anything else.
pub(super) fn advance(d: &mut Dealer) {
    while !d.ended() && uninterrupted(d) {
        if stage::is_under_way(d) {
            stage::finish(d);
            continue;
        }
        deals::expire(d);
        match Phase::of(d) {
            Phase::Production => production::ask(d),
            Phase::Market => market::ask_for_sales(d),
            Phase::Player | Phase::Disaster => {}
        }
        if d.prompts().iter().any(|prompt| prompt.must) {
            return;
        }
        // The others' prompts stay open between two disasters.
        if Phase::of(d) != Phase::Disaster {
            d.close_optional();
        }
        match Phase::of(d) {
            Phase::Player => {
                disasters::begin(d);
                deal_disasters(d);
            }
            Phase::Disaster => deal_disasters(d),
            Phase::Production => {
                production::finish(d);
                market::begin(d);
            }
            Phase::Market => end_round(d),
        }
    }
}

fn deal_disasters(d: &mut Dealer) {
    if disasters::advance(d) {
        production::begin(d);
    }
}

/// §4.1, §11.4
fn end_round(d: &mut Dealer) {
    if d.round() == ROUNDS {
        return end::end(d);
    }
    market::clear_table(d);
    player::begin_round(d, d.round() + 1);
}
