//! How a player who does not look ahead values actions and positions.

use super::*;

fn favourite(scene: &str, acts: &str) -> Action {
    scene::favourite::<Rigs>(scene, acts)
}

fn plot(name: &str) -> Plot {
    LAYOUT.named(name).expect("a plot")
}

/// §6.7, §3.1
#[test]
fn a_player_puts_an_idle_rigs_on_a_luxury_spot() {
    let scene = "owned/0: valley-1; on/valley-1: 2-yield-survey-1; \
                 warehouse/0: 9 energy 3 supply 1 rig";
    let to = Location::Spot(plot("valley-1"), Resource::Luxury);
    let from = Location::Warehouse(seat_of("0"));
    assert_eq!(favourite(scene, ""), Action::Move { from, to });
}

/// §6.8, §18.2
#[test]
fn a_player_surveys_the_plot_that_a_survey_would_double_most() {
    let scene = "round: 14; owned/0: plains-1 ridge-1; warehouse/0: 2 supply";
    assert_eq!(favourite(scene, ""), Action::Survey { plot: plot("ridge-1") });
}

/// §11.2, §11.3
#[test]
fn a_player_sells_for_a_good_price_and_in_the_last_round_for_any() {
    let scene = "phase: selling; warehouse/0: 3 luxury";
    let sells = Action::Sell { amount: 3 };
    assert_eq!(favourite(&format!("{scene}; price: market-high-20-1"), ""), sells);
    assert_eq!(favourite(&format!("{scene}; price: market-low-4-1"), ""), Action::Ready);
    assert_eq!(favourite(&format!("{scene}; price: market-low-4-1; round: 15"), ""), sells);
}

/// §5.8
#[test]
fn a_player_accepts_what_it_gains_by_and_refuses_what_it_does_not() {
    let scene = "warehouse/0: 3 energy; purse/1: 30 credit";
    let by = seat_of("1");
    let likes = |acts: &str, action: &Action| {
        let table = act(scene, acts);
        Rigs::appeal(&table, seat_of("0"), action) > 0
    };
    let (accept, refuse) = (Action::Accept { by }, Action::Refuse { by });
    let (good, bad) = ("1 offer 0 9 credit for 1 energy", "1 offer 0 1 credit for 1 energy");
    assert_eq!([likes(good, &accept), likes(good, &refuse)], [true, false]);
    assert_eq!([likes(bad, &accept), likes(bad, &refuse)], [false, true]);
}

/// §5.12
#[test]
fn a_player_offers_once_what_both_gain_by() {
    // The other seat lacks the Energy to power its plot.
    let scene = "warehouse/0: 3 energy; owned/1: valley-1; spots/valley-1/metal: 1 rig";
    let give = Bundle { units: Resources::one(Resource::Energy), ..Bundle::default() };
    let offer = |credits| Action::Offer {
        to: seat_of("1"),
        give: give.clone(),
        take: Bundle { credits, ..Bundle::default() },
    };
    let likes =
        |acts: &str, credits| Rigs::appeal(&act(scene, acts), seat_of("0"), &offer(credits)) > 0;
    assert_eq!([1, 5, 9].map(|credits| likes("", credits)), [false, true, false]);
    assert!(!likes("0 offer 1 1 energy for 5 credit, 1 refuse 0", 5));
}

/// §5.3
#[test]
fn a_plot_that_a_player_buys_for_what_it_is_worth_is_not_bought_back() {
    // It is worth more to the seat that lacks Energy, whichever of the two that is.
    let scene = "owned/0: plains-1; spots/plains-1/energy: 1 rig; \
                 owned/1: valley-1; spots/valley-1/metal: 2 rig; purse/1: 99 credit";
    let accepts = |credits: u32| {
        let table = act(scene, &format!("1 offer 0 {credits} credit for plains-1"));
        Rigs::appeal(&table, seat_of("0"), &Action::Accept { by: seat_of("1") }) > 0
    };
    assert_eq!([70, 95].map(accepts), [false, true]);
}

/// §16.4
#[test]
fn a_player_plays_a_card_where_it_helps_most() {
    let scene = "round: 13; hand/0: swap-meet; warehouse/0: 6 energy";
    let units = |resource| Resources::of(resource, 6);
    let (give, take) = (units(Resource::Energy), units(Resource::Luxury));
    let aim = Aim::Swap { give, take };
    assert_eq!(favourite(scene, ""), Action::Play { card: Karma::SwapMeet, aim });
}

/// §18.1, §18.3, §18.4
#[test]
fn a_position_is_worth_what_the_end_would_count() {
    let worth = |scene: &str| {
        let (table, _) = scene::lay_out::<Rigs>(scene);
        Rigs::worth(&table, seat_of("0"))
    };
    let end = "round: 15; phase: selling; price: market-low-4-1; warehouse/1: 1 luxury; \
               purse/0: 100 credit";
    assert_eq!(worth(end), 100);
    assert_eq!(worth(&format!("{end}; warehouse/0: 2 metal")), 107);
    assert_eq!(worth(&format!("{end}; warehouse/0: 2 metal; debts/0: 1 script-metal")), 93);
}
