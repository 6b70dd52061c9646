use super::*;

/// Deals `card` to seat 1 of three, led by seat 0.
#[track_caller]
fn dealt(card: &str, scene: &str, acts: &str, then: &str) {
    let scene = format!("phase: disaster; disaster-deck: {card}; {scene}");
    let acts = if acts.is_empty() { String::new() } else { format!(", {acts}") };
    check(&scene, &format!("0 name 1{acts}"), then);
}

/// A seat that a disaster did not affect may exchange a karma card.
const EXCHANGES: &str = "asked: 1 exchange";
const GOES_ON: &str = "asked: 0 deal";

/// §8.1
#[test]
fn the_leader_deals_to_every_seat_in_an_order_of_its_choice() {
    check("phase: disaster", "0 name 2", "dealt/2: 2; asked: 0 deal");
    check("phase: disaster", "0 name 2, 0 name 2", "refused: cannot-name");
    check("phase: disaster", "0 name 2, 0 name 0", "phase: production");
    check("phase: disaster; leader: 1", "1 name 0", GOES_ON.replace('0', "1").as_str());
}

/// §8.1
#[test]
fn an_empty_deck_is_reshuffled() {
    check(
        "phase: disaster; disaster-deck:",
        "0 name 1",
        "cards disaster-deck: 35; cards disaster-discard: 1",
    );
}

/// §8.4, §9.1
#[test]
fn safe() {
    dealt("safe-1", "hand/1: decoy", "", EXCHANGES);
    dealt(
        "safe-1",
        "hand/1: decoy; karma-deck: ruins",
        "1 discard decoy",
        "hand/1: ruins; karma-discard: missing-support bad-os-revision wrong-manual eye-for-an-eye not-that-one i-aint-going-alone accidental-dumping left-the-light-on da-roof-is-on-fire rough-storm blowout give-me-that identity-theft incorrect-drivers ill-take-that i-want-that you-sent-it-where brownout survey-error survey-typo record-not-found carrier-lost triangulation-drift recycling ridiculous-efficiency parts-shop swap-meet poker-night below-the-surface winning-raffle-ticket rigs-tdm other-markets naive-profits wrong-address rigs-alarm-system push-pull-or-drag calling-in-a-favor ive-got-a-donk right-back-at-you warehouse-insurance decoy double-agent aint-working-for-you a-little-information",
    );
    dealt("safe-1", "hand/1: decoy", "1 pass", "hand/1: decoy; asked: 0 deal");
    dealt("safe-1", "", "", GOES_ON);
}

/// §8.2, §8.3, §9.2
#[test]
fn unexpected_spoilage() {
    dealt(
        "unexpected-spoilage-1",
        "warehouse/1: 5 supply",
        "",
        "warehouse/1: 2 supply; cards hand/1: 1; disaster-deck:",
    );
    dealt(
        "unexpected-spoilage-1",
        "warehouse/1: 1 rig; owned/1: ridge-1; spots/ridge-1/metal: 1 rig",
        "",
        "asked: 1 lose-rigs; cards hand/1: 0",
    );
    dealt(
        "unexpected-spoilage-1",
        "warehouse/1: 1 rig",
        "",
        "warehouse/1:; works: 75 rig; cards hand/1: 1",
    );
    // A seat that has no RIGS either is not affected.
    dealt("unexpected-spoilage-1", "hand/1: decoy", "", EXCHANGES);
}

/// §9.2
#[test]
fn massive_solar_flare() {
    dealt("massive-solar-flare-1", "warehouse/1: 5 energy", "", "warehouse/1:; cards hand/1: 1");
    dealt("massive-solar-flare-1", "warehouse/1: 2 rig", "", "warehouse/1: 1 rig; cards hand/1: 1");
}

/// §9.2
#[test]
fn out_in_the_acid_rain() {
    dealt(
        "out-in-the-acid-rain-1",
        "warehouse/1: 3 metal",
        "",
        "warehouse/1: 1 metal; cards hand/1: 1",
    );
    dealt(
        "out-in-the-acid-rain-1",
        "warehouse/1: 1 rig; owned/1: ridge-1; spots/ridge-1/metal: 1 rig",
        "",
        "asked: 1 lose-rigs",
    );
}

/// §8.4, §9.3
#[test]
fn raid() {
    dealt("raid-1", "warehouse/1: 3 luxury", "", "warehouse/1:; cards hand/1: 1");
    dealt("raid-1", "warehouse/1: 1 rig; hand/1: decoy", "", EXCHANGES);
}

/// §8.5, §9.4
#[test]
fn solar_eclipse() {
    let desert = "owned/1: desert-1; spots/desert-1/energy: 3 rig";
    dealt("solar-eclipse-1", desert, "", "front/1: solar-eclipse-1; cards hand/1: 1");
    dealt(
        "solar-eclipse-1",
        "warehouse/1: 1 rig; owned/1: valley-1; spots/valley-1/metal: 1 rig",
        "",
        "asked: 1 lose-rigs; front/1:",
    );
    let scene = "phase: last-call; front/0: solar-eclipse-1; owned/0: desert-1; spots/desert-1/energy: 3 rig";
    check(scene, PASS, "warehouse/0:; front/0:; cards disaster-discard: 1");
    let other = "phase: last-call; front/0: solar-eclipse-1; owned/0: valley-1; spots/valley-1/energy: 2 rig";
    check(other, PASS, "warehouse/0: 2 energy");
}

const PASS: &str = "0 pass, 1 pass, 2 pass";

/// §9.5
#[test]
fn seasonal_hell() {
    dealt("seasonal-hell-1", "owned/1: valley-1", "", "front/1: seasonal-hell-1; cards hand/1: 1");
    dealt(
        "seasonal-hell-1",
        "warehouse/1: 1 rig; owned/1: ridge-1; spots/ridge-1/metal: 1 rig",
        "",
        "asked: 1 lose-rigs",
    );
    // One RIGS works on each Valley.
    let scene = "phase: last-call; front/0: seasonal-hell-1; owned/0: valley-1 valley-2 desert-1; \
                 spots/valley-1/energy: 2 rig; spots/valley-2/energy: 2 rig; spots/desert-1/energy: 3 rig";
    check(scene, PASS, "warehouse/0: 5 energy");
}

/// §9.3
#[test]
fn theft() {
    dealt("theft-1", "warehouse/1: 3 luxury", "", "warehouse/1: 1 luxury; cards hand/1: 1");
    dealt("theft-1", "hand/1: decoy", "", EXCHANGES);
}

/// §9.2
#[test]
fn corrosive_cloud() {
    dealt(
        "corrosive-cloud",
        "warehouse/1: 3 metal 1 energy",
        "",
        "warehouse/1: 1 energy; cards hand/1: 1",
    );
    dealt(
        "corrosive-cloud",
        "warehouse/1: 1 rig; owned/1: ridge-1; spots/ridge-1/metal: 1 rig",
        "",
        "asked: 1 lose-rigs",
    );
}

/// §9.6
#[test]
fn infestation() {
    let forest = "owned/1: forest-1; spots/forest-1/supply: 2 rig";
    dealt("infestation", forest, "", "front/1: infestation; cards hand/1: 1");
    dealt(
        "infestation",
        "warehouse/1: 1 rig; owned/1: ridge-1; spots/ridge-1/metal: 1 rig",
        "",
        "asked: 1 lose-rigs",
    );
    let scene = "phase: last-call; front/0: infestation; owned/0: forest-1 ridge-1; warehouse/0: 2 energy; \
                 spots/forest-1/supply: 2 rig; powered/forest-1: 1; spots/ridge-1/metal: 2 rig; powered/ridge-1: 1";
    check(scene, PASS, "warehouse/0: 2 metal");
}

/// §9.3
#[test]
fn battery_failure() {
    dealt(
        "battery-failure",
        "warehouse/1: 3 energy 1 rig",
        "",
        "warehouse/1: 1 rig; cards hand/1: 1",
    );
    dealt("battery-failure", "warehouse/1: 1 rig; hand/1: decoy", "", EXCHANGES);
}

/// §8.4, §9.7, §10.10
#[test]
fn battery_charger_failure() {
    let works = "owned/1: desert-1; spots/desert-1/energy: 2 rig";
    dealt(
        "battery-charger-failure-1",
        works,
        "",
        "front/1: battery-charger-failure-1; cards hand/1: 1",
    );
    dealt("battery-charger-failure-1", "owned/1: desert-1; hand/1: decoy", "", EXCHANGES);
    // The Energy made powers plots first; only the surplus is lost.
    let scene = "phase: last-call; front/0: battery-charger-failure-1; owned/0: desert-1 ridge-1; warehouse/0: 4 energy; \
                 spots/desert-1/energy: 3 rig; spots/ridge-1/metal: 2 rig; powered/ridge-1: 1";
    check(scene, PASS, "warehouse/0: 4 energy 2 metal");
}

/// §8.4, §9.8
#[test]
fn energy_junction_failure() {
    let works = "owned/1: desert-1; spots/desert-1/energy: 2 rig";
    dealt(
        "energy-junction-failure-1",
        works,
        "",
        "front/1: energy-junction-failure-1; cards hand/1: 1",
    );
    dealt("energy-junction-failure-1", "hand/1: decoy", "", EXCHANGES);
    // Only stored Energy powers plots; the Energy made is stored.
    let scene = "phase: production; front/0: energy-junction-failure-1; owned/0: desert-1 ridge-1; \
                 spots/desert-1/energy: 3 rig; spots/ridge-1/metal: 2 rig";
    check(scene, "0 power ridge-1", "refused: not-enough-energy");
    let scene = "phase: last-call; front/0: energy-junction-failure-1; owned/0: desert-1 ridge-1; warehouse/0: 1 energy; \
                 spots/desert-1/energy: 3 rig; spots/ridge-1/metal: 2 rig; powered/ridge-1: 1";
    check(scene, PASS, "warehouse/0: 3 energy 2 metal");
}

/// §1.4, §9.1, §9.2, §9.3, §9.4, §9.5, §9.6, §9.7, §9.8
#[test]
fn the_disaster_deck_holds_its_numbers_of_each_kind() {
    use DisasterKind::*;
    let count = |kind| DisasterCard::all().filter(|card| card.kind() == kind).count();
    assert_eq!(count(Safe), 6);
    assert_eq!([UnexpectedSpoilage, MassiveSolarFlare, OutInTheAcidRain].map(count), [2, 4, 2]);
    assert_eq!([CorrosiveCloud, Raid, Theft, BatteryFailure].map(count), [1, 4, 5, 1]);
    assert_eq!([SolarEclipse, SeasonalHell, Infestation].map(count), [3, 3, 1]);
    assert_eq!([BatteryChargerFailure, EnergyJunctionFailure].map(count), [2, 2]);
}

/// §8.1, §20.2, §20.3, §20.4
#[test]
fn disasters_are_dealt_in_an_order_and_all_decide_at_once() {
    let scene = "phase: disaster; disaster-deck: safe-1 safe-2 safe-3; hand/0: decoy; hand/1: ruins; hand/2: blowout";
    let order = "0 series name 2 + name 0";
    check(scene, order, "asked: 2 exchange, 0 exchange, 1 exchange; dealt/1: 2");
    check(scene, &format!("{order}, 1 pass, 2 discard blowout"), "asked: 0 exchange");
    check(scene, &format!("{order}, 1 pass, 2 pass, 0 pass"), "phase: production");
    check(scene, "0 series name 2 + name 2", "refused: cannot-name");
    check(scene, "0 series name 2 + ready", "refused: not-now");
    check(
        "phase: disaster; disaster-deck: safe-1",
        "0 series name 1 + name 0",
        "phase: production",
    );
}

/// §20.3
#[test]
fn several_rigs_are_lost_in_one_action() {
    let scene =
        "hand/0: bad-os-revision; warehouse/1: 1 rig; owned/1: ridge-1; spots/ridge-1/metal: 3 rig";
    let played = "0 play bad-os-revision 1";
    check(
        scene,
        &format!("{played}, 1 series lose ridge-1/metal + lose warehouse/1"),
        "asked: 0 turn; spots/ridge-1/metal: 2 rig; warehouse/1:",
    );
    check(
        scene,
        &format!("{played}, 1 series lose warehouse/1 + lose warehouse/1"),
        "refused: no-rigs-there",
    );
    check(
        scene,
        &format!("{played}, 1 series lose ridge-1/metal + lose ridge-1/metal + lose ridge-1/metal"),
        "refused: not-now",
    );
}
