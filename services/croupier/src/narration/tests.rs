//! A made-up game of three: a deck, a draft, hands, fronts, purses and a pot.

use api::v1::{
    Announced, Ended, Game, Gathered, Layout, Match, Offer, OfferItem, Place, PlacePurse, Rolled,
    Scored, Seat, Term,
};

use super::*;

fn layout() -> Layout {
    let place = |name: &str, seat, sight: Sight, bank| Place {
        name: name.into(),
        seat,
        sight: sight.into(),
        seen_by: seat.filter(|_| sight == Sight::Seat),
        purses: ["credit", "fame"].map(|coin| PlacePurse { coin: coin.into(), bank }).into(),
        ..Place::default()
    };
    let common = [
        place("bank", None, Sight::All, true),
        place("pot", None, Sight::All, false),
        place("deck", None, Sight::Nobody, false),
        place("draft", None, Sight::All, false),
        place("discard", None, Sight::All, false),
        place("shrine/moons", None, Sight::All, false),
        place("shrine/suns", None, Sight::All, false),
    ];
    let own = |seat| {
        [("hand", Sight::Seat), ("front", Sight::All), ("purse", Sight::Seat)]
            .map(|(name, sight)| place(&format!("{name}/{seat}"), Some(seat), sight, false))
    };
    let term = |name: &str, description: &str| Term {
        name: name.into(),
        description: description.into(),
        ..Term::default()
    };
    Layout {
        places: common.into_iter().chain((0..3).flat_map(own)).collect(),
        decisions: vec![term("answer", "Take or leave the offer."), term("turn", "Do something.")],
        coins: vec![term("credit", "A coin."), term("fame", "How well known somebody is.")],
        announcements: vec![
            term("haul", "{seat} makes a haul worth {value}"),
            term("storm", "a storm comes up"),
            term("ruin", "{seat} is ruined"),
        ],
        ..Layout::default()
    }
}

fn narrator() -> Narrator {
    let players = ["ada", "bruno", "cleo"];
    let seat =
        |(seat, player): (u32, &str)| Seat { seat, player: player.into(), ..Seat::default() };
    let seats = (0..).zip(players).map(seat).collect();
    let game = Game { layout: Some(layout()), ..Game::default() };
    Narrator::new(Vocabulary::new(&game, &Match { seats, ..Match::default() }))
}

fn entry(seat: Option<u32>, verb: &str, kinds: Vec<Kind>) -> Entry {
    let events = kinds.into_iter().map(|kind| Event { kind: Some(kind) }).collect();
    let position = if seat.is_none() { 1 } else { 2 };
    Entry { position, seat, verb: verb.into(), events, ..Entry::default() }
}

#[track_caller]
fn check(seat: Option<u32>, verb: &str, kinds: Vec<Kind>, phrases: &str) {
    assert_eq!(narrator().narrate(&entry(seat, verb, kinds)), phrases);
}

/// A piece by its name, or by its back after a `?`.
fn moved(what: &str, from: &str, to: &str) -> Kind {
    let (piece, back) = what.strip_prefix('?').map_or((what, ""), |back| ("", back));
    Kind::Moved(Moved { piece: piece.into(), back: back.into(), from: from.into(), to: to.into() })
}

fn paid(amount: impl Into<Option<u32>>, from: &str, to: &str) -> Kind {
    let (coin, from, to) = ("credit".into(), from.into(), to.into());
    Kind::Paid(Paid { coin, from, to, amount: amount.into() })
}

fn announced(announcement: &str, seat: u32, value: i32) -> Kind {
    Kind::Announced(Announced { announcement: announcement.into(), seat, value })
}

fn shown(piece: &str, at: &str, seats: &[u32], everyone: bool) -> Kind {
    Kind::Shown(Shown {
        piece: piece.into(),
        back: if piece.is_empty() { "card".into() } else { String::new() },
        at: at.into(),
        seats: seats.to_vec(),
        everyone,
    })
}

fn prompt(seat: u32, decision: &str, optional: bool, layer: u32) -> Prompt {
    Prompt { seat, decision: decision.into(), optional, layer, ..Prompt::default() }
}

#[test]
fn the_verb_is_written_once() {
    check(
        Some(0),
        "take",
        vec![moved("journey", "draft", "hand/0")],
        "Ada takes Journey from the draft.",
    );
    check(
        Some(0),
        "draw",
        vec![moved("?card", "deck", "hand/0")],
        "Ada draws a card from the deck.",
    );
    check(
        Some(0),
        "scheme",
        vec![moved("?card", "deck", "hand/0")],
        "Ada schemes: draws a card from the deck.",
    );
    check(Some(1), "pass", vec![], "Bruno passes.");
}

#[test]
fn moves_between_the_same_places_form_one_clause() {
    check(
        Some(0),
        "con",
        vec![
            moved("ace-of-suns", "hand/0", "discard"),
            moved("chance-meeting", "hand/0", "discard"),
            moved("?card", "hand/0", "discard"),
            moved("?card", "hand/0", "discard"),
        ],
        "Ada cons: discards Ace of Suns, Chance Meeting and 2 cards.",
    );
}

#[test]
fn other_players_are_named_and_the_acting_player_is_implied() {
    check(
        Some(0),
        "rob",
        vec![
            moved("?card", "hand/1", "hand/0"),
            paid(2, "purse/1", "purse/0"),
            paid(1, "purse/2", "bank"),
        ],
        "Ada robs: takes a card from Bruno's hand; takes 2 credits from Bruno; Cleo pays 1 credit.",
    );
}

#[test]
fn the_player_named_last_is_implied() {
    check(
        Some(0),
        "trade",
        vec![
            paid(1, "purse/1", "bank"),
            moved("?card", "deck", "hand/1"),
            moved("?card", "deck", "hand/0"),
        ],
        "Ada trades: Bruno pays 1 credit; draws a card from the deck; Ada draws a card from the deck.",
    );
}

#[test]
fn each_other_player_excludes_the_acting_player() {
    let gets = |seat| paid(3, "bank", &format!("purse/{seat}"));
    check(Some(0), "give", vec![gets(1), gets(2)], "Ada gives: each other player gets 3 credits.");
    check(
        Some(0),
        "give",
        vec![gets(0), gets(2)],
        "Ada gives: gets 3 credits; Cleo gets 3 credits.",
    );
}

#[test]
fn cards_are_played_moved_given_and_revealed() {
    check(
        Some(0),
        "play",
        vec![moved("flood", "hand/0", "pot")],
        "Ada plays Flood from the hand to the pot.",
    );
    check(Some(0), "reveal", vec![moved("spy", "hand/0", "front/0")], "Ada reveals Spy.");
    check(Some(0), "give", vec![moved("?card", "hand/0", "hand/2")], "Ada gives a card to Cleo.");
    check(
        Some(0),
        "move",
        vec![moved("spy", "front/0", "hand/0")],
        "Ada moves Spy from the front to the hand.",
    );
    check(
        Some(0),
        "end",
        vec![moved("spy", "deck", "draft")],
        "Ada ends: Spy comes from the deck to the draft.",
    );
}

#[test]
fn coins_of_one_kind_add_up_by_target() {
    check(
        Some(0),
        "work",
        vec![paid(2, "bank", "purse/0"), paid(3, "bank", "purse/0"), paid(0, "bank", "pot")],
        "Ada works: gets 5 credits.",
    );
    check(
        Some(0),
        "bless",
        vec![paid(1, "bank", "shrine/moons"), paid(2, "bank", "shrine/suns")],
        "Ada blesses: 1 credit goes to the shrine of moons and 2 to the shrine of suns.",
    );
    check(Some(0), "pay", vec![paid(None, "purse/0", "purse/1")], "Ada pays Bruno some credits.");
    check(Some(0), "take", vec![paid(4, "pot", "purse/0")], "Ada takes 4 credits from the pot.");
}

#[test]
fn a_coin_that_measures_something_is_gained_and_lost_without_a_plural() {
    let fame = |amount, from: &str, to: &str| {
        let (coin, from, to) = ("fame".into(), from.into(), to.into());
        Kind::Paid(Paid { coin, from, to, amount: Some(amount) })
    };
    check(
        Some(0),
        "sing",
        vec![fame(2, "bank", "front/0"), fame(1, "front/1", "bank"), fame(3, "bank", "front/1")],
        "Ada sings: gains 2 fame; Bruno loses 1 fame; gains 3 fame.",
    );
}

#[test]
fn rearranging_ones_own_pieces_is_not_mentioned() {
    let gathered = Kind::Gathered(Gathered { from: "front/1".into(), to: "hand/1".into() });
    check(Some(0), "end", vec![gathered], "Ada ends.");
}

#[test]
fn an_announcement_about_the_acting_seat_comes_first() {
    check(
        Some(0),
        "con",
        vec![
            moved("cave", "hand/0", "discard"),
            announced("haul", 0, 9),
            announced("storm", 0, 0),
            announced("ruin", 1, 0),
        ],
        "Ada makes a haul worth 9: discards Cave; a storm comes up; Bruno is ruined.",
    );
}

#[test]
fn the_opening_deals_to_each_player_in_any_order() {
    let deal = || (0..3).map(|seat| moved("?card", "deck", &format!("hand/{seat}")));
    check(
        None,
        "open",
        deal().chain(deal()).chain([moved("cave", "deck", "draft"), Kind::TurnBegan(2)]).collect(),
        "The table is set up: each player is dealt 2 cards; Cave comes from the deck to the draft. Cleo is next.",
    );
    let seen = [moved("cave", "deck", "hand/1"), moved("mill", "deck", "hand/1")];
    let others = [0, 2].map(|seat| moved("?card", "deck", &format!("hand/{seat}")));
    check(
        None,
        "open",
        others.clone().into_iter().chain(seen).chain(others).collect(),
        "The table is set up: each other player is dealt 2 cards; Bruno is dealt Cave and Mill.",
    );
}

#[test]
fn piles_are_refilled_and_shown() {
    let refilled = Kind::Gathered(Gathered { from: "discard".into(), to: "deck".into() });
    check(Some(0), "draw", vec![refilled], "Ada draws: the deck is refilled from the discard.");
    check(
        Some(0),
        "spy",
        vec![shown("", "hand/1", &[0], false)],
        "Ada spies: looks at a card in Bruno's hand.",
    );
    check(
        Some(0),
        "spy",
        vec![shown("cave", "deck", &[0], false), shown("mill", "deck", &[0], false)],
        "Ada spies: looks at Cave and Mill in the deck.",
    );
    check(Some(0), "show", vec![shown("cave", "hand/0", &[], true)], "Ada shows Cave.");
}

#[test]
fn rounds_phases_turns_and_dice_are_in_their_order() {
    let rolled = |value| Kind::Rolled(Rolled { seat: 0, value });
    check(
        Some(0),
        "roll",
        vec![
            rolled(4),
            rolled(6),
            Kind::RoundBegan(3),
            Kind::PhaseBegan(1),
            paid(1, "bank", "purse/1"),
        ],
        "Ada rolls 4 and 6. Round 3 begins. Phase 1 begins. Bruno gets 1 credit.",
    );
    check(Some(0), "pass", vec![Kind::TurnBegan(0)], "Ada passes. It is Ada's turn again.");
}

#[test]
fn offers_are_made_and_closed() {
    let coins = |amount| OfferItem { coin: "credit".into(), amount, ..OfferItem::default() };
    let give = vec![OfferItem { piece: "plot-7".into(), ..OfferItem::default() }, coins(1)];
    let offer = Offer { by: 0, to: 1, give, take: vec![coins(3)] };
    check(
        Some(0),
        "offer",
        vec![Kind::Offered(offer)],
        "Ada offers Bruno Plot 7 and 1 credit for 3 credits.",
    );
    check(
        Some(1),
        "decline",
        vec![Kind::OfferClosed(0)],
        "Bruno declines: Ada's offer is off the table.",
    );
}

#[test]
fn remarks_are_quoted_for_their_audience() {
    let said = |seat, text: &str, seats: &[u32], everyone| {
        Kind::Said(Said { seat, text: text.into(), seats: seats.to_vec(), everyone })
    };
    check(Some(0), "say", vec![said(0, "Trust me", &[], true)], "Ada says \"Trust me\".");
    check(
        Some(0),
        "say",
        vec![said(0, "Half of it\nis yours", &[2], false)],
        "Ada says \"Half of it\\nis yours\" to Cleo in private.",
    );
    check(Some(1), "say", vec![said(1, "", &[], false)], "Bruno says something in private.");
}

#[test]
fn seats_resign_and_matches_end() {
    let scored = |seat, points| Kind::Scored(Scored { seat, points });
    let ended = |winners: &[u32]| Kind::Ended(Ended { winners: winners.to_vec() });
    check(Some(2), "resign", vec![Kind::Resigned(2)], "Cleo resigns.");
    check(
        Some(0),
        "pass",
        vec![scored(0, 12), scored(1, 12), scored(2, -1), ended(&[0, 1])],
        "Ada passes. Scores: Ada 12, Bruno 12, Cleo -1. Ada and Bruno share the win.",
    );
    check(Some(0), "pass", vec![ended(&[])], "Ada passes. Nobody wins.");
}

#[test]
fn only_new_and_unexpected_decisions_are_mentioned() {
    let mut narrator = narrator();
    let mut offered = entry(Some(0), "offer", vec![]);
    offered.prompts = vec![
        prompt(0, "turn", false, 0),
        prompt(1, "answer", false, 1),
        prompt(2, "answer", true, 1),
    ];
    let phrases = narrator.narrate(&offered);
    assert_eq!(
        phrases,
        "Ada offers. Bruno must decide: take or leave the offer. Cleo may decide: take or leave the offer."
    );

    let mut answered = entry(Some(2), "decline", vec![]);
    answered.prompts = vec![prompt(0, "turn", false, 0), prompt(1, "answer", false, 1)];
    assert_eq!(narrator.narrate(&answered), "Cleo declines.");
}
