use super::*;

/// Deals `card` to seat 1 of three, led by seat 0.
#[track_caller]
fn struck(card: &str, scene: &str, acts: &str, then: &str) {
    let scene = format!("phase: disaster; disaster-deck: {card}; {scene}");
    let acts = if acts.is_empty() { String::new() } else { format!(", {acts}") };
    check(&scene, &format!("0 name 1{acts}"), then);
}

/// A seat that a disaster did not affect may exchange a karma card.
const EXCHANGES: &str = "asked: 1 exchange";
const GOES_ON: &str = "asked: 0 deal";

#[test]
fn the_leader_deals_to_everybody_in_an_order_of_its_choice() {
    check("phase: disaster", "0 name 2", "dealt/2: 2; asked: 0 deal");
    check("phase: disaster", "0 name 2, 0 name 2", "refused: cannot-name");
    check("phase: disaster", "0 name 2, 0 name 0", "phase: production");
    check("phase: disaster; leader: 1", "1 name 0", GOES_ON.replace('0', "1").as_str());
}

#[test]
fn an_empty_deck_is_made_anew() {
    check(
        "phase: disaster; disaster-deck:",
        "0 name 1",
        "cards disaster-deck: 35; cards disaster-discard: 1",
    );
}

#[test]
fn safe() {
    struck("safe-1", "hand/1: decoy", "", EXCHANGES);
    struck(
        "safe-1",
        "hand/1: decoy; karma-deck: ruins",
        "1 discard decoy",
        "hand/1: ruins; karma-discard: missing-support bad-os-revision wrong-manual eye-for-an-eye not-that-one i-aint-going-alone accidental-dumping left-the-light-on da-roof-is-on-fire rough-storm blowout give-me-that identity-theft incorrect-drivers ill-take-that i-want-that you-sent-it-where brownout survey-error survey-typo record-not-found carrier-lost triangulation-drift recycling ridiculous-efficiency parts-shop swap-meet poker-night below-the-surface winning-raffle-ticket rigs-tdm other-markets naive-profits wrong-address rigs-alarm-system push-pull-or-drag calling-in-a-favor ive-got-a-donk right-back-at-you warehouse-insurance decoy double-agent aint-working-for-you a-little-information",
    );
    struck("safe-1", "hand/1: decoy", "1 pass", "hand/1: decoy; asked: 0 deal");
    struck("safe-1", "", "", GOES_ON);
}

#[test]
fn unexpected_spoilage() {
    struck(
        "unexpected-spoilage-1",
        "warehouse/1: 5 supply",
        "",
        "warehouse/1: 2 supply; cards hand/1: 1; disaster-deck:",
    );
    struck(
        "unexpected-spoilage-1",
        "warehouse/1: 1 rig",
        "",
        "asked: 1 lose-rigs; cards hand/1: 0",
    );
    struck(
        "unexpected-spoilage-1",
        "warehouse/1: 1 rig",
        "1 lose warehouse/1",
        "warehouse/1:; works: 75 rig; cards hand/1: 1",
    );
    // Without RIGS either it affects nobody.
    struck("unexpected-spoilage-1", "hand/1: decoy", "", EXCHANGES);
}

#[test]
fn massive_solar_flare() {
    struck("massive-solar-flare-1", "warehouse/1: 5 energy", "", "warehouse/1:; cards hand/1: 1");
    struck(
        "massive-solar-flare-1",
        "warehouse/1: 2 rig",
        "1 lose warehouse/1",
        "warehouse/1: 1 rig; cards hand/1: 1",
    );
}

#[test]
fn out_in_the_acid_rain() {
    struck(
        "out-in-the-acid-rain-1",
        "warehouse/1: 3 metal",
        "",
        "warehouse/1: 1 metal; cards hand/1: 1",
    );
    struck("out-in-the-acid-rain-1", "warehouse/1: 1 rig", "", "asked: 1 lose-rigs");
}

#[test]
fn raid() {
    struck("raid-1", "warehouse/1: 3 luxury", "", "warehouse/1:; cards hand/1: 1");
    struck("raid-1", "warehouse/1: 1 rig; hand/1: decoy", "", EXCHANGES);
}

#[test]
fn solar_eclipse() {
    let desert = "owned/1: desert-1; spots/desert-1/energy: 3 rig";
    struck("solar-eclipse-1", desert, "", "front/1: solar-eclipse-1; cards hand/1: 1");
    struck(
        "solar-eclipse-1",
        "warehouse/1: 1 rig; owned/1: valley-1",
        "",
        "asked: 1 lose-rigs; front/1:",
    );
    let scene = "phase: last-call; front/0: solar-eclipse-1; owned/0: desert-1; spots/desert-1/energy: 3 rig";
    check(scene, PASS, "warehouse/0:; front/0:; cards disaster-discard: 1");
    let other = "phase: last-call; front/0: solar-eclipse-1; owned/0: valley-1; spots/valley-1/energy: 2 rig";
    check(other, PASS, "warehouse/0: 2 energy");
}

const PASS: &str = "0 pass, 1 pass, 2 pass";

#[test]
fn seasonal_hell() {
    struck("seasonal-hell-1", "owned/1: valley-1", "", "front/1: seasonal-hell-1; cards hand/1: 1");
    struck("seasonal-hell-1", "warehouse/1: 1 rig; owned/1: ridge-1", "", "asked: 1 lose-rigs");
    // One RIGS works on each of the valleys.
    let scene = "phase: last-call; front/0: seasonal-hell-1; owned/0: valley-1 valley-2 desert-1; \
                 spots/valley-1/energy: 2 rig; spots/valley-2/energy: 2 rig; spots/desert-1/energy: 3 rig";
    check(scene, PASS, "warehouse/0: 5 energy");
}

#[test]
fn theft() {
    struck("theft-1", "warehouse/1: 3 luxury", "", "warehouse/1: 1 luxury; cards hand/1: 1");
    struck("theft-1", "hand/1: decoy", "", EXCHANGES);
}

#[test]
fn corrosive_cloud() {
    struck(
        "corrosive-cloud",
        "warehouse/1: 3 metal 1 energy",
        "",
        "warehouse/1: 1 energy; cards hand/1: 1",
    );
    struck("corrosive-cloud", "warehouse/1: 1 rig", "", "asked: 1 lose-rigs");
}

#[test]
fn infestation() {
    let forest = "owned/1: forest-1; spots/forest-1/supply: 2 rig";
    struck("infestation", forest, "", "front/1: infestation; cards hand/1: 1");
    struck("infestation", "warehouse/1: 1 rig; owned/1: forest-1", "", "asked: 1 lose-rigs");
    let scene = "phase: last-call; front/0: infestation; owned/0: forest-1 ridge-1; warehouse/0: 2 energy; \
                 spots/forest-1/supply: 2 rig; powered/forest-1: 1; spots/ridge-1/metal: 2 rig; powered/ridge-1: 1";
    check(scene, PASS, "warehouse/0: 2 metal");
}

#[test]
fn battery_failure() {
    struck(
        "battery-failure",
        "warehouse/1: 3 energy 1 rig",
        "",
        "warehouse/1: 1 rig; cards hand/1: 1",
    );
    struck("battery-failure", "warehouse/1: 1 rig; hand/1: decoy", "", EXCHANGES);
}

#[test]
fn battery_charger_failure() {
    let works = "owned/1: desert-1; spots/desert-1/energy: 2 rig";
    struck(
        "battery-charger-failure-1",
        works,
        "",
        "front/1: battery-charger-failure-1; cards hand/1: 1",
    );
    struck("battery-charger-failure-1", "owned/1: desert-1; hand/1: decoy", "", EXCHANGES);
    // What is made powers plots first; only what is left is lost.
    let scene = "phase: last-call; front/0: battery-charger-failure-1; owned/0: desert-1 ridge-1; warehouse/0: 4 energy; \
                 spots/desert-1/energy: 3 rig; spots/ridge-1/metal: 2 rig; powered/ridge-1: 1";
    check(scene, PASS, "warehouse/0: 4 energy 2 metal");
}

#[test]
fn energy_junction_failure() {
    let works = "owned/1: desert-1; spots/desert-1/energy: 2 rig";
    struck(
        "energy-junction-failure-1",
        works,
        "",
        "front/1: energy-junction-failure-1; cards hand/1: 1",
    );
    struck("energy-junction-failure-1", "hand/1: decoy", "", EXCHANGES);
    // Only stored Energy powers plots; what is made is stored.
    let scene = "phase: production; front/0: energy-junction-failure-1; owned/0: desert-1 ridge-1; \
                 spots/desert-1/energy: 3 rig; spots/ridge-1/metal: 2 rig";
    check(scene, "0 power ridge-1", "refused: not-enough-energy");
    let scene = "phase: last-call; front/0: energy-junction-failure-1; owned/0: desert-1 ridge-1; warehouse/0: 1 energy; \
                 spots/desert-1/energy: 3 rig; spots/ridge-1/metal: 2 rig; powered/ridge-1: 1";
    check(scene, PASS, "warehouse/0: 3 energy 2 metal");
}
