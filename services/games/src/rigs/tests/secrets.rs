use super::*;

#[test]
fn a_refusal_names_what_it_is_about() {
    let facts = |scene: &str, acts: &str| {
        let refusal = refusal(scene, acts);
        (refusal.to_string(), table::Reason::facts(&refusal))
    };
    let (sentence, told) = facts("warehouse/0: 1 metal", "0 build");
    assert_eq!(sentence, "that takes 2 metal, and there are 1");
    let fact = |name, value: &str| (name, value.to_string());
    assert_eq!(told, [fact("resource", "metal"), fact("needed", "2"), fact("there", "1")]);
    let (sentence, told) = facts("hand/0: ruins rigs-tdm", "0 play rigs-tdm valley-1");
    assert_eq!(sentence, "rigs-tdm is not played now");
    assert_eq!(told, [fact("card", "rigs-tdm")]);
}

#[test]
fn a_message_that_names_no_action_is_malformed() {
    let malformed = |message: &[u8]| Rigs::parse(message).expect_err("it is malformed").0;
    assert_eq!(malformed(&[]), "the kind of action is missing");
    // Survey without a plot; borrow without a resource; move without a stand; name of seat 9.
    assert_eq!(malformed(&[42, 0]), "a plot is missing");
    assert_eq!(malformed(&[50, 0]), "the resource is missing");
    assert_eq!(malformed(&[34, 0]), "the location of the RIGS is missing");
    assert_eq!(malformed(&[18, 2, 8, 9]), "there is no seat 9");
    let survey =
        |name: &str| [&[42, name.len() as u8 + 2, 10, name.len() as u8], name.as_bytes()].concat();
    assert_eq!(malformed(&survey("decoy")), "there is no plot \"decoy\"");
    assert_eq!(Rigs::parse(&survey("valley-1")), Ok(action("survey valley-1")));
}

#[test]
fn every_kind_of_action_is_read_as_it_is_printed() {
    let texts = "grant valley-1, name 2, build, move warehouse/0 valley-1/metal, survey ridge-1, borrow energy, \
                 repay supply, offer 1 2 energy 5 credit valley-1 for 1 rig 1 script-metal, withdraw, accept 1, refuse 1, \
                 play ruins, play blowout valley-1, play brownout 1, play survey-typo plains-1 plains-2, play i-want-that metal, \
                 play below-the-surface valley-1 metal, play swap-meet swap 1 energy for 1 metal, play poker-night stake 2 metal, \
                 play i-aint-going-alone loss 1 2 metal decoy, cash, tinker, discard decoy, take decoy, salvage recycling, \
                 lose valley-1/metal, throw 1 energy, gain 2 luxury, send warehouse/1, draw-three, receive, power valley-1, \
                 last-call, sell 3, ready, unready, pass";
    let mut verbs = std::collections::BTreeSet::new();
    for text in texts.split(", ") {
        let action = action(text.trim());
        assert_eq!(Rigs::parse(&Rigs::print(&action)), Ok(action.clone()), "{text}");
        verbs.insert(Rigs::verb(&action));
    }
    assert_eq!(verbs.len() + 2, LAYOUT.verbs().len(), "all but open and resign");
}
