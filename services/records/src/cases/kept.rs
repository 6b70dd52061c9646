//! What somebody kept, and files of several matches.

use std::collections::BTreeMap;

use serde_json::json;
use tlog::Proof;

use super::matches::{
    changed, contributions, edited, headed, joined, key_set, lines, name, receipt, receipt_of,
    short,
};
use super::{Cases, Expected, Kept, at, found, outside, proven, whole};
use crate::common::Played;
use crate::leaf::{Leaf, Opened};
use crate::{Code, Keys};

pub(super) fn add(cases: &mut Cases) {
    kept(cases);
    signed_twice(cases);
    several(cases);
}

/// Receipts that contradict each other. An entry that was changed has another digest.
fn signed_twice(cases: &mut Cases) {
    let base = short(2);
    let mut changed = base.clone();
    changed.row.platform = "rival".to_owned();
    changed.record();
    let of = |played: &Played, position, term| receipt_of(1, played, position, Some(term));
    let unproven = || Expected { found: Vec::new(), ..outside(Code::NoMatch) };
    let twice = || at(3, Code::ReceiptsContradict);
    let terms = || at(3, Code::ReceiptTermsDiffer);
    let mut add = |name: &str, receipts: Vec<String>, expected| {
        cases.add_receipts(name, receipts, expected);
    };
    let both = || vec![of(&base, 3, 7), of(&changed, 3, 7)];
    add("two receipts of a term with different digests, and no record", both(), twice());
    let reversed = both().into_iter().rev().collect();
    add("the same in another order", reversed, twice());
    let other_terms = vec![of(&base, 3, 7), of(&changed, 3, 8)];
    add("receipts of two terms with different digests, and no record", other_terms, terms());
    let without = vec![receipt(1, &base, 3), receipt(1, &changed, 3)];
    add("receipts without terms, with different digests", without, terms());
    let one_without = vec![receipt(1, &base, 3), of(&changed, 3, 7)];
    add("receipts with and without a term, with different digests", one_without, terms());
    let third = vec![of(&base, 3, 7), of(&changed, 3, 8), of(&base, 3, 8)];
    add("three receipts, of which two are of a term", third, twice());
    let alike = vec![of(&base, 3, 7), of(&base, 3, 7), of(&base, 3, 8)];
    add("receipts that say the same", alike, unproven());
    let elsewhere = vec![of(&base, 3, 7), of(&changed, 4, 7)];
    add("receipts for different entries", elsewhere, unproven());
    let matches = vec![of(&base, 3, 7), of(&short(1), 3, 7)];
    add("receipts for different matches", matches, unproven());
    let forged = vec![of(&base, 3, 7), receipt_of(2, &changed, 3, Some(7))];
    add("two receipts of which another signer made one", forged, outside(Code::ReceiptInvalid));
    let several = vec![of(&base, 4, 7), of(&changed, 4, 7), of(&base, 3, 7), of(&changed, 3, 7)];
    let at_both = [(Some(3), Code::ReceiptsContradict), (Some(4), Code::ReceiptsContradict)];
    add("contradictions about two entries", several, found(&name(&base), &at_both));

    let beside_a_record = [(Some(3), Code::ReceiptDiffers), (Some(3), Code::ReceiptsContradict)];
    let expected = found(&name(&base), &beside_a_record);
    cases.add("two receipts of a term, beside the record of one", lines(&base), expected).kept =
        Kept { receipts: both(), ..Kept::default() };
}

fn kept(cases: &mut Cases) {
    let base = short(2);
    let all = || lines(&base);
    let given = contributions(&base.entries[0]);
    let hex_of = |seat: usize| hex::encode(&given[seat].bytes);
    let commitment = hex::encode(base.row.terms.seed_commitment);
    let mut add = |name: &str, lines: Vec<String>, kept: Kept, expected: Expected| {
        cases.add(name, lines, expected).kept = kept;
    };
    let everything = Kept {
        asked: Some(name(&base)),
        commitment: Some(commitment.clone()),
        contributions: BTreeMap::from([(0, hex_of(0)), (1, hex_of(1))]),
        receipts: vec![receipt(1, &base, 2), receipt(1, &base, 4)],
        ..Kept::default()
    };
    add("everything that was kept", all(), everything, proven());
    let commitment = |other: &str| Kept { commitment: Some(other.to_owned()), ..Kept::default() };
    let other = commitment(&"07".repeat(32));
    add("another commitment than was kept", all(), other, whole(Code::CommitmentDiffers));
    let contribution = |seat: u8, text: &str| Kept {
        contributions: BTreeMap::from([(seat, text.to_owned())]),
        ..Kept::default()
    };
    let differs = || at(1, Code::ContributionDiffers);
    add("another contribution than was kept", all(), contribution(0, &hex_of(1)), differs());
    add("a contribution of another seat", all(), contribution(2, &hex_of(1)), differs());
    let alone = found(&name(&short(1)), &[(Some(1), Code::ContributionDiffers)]);
    add(
        "no contribution, where one was kept",
        lines(&short(1)),
        contribution(0, &hex_of(0)),
        alone,
    );

    let receipts = |all: Vec<String>| Kept { receipts: all, ..Kept::default() };
    let mut moved = base.clone();
    moved.row.platform = "rival".to_owned();
    moved.record();
    let of_other_digest = receipts(vec![receipt(1, &moved, 3)]);
    add("a receipt for another digest", all(), of_other_digest, at(3, Code::ReceiptDiffers));
    let mut late = base.clone();
    late.recorded[2].create_time += time::Duration::seconds(1);
    let of_other_time = receipts(vec![receipt(1, &late, 3)]);
    add("a receipt for another time", all(), of_other_time, at(3, Code::ReceiptDiffers));
    let mut short_of = base.clone();
    short_of.entries.pop();
    short_of.record();
    let cut = headed(&short_of, |head| head.secret_seed = None);
    let of_end = || receipts(vec![receipt(1, &base, 4)]);
    add(
        "a receipt for an entry that was cut off",
        cut.clone(),
        of_end(),
        at(4, Code::ReceiptBeyondEnd),
    );
    let unfinished = whole(Code::Unfinished);
    let of_third = receipts(vec![receipt(1, &short_of, 3)]);
    add("a receipt for a match under way", cut.clone(), of_third, unfinished.clone());
    let absent = found(&name(&base), &[(Some(4), Code::ReceiptOfOtherMatch)]);
    add("a receipt for a match that is not here", lines(&short(1)), of_end(), absent);
    let forged = receipts(vec![receipt(2, &base, 4)]);
    add("a receipt of another signer", all(), forged, outside(Code::ReceiptInvalid));
    let none = receipts(vec!["a.b".to_owned()]);
    add("a receipt that is none", all(), none, outside(Code::ReceiptInvalid));

    let asked = |played: &Played, may_be_unfinished: bool| Kept {
        asked: Some(name(played)),
        may_be_unfinished,
        ..Kept::default()
    };
    add("a cut record of a service", cut.clone(), asked(&base, false), at(4, Code::Incomplete));
    add("a record of a service that may be unfinished", cut, asked(&base, true), unfinished);
    let other = asked(&short(1), false);
    add(
        "a record of another match than was asked for",
        all(),
        other.clone(),
        whole(Code::OtherMatch),
    );
    add("an answer without a match", all()[..1].to_vec(), other, outside(Code::OtherMatch));
}

fn several(cases: &mut Cases) {
    let [one, two, three] = [2, 4, 6].map(short);
    let mut add = |name: &str, lines: Vec<String>, expected: Expected| {
        cases.add(name, lines, expected);
    };
    let of = |all: &[(&Played, Option<i64>, Code)]| {
        let each = all.iter().map(|&(of, position, code)| found(&name(of), &[(position, code)]));
        let found = each.flat_map(|it| it.found).collect::<Vec<_>>();
        let answer = found.iter().map(|it| it.code.answer()).max().expect("something is found");
        Expected {
            answer,
            found: found.into_iter().filter(|it| it.code.answer() == answer).collect(),
        }
    };
    let right = [lines(&one), lines(&two), lines(&three)];
    add("three matches", joined(&right), proven());
    let mut appended = lines(&one);
    appended.extend(lines(&two));
    add("two files in one", appended, proven());
    let wrong = changed(two.clone(), |entries| {
        let choice = &mut entries[0].choices[1];
        choice.value = (choice.value + 1) % choice.bound;
    });
    let one_wrong = joined(&[lines(&one), lines(&wrong), lines(&three)]);
    let choice = (&two, Some(1), Code::ChoiceWrong);
    add("three matches of which the second is wrong", one_wrong, of(&[choice]));
    let mut running = three.clone();
    running.entries.pop();
    running.record();
    let unfinished = (&three, None, Code::Unfinished);
    let third = joined(&[lines(&one), lines(&two), lines(&running)]);
    add("three matches of which the third is under way", third, of(&[unfinished]));
    let both = joined(&[lines(&wrong), lines(&one), lines(&running)]);
    add("a wrong match and one under way", both, of(&[choice, unfinished]));
    let cut = edited(lines(&two), 3, "\"verb\":\"", "\"verb\":\"x");
    let all_wrong = joined(&[lines(&wrong), lines(&one), lines(&two)]);
    let mut all_wrong = all_wrong;
    let at_two = all_wrong.len() - (cut.len() - 1) + 2;
    all_wrong[at_two].clone_from(&cut[3]);
    let differs = (&two, Some(2), Code::BodyDiffers);
    add("two wrong matches with a right one between", all_wrong, of(&[choice, differs]));
    let mut stray = lines(&one);
    stray.push(lines(&two)[2].clone());
    stray.extend(lines(&three)[1..].iter().cloned());
    add("an entry between two matches", stray, outside(Code::LineMisplaced));
    let twice = joined(&[lines(&one), lines(&one)]);
    add("a match twice", twice, proven());
}

/// An answer of `GetReceipt` has the proofs that the log has the match.
#[test]
fn a_receipt_is_kept_with_the_proofs_of_its_match() {
    let keys = Keys::parse(&key_set().to_string()).expect("keys");
    let proof_of = |played: &Played| Proof {
        leaf: Leaf::Opened(Opened::of(&played.row)).bytes(),
        index: 3,
        hashes: Vec::new(),
        note: "unread\n".to_owned(),
    };
    let verify = |opened: &str, closed: &str| {
        let jws = receipt(1, &short(2), 3);
        let answer = json!({ "jws": jws, "openedProof": opened, "closedProof": closed });
        keys.verify(&answer.to_string(), "r").map(|it| it.proofs)
    };
    let (own, other) = (proof_of(&short(2)), proof_of(&short(1)));
    assert_eq!(verify("", ""), Ok(vec![]));
    assert_eq!(verify(&own.to_string(), ""), Ok(vec![own.clone()]));
    assert_eq!(verify("", &own.to_string()), Ok(vec![own]));
    let refused = |opened: &str, reason: &str| assert_eq!(verify(opened, ""), Err(reason.into()));
    refused(&other.to_string(), "its proof of the log is of another match");
    refused("nothing", "its proof of the log cannot be read");
}
