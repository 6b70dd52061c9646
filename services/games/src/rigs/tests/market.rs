use super::*;

/// §11.1, §20.6
#[test]
fn the_price_is_drawn_as_the_phase_begins() {
    let scene = "phase: market; price: market-low-4-1; market-deck: market-high-18-1; hand/0: ruins; warehouse/1: 1 luxury";
    check(
        scene,
        "",
        "market-discard: market-low-4-1; price: market-high-18-1; asked: 0 sell, 1 sell; announced: begins/market price",
    );
    check("phase: market; market-deck: market-high-18-1", "", "phase: player; round: 3");
}

/// §20.10
#[test]
fn a_match_that_waits_for_the_draw_goes_on() {
    let scene = "phase: drawing; market-deck: market-high-18-1; warehouse/2: 1 luxury";
    check(scene, "0 name 2", "price: market-high-18-1; asked: 2 sell");
    check(scene, "0 name 7", "refused: cannot-name");
}

/// §11.2
#[test]
fn luxury_is_sold_at_the_price() {
    let scene = "phase: selling; price: market-high-18-1; warehouse/1: 3 luxury; hand/0: decoy; hand/2: ruins";
    check(scene, "1 sell 2", "warehouse/1: 1 luxury; purse/1: 36 credit");
    check(scene, "1 sell 4", "refused: cannot-sell");
    check(scene, "1 sell 0", "refused: cannot-sell");
    check(scene, "1 ready", "asked: 0 sell, 2 sell");
    check(scene, "1 ready, 1 ready", "refused: ready-already");
    check(
        scene,
        "1 ready, 0 ready, 1 sell 1, 2 ready",
        "round: 3; warehouse/1: 2 luxury; purse/1: 18 credit",
    );
}

/// §11.3, §18.1
#[test]
fn in_the_last_round_all_luxury_is_sold() {
    let scene = "round: 15; phase: selling; price: market-low-4-1; warehouse/1: 3 luxury; hand/0: decoy; hand/2: ruins; hand/1: blowout";
    check(scene, "1 ready", "refused: must-sell");
    check(scene, "1 sell 3, 1 ready, 0 ready, 2 ready", "winners: 1; scores: 0 12 0");
}

/// §11.3
#[test]
fn a_ready_seat_that_gets_luxury_in_the_last_round_has_to_sell_it() {
    let scene = "round: 15; phase: selling; price: market-low-4-1; hand/1: winning-raffle-ticket; hand/0: decoy; hand/2: ruins; purse/2: 9 credit";
    let gained = "1 ready, 0 ready, 1 play winning-raffle-ticket @6";
    check(scene, gained, "asked: 1 sell, 2 sell; ready/1: 0; warehouse/1: 6 luxury");
    check(scene, &format!("{gained}, 2 ready, 1 sell 6, 1 ready"), "scores: 0 24 9; winners: 1");
}

/// §11.5, §16.10, §16.11
#[test]
fn a_new_price_is_told_and_asks_the_sellers_again() {
    let scene = "phase: selling; price: market-low-4-1; market-discard: market-high-20-1; hand/0: other-markets naive-profits decoy; hand/1: blowout; hand/2: ruins; warehouse/1: 2 luxury";
    check(
        scene,
        "1 ready, 2 ready, 0 play other-markets",
        "ready/1: 0; ready/2: 1; asked: 0 sell, 1 sell; announced: price",
    );
    check(scene, "1 ready, 0 play naive-profits", "ready/1: 1; announced: price-for-seat");
    check(
        &scene.replace("warehouse/1", "warehouse/0"),
        "1 ready, 2 ready, 0 sell 1, 0 play other-markets, 0 play naive-profits, 0 sell 1, 0 ready",
        "round: 3; purse/0: 28 credit",
    );
    // The highest card is the price already.
    check(
        &scene.replace("low-4-1", "spike-30-1"),
        "1 ready, 2 ready, 0 play other-markets",
        "ready/1: 1; asked: 0 sell",
    );
}

/// §11.4, §18.3
#[test]
fn unsold_luxury_is_worth_what_it_would_have_sold_for() {
    let scene = "round: 15; phase: end; price: market-low-4-1; market-discard: market-high-20-1 market-low-5-1; \
                 warehouse/0: 3 luxury; warehouse/1: 3 luxury";
    check(scene, "", "scores: 12 12 0");
    check(&format!("{scene}; price: other-markets"), "", "scores: 60 60 0");
    check(&format!("{scene}; front/1: naive-profits"), "", "scores: 12 24 0");
    // The cards are in play until the match has been valued.
    let last = "round: 15; phase: selling; price: market-low-4-1; market-discard: market-high-20-1; hand/0: other-markets naive-profits decoy; hand/1: blowout; hand/2: ruins";
    check(
        last,
        "0 play other-markets, 0 play naive-profits, 0 ready, 1 ready, 2 ready",
        "front/0: naive-profits; price: other-markets market-low-4-1; winners: 0 1 2",
    );
}

/// §7.3, §15.3
#[test]
fn a_round_begins_when_the_last_one_ends() {
    let scene = "phase: selling; price: market-low-4-1; plot-deck:; hand/0: decoy; hand/1: ruins; hand/2: blowout; awaited/1: identity-theft; borrowed/1: 2";
    check(
        scene,
        "0 ready, 1 ready, 2 ready",
        "round: 3; phase: player; asked: 0 turn; hand/1: identity-theft ruins; borrowed/1: 0",
    );
}

// === The end ===

const QUOTES: &str = "phase: end; price: market-low-4-1; end-market-deck: market-low-5-1 market-low-6-1 market-normal-8-1 market-normal-8-2 market-normal-10-1 market-normal-10-2 market-normal-12-1 market-normal-12-2";

/// §18.2
#[test]
fn land_is_worth_one_market_card_or_two() {
    check(
        QUOTES,
        "",
        "value/plains: market-low-5-1; value/valley: market-low-6-1; value/forest: market-normal-8-1 market-normal-8-2; \
         value/desert: market-normal-10-1 market-normal-10-2; value/ridge: market-normal-12-1 market-normal-12-2",
    );
    check(
        &format!("{QUOTES}; owned/0: plains-1 valley-1; owned/1: ridge-1; owned/2: desert-1"),
        "",
        "scores: 11 24 20",
    );
}

/// §18.2
#[test]
fn a_plot_with_luxury_counts_double() {
    check(
        &format!(
            "{QUOTES}; owned/0: plains-1 valley-1; on/plains-1: 2-yield-survey-1; on/valley-1: 0-yield-survey-1"
        ),
        "",
        "scores: 16 0 0",
    );
}

/// §18.1, §18.3
#[test]
fn credits_and_resources_count_and_rigs_and_karma_do_not() {
    // Every die shows a 1.
    check(
        &format!(
            "{QUOTES}; warehouse/0: 2 energy 3 supply 4 metal 5 luxury 9 rig; purse/0: 7 credit"
        ),
        "",
        "scores: 36 0 0",
    );
    // The draw from the last six cards uses up the first number.
    check(
        &format!("{QUOTES}; dice: 1235; warehouse/0: 1 energy 1 supply 1 metal; hand/1: ruins"),
        "",
        "scores: 10 0 0; worth/energy: 2; worth/supply: 3; worth/metal: 5",
    );
}

/// §18.4
#[test]
fn each_script_costs_four_times_the_worth_of_its_resource() {
    check(
        &format!(
            "{QUOTES}; warehouse/0: 9 energy; debts/0: 2 script-energy; debts/1: 1 script-metal"
        ),
        "",
        "scores: 1 -4 0",
    );
}

/// §18.5
#[test]
fn a_tie_goes_to_credits_then_plots_and_is_shared() {
    check(
        &format!("{QUOTES}; purse/0: 5 credit; owned/1: plains-1"),
        "",
        "scores: 5 5 0; winners: 0",
    );
    check(&format!("{QUOTES}; purse/0: 5 credit; purse/1: 5 credit"), "", "winners: 0 1");
    check(
        &format!(
            "{QUOTES}; owned/0: plains-1 valley-1; owned/1: plains-2 plains-3; warehouse/1: 1 energy"
        ),
        "",
        "scores: 11 11 0; winners: 0 1",
    );
    check(
        &format!(
            "{QUOTES}; owned/0: valley-1; owned/1: plains-2; warehouse/1: 1 energy; owned/2: valley-2; debts/2: 1 script-metal; warehouse/2: 4 energy"
        ),
        "",
        "scores: 6 6 6; winners: 0 1 2",
    );
    check(
        &format!(
            "{QUOTES}; owned/0: valley-1 plains-1; warehouse/0: 3 energy; owned/1: ridge-1; debts/1: 3 script-metal; warehouse/1: 2 energy"
        ),
        "",
        "scores: 14 14 0; winners: 0",
    );
}
