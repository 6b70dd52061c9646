use super::*;

const READY: &str = "0 ready, 1 ready, 2 ready, 0 last-call, 0 pass, 1 pass, 2 pass";

/// §10.2, §10.5, §10.11
#[test]
fn a_powered_plot_makes_one_unit_for_each_rigs() {
    let scene = "phase: production; owned/0: ridge-1 forest-1; warehouse/0: 2 energy; \
                 spots/ridge-1/metal: 3 rig; spots/forest-1/supply: 1 rig";
    check(
        scene,
        &format!("0 power ridge-1, {READY}"),
        "warehouse/0: 1 energy 3 metal; powered/ridge-1: 0",
    );
    check(scene, &format!("0 power ridge-1 forest-1, {READY}"), "warehouse/0: 1 supply 3 metal");
    check(scene, &format!("0 power, {READY}"), "warehouse/0: 2 energy");
}

/// §10.2, §10.3, §10.4, §10.10
#[test]
fn a_plot_on_energy_powers_itself_and_others() {
    let scene = "phase: production; owned/0: desert-1 ridge-1 plains-1; spots/desert-1/energy: 3 rig; \
                 spots/ridge-1/metal: 2 rig; spots/plains-1/luxury: 1 rig; on/plains-1: 1-yield-survey-1";
    check(
        scene,
        &format!("0 power ridge-1 plains-1, {READY}"),
        "warehouse/0: 1 energy 2 metal 1 luxury",
    );
    check(scene, "0 power desert-1", "refused: nothing-to-power");
    check(
        &scene.replace("3 rig", "1 rig"),
        "0 power ridge-1 plains-1",
        "refused: not-enough-energy",
    );
}

/// §10.1, §10.2
#[test]
fn plots_are_powered_by_their_owner_and_only_where_rigs_stand() {
    let scene = "phase: production; owned/0: ridge-1; owned/1: ridge-2; spots/ridge-2/metal: 1 rig; warehouse/0: 5 energy";
    check(scene, "0 power ridge-2", "refused: not-your-plot");
    check(scene, "0 power ridge-1", "refused: nothing-to-power");
}

/// §10.1, §10.6
#[test]
fn all_seats_lay_out_at_once_and_may_change_their_layout_until_the_last_call() {
    let scene =
        "phase: production; owned/1: ridge-1; spots/ridge-1/metal: 1 rig; warehouse/1: 1 energy";
    check(scene, "", "asked: 0 produce, 1 produce, 2 produce");
    check(scene, "2 ready, 0 ready", "asked: 1 produce");
    check(
        scene,
        "2 ready, 1 ready, 1 unready, 1 power, 0 ready",
        "asked: 1 produce; powered/ridge-1: 0",
    );
    check(scene, "1 ready, 1 power", "refused: ready-already");
    check(scene, "1 unready", "refused: not-ready");
    // §20.6: the Last Call is made when all are ready, and asks those who hold cards.
    let armed = format!("{scene}; hand/2: ruins; hand/1: decoy");
    check(&armed, "2 ready, 0 ready, 1 ready", "asked: 1 final, 2 final; last-called: 1");
}

/// §10.4, §10.7
#[test]
fn a_seat_without_the_energy_for_its_plots_must_change_its_layout() {
    let scene = "phase: production; owned/0: ridge-1; spots/ridge-1/metal: 1 rig; warehouse/0: 1 energy; purse/1: 9 credit";
    check(
        scene,
        "0 power ridge-1, 0 ready, 1 offer 0 9 credit for 1 energy, 0 accept 1",
        "ready/0: 0; warehouse/0:",
    );
    check(
        scene,
        "0 power ridge-1, 1 offer 0 9 credit for 1 energy, 0 accept 1, 0 ready",
        "refused: not-enough-energy",
    );
    check(
        "phase: last-call; hand/0: i-aint-going-alone; warehouse/0: 1 energy; owned/1: ridge-1; \
         spots/ridge-1/metal: 1 rig; powered/ridge-1: 1; warehouse/1: 1 energy",
        "0 play i-aint-going-alone loss 1 1 energy",
        "warehouse/1:; asked: 1 readjust",
    );
}

/// §10.8, §10.11, §20.2
#[test]
fn the_last_call_goes_round_until_all_have_passed_in_succession() {
    let scene = "phase: last-call; market-deck: market-low-4-1; hand/0: ruins; hand/1: ridiculous-efficiency decoy; owned/1: desert-1; spots/desert-1/energy: 1 rig";
    check(scene, "", "asked: 0 final, 1 final");
    check(scene, "0 pass", "asked: 1 final");
    check(
        scene,
        "0 pass, 1 play ridiculous-efficiency",
        "asked: 1 final, 0 final; front/1: ridiculous-efficiency",
    );
    check(scene, "0 pass, 1 play ridiculous-efficiency, 1 pass", "asked: 0 final");
    check(
        scene,
        "0 pass, 1 play ridiculous-efficiency, 1 pass, 0 pass",
        "phase: market; warehouse/1: 2 energy; front/1:; karma-discard: ridiculous-efficiency",
    );
    // A seat without cards is not asked.
    check(
        "phase: last-call; market-deck: market-low-4-1; hand/2: ruins",
        "2 pass",
        "phase: market",
    );
    check(
        "phase: last-call; hand/1: recycling; hand/2: ruins",
        "0 play recycling",
        "refused: not-asked",
    );
    check(scene, "1 pass, 1 play ridiculous-efficiency", "refused: not-asked");
}

/// §20.5
#[test]
fn the_phase_begins_with_the_layout_that_makes_most() {
    let scene = "phase: production; owned/0: ridge-1 forest-1 plains-1; spots/ridge-1/metal: 2 rig; \
                 spots/forest-1/supply: 1 rig; spots/plains-1/metal: 1 rig";
    let laid = |energy: &str| format!("{scene}; warehouse/0: {energy} energy");
    check(
        &laid("1"),
        "",
        "powered/ridge-1: 1; powered/plains-1: 0; announced: begins/production powers",
    );
    check(&laid("2"), "", "powered/ridge-1: 1; powered/plains-1: 1; powered/forest-1: 0");
    check(&laid("3"), READY, "warehouse/0: 1 supply 3 metal");
    check(scene, "", "powered/ridge-1: 0");
}

/// §7.2
#[test]
fn loans_help_where_energy_is_short() {
    let scene = "phase: production; owned/0: ridge-1; spots/ridge-1/metal: 2 rig";
    check(
        scene,
        &format!("0 borrow energy, 0 power ridge-1, {READY}"),
        "warehouse/0: 2 metal; debts/0: 1 script-energy",
    );
    check(scene, "0 ready, 0 borrow energy", "ready/0: 1; debts/0: 1 script-energy");
}

/// §10.6, §10.12
#[test]
fn ready_is_taken_back_three_times_and_not_once_all_are_ready() {
    let pair = "1 ready, 1 unready";
    let thrice = [pair; 3].join(", ");
    check("phase: production", &thrice, "ready/1: 0; unreadied/1: 3");
    check("phase: production", &format!("{thrice}, {pair}"), "refused: too-many-unready");
    check("phase: production", &format!("{thrice}, 2 ready, 2 unready"), "unreadied/2: 1");
    let all = "0 ready, 1 ready, 2 ready";
    for seat in ["0", "1"] {
        let scene = "phase: production; hand/0: ruins; hand/1: decoy";
        check(scene, &format!("{all}, {seat} unready"), "refused: not-now");
        let legal = Rigs::legal(&act(scene, all), seat_of(seat));
        assert!(!legal.contains(&Action::Unready));
    }
    // The next phase counts anew.
    check("phase: production; unreadied/1: 3", "1 ready, 1 unready", "unreadied/1: 1");
}
