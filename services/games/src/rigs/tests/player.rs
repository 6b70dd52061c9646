use super::*;

fn opening(seats: u8, seed: u64) -> Table {
    let options = Options::of::<Rigs>(&Default::default(), seats).expect("the defaults fit");
    table::open::<Rigs>(
        seats,
        &options,
        &[],
        &mut table::ChaCha::of(table::invariants::key(seed), 1),
    )
    .0
}

// === Set-up ===

/// §1.7, §1.8, §2.1, §2.2, §2.3
#[test]
fn every_seat_starts_with_the_same_things_and_fifteen_plots_are_left() {
    for (seats, plots) in [(2, 6), (3, 4), (4, 3)] {
        let table = opening(seats, 1);
        for seat in table.seats() {
            assert_eq!(table.count(Owned(seat)), plots);
            assert_eq!(contents(&table, Warehouse(seat)), "5 energy 5 supply 5 rig");
            assert_eq!(contents(&table, Purse(seat)), "100 credit");
            assert!(table.is_bare(Hand(seat)));
        }
        assert_eq!((table.count(PlotDeck), table.count(MarketDeck)), (15, 15));
        assert_eq!(table.count(EndMarketDeck), 21);
        assert_eq!(table.decision(colony::leader(&table)), Some(Decision::Turn));
    }
    let table = opening(4, 1);
    assert_eq!(contents(&table, Works), "55 rig");
    assert_eq!(contents(&table, Vinnie), "20 script-energy 20 script-supply 20 script-metal");
}

/// §1.1, §1.3, §1.4, §1.5, §1.6
#[test]
fn the_decks_hold_their_numbers_of_cards() {
    let count = |back: &str, name: &str| {
        let rows = LAYOUT.pieces().iter().filter(|row| LAYOUT.back_name(row.back) == back);
        rows.filter(|row| row.name.contains(name)).count()
    };
    let plots = ["plains", "valley", "forest", "desert", "ridge"].map(|it| count("plot", it));
    assert_eq!(plots, [9, 9, 3, 3, 3]);
    assert_eq!(
        ["0-", "1-", "2-", "3-"].map(|it| count("survey", &format!("{it}yield"))),
        [9, 9, 6, 3]
    );
    assert_eq!(count("disaster", ""), 36);
    assert_eq!(count("disaster", "safe"), 6);
    assert_eq!(["spike", "high", "normal", "low"].map(|it| count("market", it)), [4, 9, 14, 9]);
    use cards::Kind::{Destruction, Protection, Sabotage, Wealth};
    let of = |kind| Karma::all().filter(|card| card.kind() == kind).count();
    assert_eq!([Destruction, Sabotage, Wealth, Protection].map(of), [11, 12, 11, 11]);
    assert_eq!(Karma::all().count(), 45);
    let values: std::collections::BTreeSet<u32> =
        MarketCard::all().map(MarketCard::value).collect();
    assert_eq!(Vec::from_iter(values), [4, 5, 6, 8, 10, 12, 15, 18, 20, 25, 30]);
}

/// §1.2
#[test]
fn a_plot_has_the_spots_of_its_land() {
    let spots =
        |name: &str| Resource::all().map(|it| piece::<Plot>(name).spots(it)).collect::<Vec<_>>();
    assert_eq!(spots("plains-1"), [1, 1, 1, 0]);
    assert_eq!(spots("valley-1"), [2, 2, 2, 0]);
    assert_eq!(spots("forest-1"), [1, 3, 1, 0]);
    assert_eq!(spots("desert-1"), [3, 1, 1, 0]);
    assert_eq!(spots("ridge-1"), [1, 1, 3, 0]);
}

// === Land grant ===

/// §4.3, §6.1, §6.2
#[test]
fn the_leader_takes_a_plot_and_the_others_get_one_each_at_random() {
    let scene = "phase: round; plot-deck: plains-1 valley-1 forest-1 ridge-1";
    check(scene, "", "asked: 0 grant; grant/0: plains-1 valley-1 forest-1");
    check(
        scene,
        "0 grant valley-1",
        "owned/0: valley-1; owned/1: plains-1; owned/2: forest-1; cards plot-deck: 1; phase: player",
    );
    check(scene, "0 grant ridge-1", "refused: not-granted");
    // A grant is a change of ownership: seat 1 has the only barren Plains now.
    check(scene, "0 grant valley-1", "leader: 1; asked: 1 turn");
}

/// §6.3
#[test]
fn where_plots_are_short_the_leader_names_who_draws() {
    let scene = "phase: round; plot-deck: plains-1 valley-1";
    check(scene, "0 grant valley-1", "asked: 0 grant-to");
    check(scene, "0 grant valley-1, 0 name 2", "owned/2: plains-1; owned/1:; asked: 2 turn");
    check(scene, "0 grant valley-1, 0 name 0", "refused: cannot-name");
    let last = "phase: round; plot-deck: valley-1";
    check(last, "0 grant valley-1 @35", "owned/0: valley-1; asked: 2 turn");
}

/// §6.2, §6.3
#[test]
fn the_leader_may_name_the_order_of_the_draws_with_its_plot() {
    let scene = "phase: round; plot-deck: plains-1 valley-1 forest-1 ridge-1";
    check(scene, "0 grant valley-1 2 1", "owned/2: plains-1; owned/1: forest-1; phase: player");
    check(scene, "0 grant valley-1 2", "owned/2: plains-1; owned/1: forest-1; phase: player");
    check(scene, "0 grant valley-1 0", "refused: cannot-name");
    check(scene, "0 grant valley-1 3", "refused: cannot-name");
    let short = "seats: 4; phase: round; plot-deck: plains-1 valley-1 forest-1";
    check(short, "0 grant valley-1 3 1 2", "owned/3: plains-1; owned/1: forest-1; owned/2:");
    check(short, "0 grant valley-1 3", "owned/3: plains-1; asked: 0 grant-to");
    check(short, "0 grant valley-1 3, 0 name 3", "refused: cannot-name");
    check(short, "0 grant valley-1 3, 0 name 2", "owned/2: forest-1; owned/1:; phase: player");
}

/// §6.1
#[test]
fn there_is_no_grant_in_the_first_round_or_without_plots() {
    check("phase: round; round: 1", "", "cards plot-deck: 27; asked: 0 turn");
    check("phase: round; round: 9; plot-deck:", "", "asked: 0 turn");
}

// === Expedition Leader ===

/// §4.2
#[test]
fn the_owner_of_the_worst_plots_leads() {
    let leads = |owned: &str, leader: &str| {
        check(
            &format!("phase: round; plot-deck:; land-moved: 1; {owned}"),
            "",
            &format!("leader: {leader}"),
        );
    };
    leads("owned/1: plains-1; owned/2: valley-1", "1");
    // A Plains with a Luxury spot is not barren.
    leads("owned/1: plains-1; on/plains-1: 1-yield-survey-1; owned/2: plains-2", "2");
    leads("owned/1: plains-1; on/plains-1: 0-yield-survey-1; owned/2: valley-2", "1");
    // Then the fewest plots, then the most Valleys.
    leads("owned/0: valley-1 valley-2; owned/1: ridge-1; owned/2: ridge-2 forest-1", "1");
    leads("owned/0: ridge-1; owned/1: ridge-2; owned/2: valley-1", "2");
}

/// §4.4
#[test]
fn a_tie_for_the_lead_is_rolled_off_unless_the_leader_is_in_it() {
    let tie = "phase: round; plot-deck:; land-moved: 1; owned/0: plains-1; owned/1: plains-2; owned/2: ridge-1";
    check(tie, "", "leader: 0");
    check(&format!("{tie}; leader: 2; dice: 4426"), "", "leader: 1");
}

/// §4.3
#[test]
fn only_a_change_of_ownership_changes_the_lead() {
    let scene = "phase: round; plot-deck:; owned/1: plains-1; owned/0: ridge-1";
    check(scene, "", "leader: 0");
    check(&format!("{scene}; land-moved: 1"), "", "leader: 1; land-moved: 0");
    check("phase: round; round: 1; owned/1: plains-1", "", "leader: 1");
    check("owned/0: plains-1; warehouse/0: 1 supply", "0 survey plains-1", "land-moved: 0");
}

// === Turns ===

/// §6.4, §6.5
#[test]
fn turns_go_clockwise_from_the_leader_until_all_are_ready() {
    check("", "0 ready", "turn: 1; asked: 1 turn");
    check("", "0 ready, 1 ready, 2 ready", "phase: disaster; asked: 0 deal");
    check("", "1 ready", "refused: not-now");
    check("phase: round; plot-deck:; leader: 2", "2 ready", "turn: 0; asked: 0 turn");
}

/// §5.9, §6.5, §12.7
#[test]
fn a_seat_that_karma_or_a_deal_reaches_gets_another_turn() {
    let scene =
        "hand/1: left-the-light-on; warehouse/0: 2 energy; purse/0: 9 credit; warehouse/1: 1 metal";
    check(scene, "0 ready, 1 play left-the-light-on 0, 1 ready, 2 ready", "turn: 0; asked: 0 turn");
    check(
        scene,
        "0 ready, 1 offer 0 1 metal for 9 credit, 0 accept 1, 1 ready, 2 ready",
        "turn: 0; ready/1: 1",
    );
}

/// §6.9
#[test]
fn at_the_end_of_the_player_phase_a_hand_is_discarded_down_to_five() {
    let hand = "hand/1: decoy recycling ruins parts-shop brownout swap-meet rigs-tdm";
    check(hand, "0 ready, 1 ready, 2 ready", "asked: 1 discard");
    check(
        hand,
        "0 ready, 1 ready, 2 ready, 1 discard ruins, 1 discard decoy",
        "cards hand/1: 5; karma-discard: ruins decoy; phase: disaster",
    );
    check(hand, "0 ready, 1 ready, 2 ready, 1 discard blowout", "refused: not-in-hand");
    check(
        "hand/1: decoy recycling ruins parts-shop brownout",
        "0 ready, 1 ready, 2 ready",
        "phase: disaster",
    );
    check(
        "hand/1: decoy ruins parts-shop brownout swap-meet; in-play/1: recycling",
        "0 ready, 1 ready, 2 ready",
        "phase: disaster",
    );
}

// === RIGS ===

/// §1.7, §6.6
#[test]
fn a_rigs_is_built_for_two_metal_and_comes_to_the_warehouse() {
    check("warehouse/0: 3 metal", "0 build", "warehouse/0: 1 metal 1 rig; works: 74 rig");
    check("warehouse/0: 1 metal", "0 build", "refused: too-few");
    check("warehouse/0: 9 metal; warehouse/1: 75 rig", "0 build", "refused: no-rigs-left");
    // RIGS on a card exist too.
    check("warehouse/0: 9 metal; recycled: 75 rig", "0 build", "refused: no-rigs-left");
}

/// §6.7
#[test]
fn moving_a_rigs_anywhere_costs_a_supply() {
    let scene = "owned/0: valley-1 plains-1; owned/1: ridge-1; warehouse/0: 2 supply 2 rig; spots/plains-1/energy: 1 rig";
    check(
        scene,
        "0 move warehouse/0 valley-1/metal",
        "warehouse/0: 1 supply 1 rig; spots/valley-1/metal: 1 rig",
    );
    check(scene, "0 move plains-1/energy warehouse/0", "warehouse/0: 1 supply 3 rig");
    // Moving to another kind of spot on the same plot costs the same.
    check(
        scene,
        "0 move plains-1/energy plains-1/metal",
        "spots/plains-1/metal: 1 rig; warehouse/0: 1 supply 2 rig",
    );
    check(scene, "0 move valley-1/energy warehouse/0", "refused: no-rigs-there");
    check(scene, "0 move warehouse/0 ridge-1/metal", "refused: no-room");
    check(scene, "0 move warehouse/0 warehouse/1", "refused: no-room");
    check(
        &scene.replace("2 supply", "0 supply"),
        "0 move warehouse/0 valley-1/metal",
        "refused: too-few",
    );
}

/// §3.1, §6.7
#[test]
fn the_rigs_of_a_plot_stand_on_spots_of_one_kind_one_on_each() {
    let scene = "owned/0: valley-1 plains-1; warehouse/0: 5 supply 5 rig; spots/valley-1/metal: 1 rig; spots/plains-1/metal: 1 rig";
    check(scene, "0 move warehouse/0 valley-1/energy", "refused: no-room");
    check(scene, "0 move warehouse/0 valley-1/metal", "spots/valley-1/metal: 2 rig");
    check(scene, "0 move warehouse/0 plains-1/metal", "refused: no-room");
    check(scene, "0 move warehouse/0 plains-1/luxury", "refused: no-room");
}

// === Surveys ===

/// §3.3, §6.8
#[test]
fn a_survey_costs_a_supply_and_shows_luxury_spots() {
    let scene = "owned/0: plains-1 valley-1; owned/1: ridge-1; on/valley-1: 0-yield-survey-1; survey-deck: 2-yield-survey-1; warehouse/0: 4 supply 3 rig";
    check(scene, "0 survey plains-1", "on/plains-1: 2-yield-survey-1; warehouse/0: 3 supply 3 rig");
    check(
        scene,
        "0 survey plains-1, 0 move warehouse/0 plains-1/luxury, 0 move warehouse/0 plains-1/luxury, 0 move warehouse/0 plains-1/luxury",
        "spots/plains-1/luxury: 2 rig; refused: no-room",
    );
    check(scene, "0 survey valley-1", "refused: surveyed");
    check(scene, "0 survey ridge-1", "refused: not-your-plot");
    check("owned/0: plains-1", "0 survey plains-1", "refused: too-few");
    check(
        "owned/0: plains-1; survey-deck:; warehouse/0: 1 supply",
        "0 survey plains-1",
        "refused: no-surveys-left",
    );
}

// === Vinnie's loans ===

/// §1.8, §7.1, §7.2, §7.3
#[test]
fn vinnie_lends_a_unit_for_each_plot_in_a_phase() {
    let scene = "owned/0: plains-1 valley-1";
    check(
        scene,
        "0 borrow energy, 0 borrow metal",
        "warehouse/0: 1 energy 1 metal; debts/0: 1 script-energy 1 script-metal",
    );
    check(scene, "0 borrow energy, 0 borrow metal, 0 borrow metal", "refused: credit-limit");
    check(scene, "0 borrow luxury", "refused: not-lent");
    check(
        "owned/0: plains-1; owned/1: plains-2 plains-3; debts/2: 20 script-metal",
        "0 borrow metal",
        "refused: no-script-left",
    );
    check(
        "phase: production; owned/0: plains-1; borrowed/0: 1",
        "0 borrow energy",
        "warehouse/0: 1 energy",
    );
    // In another's turn too, and when it is ready; but in no other phase.
    let other = "owned/1: ridge-1";
    check(other, "1 borrow energy", "warehouse/1: 1 energy; debts/1: 1 script-energy");
    check(&format!("{other}; ready/1: 1"), "1 borrow energy", "warehouse/1: 1 energy");
    check(&format!("{other}; phase: disaster"), "1 borrow energy", "refused: not-now");
    check(
        &format!("{other}; phase: selling; price: market-low-4-1; hand/1: ruins"),
        "1 borrow energy",
        "refused: not-now",
    );
    check(
        &format!("{other}; phase: last-call; hand/1: ruins"),
        "1 borrow energy",
        "refused: not-now",
    );
}

/// §7.4
#[test]
fn two_units_repay_a_script() {
    let scene = "warehouse/0: 3 metal; debts/0: 2 script-metal 1 script-energy";
    check(
        scene,
        "0 repay metal",
        "warehouse/0: 1 metal; debts/0: 1 script-energy 1 script-metal; vinnie: 19 script-energy 20 script-supply 19 script-metal",
    );
    check(scene, "0 repay metal, 0 repay metal", "refused: too-few");
    check(scene, "0 repay supply", "refused: nothing-owed");
    check(
        "phase: production; warehouse/0: 2 metal; debts/0: 1 script-metal",
        "0 repay metal",
        "refused: not-now",
    );
}

// === The round ===

/// §4.1
#[test]
fn a_round_has_four_phases_and_a_match_fifteen_rounds() {
    let scene = "plot-deck:; disaster-deck: safe-1 safe-2 safe-3; market-deck: market-low-4-1 market-low-4-2; \
                 owned/1: plains-1; on/plains-1: 1-yield-survey-1; spots/plains-1/luxury: 1 rig; warehouse/1: 1 energy";
    let player = "0 ready, 1 ready, 2 ready";
    let disaster = format!("{player}, 0 name 1, 0 name 2");
    let production = format!("{disaster}, 0 ready, 1 ready, 2 ready");
    let market = format!("{production}, 1 ready");
    check(scene, "", "round: 2; phase: player; winners:");
    check(scene, player, "round: 2; phase: disaster");
    check(scene, &disaster, "round: 2; phase: production");
    check(scene, &production, "round: 2; phase: market");
    check(scene, &market, "round: 3; phase: player");
    check(&format!("{scene}; round: 14"), &market, "round: 15; winners:");
    let last = format!("{production}, 1 sell 1");
    check(&format!("{scene}; round: 15"), &last, "round: 15; winners: 1");
}

// === The service's additions ===

/// §19.1
#[test]
fn the_match_has_no_options_and_two_to_four_seats() {
    let options = |seats| Options::of::<Rigs>(&Default::default(), seats).is_ok();
    assert_eq!([1, 2, 3, 4, 5].map(options), [false, true, true, true, false]);
    assert!(Rigs::OPTIONS.is_empty());
}

/// §19.2
#[test]
fn amounts_beyond_the_listed_examples_are_accepted() {
    let accepted = |scene: &str, text: &str| {
        let table = act(scene, "");
        let action = action(text);
        assert!(Rigs::open_ended(&table, Seat::default(), &action), "{text}");
        assert!(!Rigs::legal(&table, Seat::default()).contains(&action), "{text}");
        play::<Rigs>(&table, Seat::default(), &action, &mut Dice::of("")).expect("it is allowed");
    };
    accepted("warehouse/0: 3 energy", "offer 1 3 energy for 2 credit");
    accepted(
        "phase: production; warehouse/0: 3 energy; owned/0: ridge-1 ridge-2 ridge-3; \
         spots/ridge-1/metal: 1 rig; spots/ridge-2/metal: 1 rig; spots/ridge-3/metal: 1 rig",
        "power ridge-3",
    );
    let rich = "hand/0: swap-meet poker-night i-aint-going-alone; warehouse/0: 5 energy 5 metal";
    accepted(rich, "play swap-meet swap 2 energy 1 metal for 3 luxury");
    accepted(rich, "play poker-night stake 2 energy 1 metal");
    accepted(rich, "play i-aint-going-alone loss 1 2 energy 1 metal");
}

/// §19.4
#[test]
fn a_resigned_seat_loses_its_offer_and_the_last_one_left_wins() {
    let scene = "warehouse/0: 1 energy; purse/0: 9 credit";
    check(scene, "0 offer 1 1 energy for, 0 resign", "offers: 0; winners:; asked: 1 turn");
    check(scene, "0 resign, 1 resign", "winners: 2");
}

/// §19.5
#[test]
fn the_house_answers_for_a_resigned_seat_which_may_lead_but_cannot_win() {
    check("", "2 resign, 0 ready, 1 ready", "phase: disaster; leader: 0");
    check("leader: 2", "2 resign, 0 ready, 1 ready", "leader: 2; phase: production");
    check(
        "hand/0: blowout; owned/2: ridge-1; spots/ridge-1/metal: 1 rig",
        "2 resign, 0 play blowout ridge-1",
        "spots/ridge-1/metal:",
    );
    let last = "round: 15; phase: selling; price: market-low-4-1; purse/0: 99 credit; purse/1: 5 credit; hand/1: ruins; hand/2: decoy";
    check(last, "0 resign, 1 ready, 2 ready", "winners: 1");
}
