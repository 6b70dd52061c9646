//! Who sat where: the players of the match's line, and the commitments of its entries.

use positions::Position;
use rows::{FormerPlayer, SpeechKey};
use table::{Entry, Event, PlayerCommitment, Seat, Small, Table, Viewer};

use super::matches::{changed, ended, headed, lines, short, stored};
use super::{Cases, at, proven};
use crate::common::{Played, seated};
use crate::{Code, MatchLine};

pub(super) fn add(cases: &mut Cases) {
    first_players(cases);
    substitutes(cases);
    forged_commitments(cases);
}

/// A short match with two players, whom its first entry commits to.
fn base() -> Played {
    let mut played = short(2);
    played.seat_players();
    played
}

fn first_players(cases: &mut Cases) {
    cases.add("players that the first entry commits to", lines(&base()), proven());
    let mut alter = |name: &str, change: &dyn Fn(&mut MatchLine)| {
        cases.add(name, headed(&base(), change), at(1, Code::PlayerDiffers));
    };
    alter("another player of a seat", &|head| head.players[1].player = "mallory".to_owned());
    alter("another key of a seat", &|head| head.players[0].speech_key = Some("07".repeat(32)));
    alter("a player under another id with an accent", &|head| {
        head.players[0].player = "pl\u{e1}yer 0".to_owned();
    });
    alter("players who changed seats", &|head| {
        let [one, two] = &mut head.players[..] else { panic!("two players") };
        std::mem::swap(&mut one.player, &mut two.player);
        std::mem::swap(&mut one.speech_key, &mut two.speech_key);
    });
    alter("a player whose key is gone", &|head| head.players[1].speech_key = None);
    alter("an erased player with another key", &|head| {
        head.players[1].player = "pseudonym".to_owned();
        head.players[1].erased = true;
    });
    alter("a player who is not in the line", &|head| drop(head.players.pop()));
    alter("a match without the players it commits to", &|head| head.players.clear());

    let named = headed(&base(), |head| head.players[0].display_name = Some("Ann".to_owned()));
    cases.add("another display name", named, proven());
    let erased = headed(&base(), |head| {
        let player = &mut head.players[1];
        (player.player, player.speech_key, player.erased) = ("pseudonym".to_owned(), None, true);
    });
    cases.add("an erased player", erased, proven());
    let uncovered = changed(base(), |entries| _ = entries[0].players.remove(0));
    cases.add("a seat whose player no entry commits to", lines(&uncovered), proven());
}

/// The entry by which another player takes over seat 1.
const REPLACED_AT: i64 = 4;

/// The same match, in which another player takes over seat 1.
fn replaced() -> Played {
    let mut played = base();
    played.entries.pop();
    let game = games::find(&played.row.game).expect("a game");
    let mut table = Table::new(game.layout(), 2, Viewer::House);
    played.entries.iter().for_each(|entry| table.apply(entry));
    let seat = Seat::nth(1).expect("a low seat");
    let entry = game.replace(&table, seat, true).expect("its player is gone").1;
    played.entries.push(Entry { players: vec![played.commit(1, "cleo")], ..entry });
    let former = std::mem::replace(&mut played.row.seated[1], seated(1, "cleo"));
    played.row.seated[1].before = vec![FormerPlayer {
        until: Position(REPLACED_AT),
        player: former.player,
        display_name: None,
        speech_key: former.speech_key,
        is_erased: false,
    }];
    ended(&mut played);
    assert_eq!(played.entries.len() as i64, REPLACED_AT + 1);
    played
}

fn substitutes(cases: &mut Cases) {
    cases.add("a player who took over a seat", lines(&replaced()), proven());
    let with = |change: &dyn Fn(&mut Played)| {
        let mut played = replaced();
        change(&mut played);
        lines(&played)
    };
    let erased = with(&|it| {
        let seat = &mut it.row.seated[1];
        (seat.player, seat.speech_key, seat.is_erased) = ("pseudonym".to_owned(), None, true);
        let former = &mut seat.before[0];
        (former.player, former.speech_key, former.is_erased) = ("other".to_owned(), None, true);
    });
    cases.add("players of a seat who were both erased", erased, proven());
    let uncovered = changed(replaced(), |entries| entries[3].players.clear());
    cases.add("a substitute whom no entry commits to", lines(&uncovered), proven());
    let earlier = changed(replaced(), |entries| entries[0].players.clear());
    cases.add("a substitute in a match of an earlier release", lines(&earlier), proven());

    let mut alter = |name: &str, position: i64, change: &dyn Fn(&mut Played)| {
        cases.add(name, with(change), at(position, Code::PlayerDiffers));
    };
    alter("another substitute", REPLACED_AT, &|it| it.row.seated[1].player = "ann".to_owned());
    alter("another earlier player", 1, &|it| {
        it.row.seated[1].before[0].player = "ann".to_owned();
    });
    alter("a seat without its earlier player", 1, &|it| it.row.seated[1].before.clear());
    alter("a seat without its substitute", REPLACED_AT, &|it| {
        it.row.seated[1] = seated(1, "player 1");
    });
    alter("a substitute from a later entry on", REPLACED_AT, &|it| {
        it.row.seated[1].before[0].until = Position(5);
    });
    alter("a substitute from no entry on", REPLACED_AT, &|it| {
        it.row.seated[1].before[0].until = Position(-4);
    });
    alter("a player between two others", REPLACED_AT, &|it| {
        let former = it.row.seated[1].before[0].clone();
        let other = FormerPlayer { until: Position(5), player: "ann".to_owned(), ..former };
        it.row.seated[1].before.push(other);
    });
    alter("another substitute of a seat that was replaced once", 6, &|it| {
        let last = &it.row.seated[1];
        let former = FormerPlayer {
            until: Position(5),
            player: last.player.clone(),
            display_name: None,
            speech_key: last.speech_key,
            is_erased: false,
        };
        let before = vec![last.before[0].clone(), former];
        it.row.seated[1] = rows::SeatRow { before, ..seated(1, "ann") };
    });
    let mut unplayed = short(1);
    unplayed.row.seated = vec![seated(0, "ann"), seated(1, "bob")];
    unplayed.row.seated[0].before = vec![FormerPlayer {
        until: Position(2),
        player: "cleo".to_owned(),
        display_name: None,
        speech_key: Some(SpeechKey([1; 32])),
        is_erased: false,
    }];
    let expected = super::found(&super::name(&unplayed), &[(Some(5), Code::PlayerDiffers)]);
    cases.add("a substitute without an entry", lines(&unplayed), expected);
}

/// Entries that commit otherwise than the service does, with right digests.
fn forged_commitments(cases: &mut Cases) {
    let mut forge = |name: &str, played: Played, position: i64, code: Code| {
        cases.add(name, lines(&played), at(position, code));
    };
    let opening = |change: &dyn Fn(&mut Vec<PlayerCommitment>)| {
        changed(base(), |entries| change(&mut entries[0].players))
    };
    let swapped = opening(&|all| {
        let [one, two] = &mut all[..] else { panic!("two players") };
        std::mem::swap(&mut one.commitment, &mut two.commitment);
    });
    forge("commitments of other seats", swapped, 1, Code::PlayerDiffers);
    let of = |seat: usize| PlayerCommitment {
        seat: Seat::nth(seat).expect("a seat of some match"),
        commitment: [9; 32],
    };
    forge("a commitment of a third seat", opening(&|all| all.push(of(2))), 1, Code::PlayerDiffers);
    let invalid = Code::BodyInvalid;
    forge("commitments in another order", opening(&|all| all.reverse()), 1, invalid);
    forge("two commitments of a seat", opening(&|all| all.push(all[1])), 1, invalid);
    let late = changed(base(), |entries| entries[1].players = vec![of(0)]);
    forge("a commitment in an entry that seats nobody", late, 2, invalid);
    let other = changed(replaced(), |entries| entries[3].players[0].seat = Seat::default());
    forge("a commitment of another seat than the replaced one", other, REPLACED_AT, invalid);

    let mut bare = changed(base(), |entries| {
        for entry in entries {
            (entry.rules, entry.choices) = (0, Vec::new());
            entry.events.retain(|it| !matches!(it, Event::Contributed(_)));
        }
    });
    bare.recorded.iter_mut().for_each(|it| it.digest = None);
    forge("commitments without other proofs", bare, 1, Code::ProofMissing);

    // As stored, after the choices: the field, its length, the seat and the commitment.
    let raw = |commitment: &[u8]| {
        stored(short(2), 1, |body| {
            [&body[..], &[0x42, commitment.len() as u8], commitment].concat()
        })
    };
    let bytes = [&[0x12, 0x20][..], &[7; 32]].concat();
    forge("a commitment of 31 bytes", raw(&[&[0x12, 0x1f][..], &[7; 31]].concat()), 1, invalid);
    forge("a commitment without bytes", raw(&[0x08, 0x01]), 1, invalid);
    forge(
        "a commitment with seat 0 written",
        raw(&[&[0x08, 0x00], &bytes[..]].concat()),
        1,
        invalid,
    );
    forge("a commitment of a ninth seat", raw(&[&[0x08, 0x08], &bytes[..]].concat()), 1, invalid);
    forge(
        "a commitment with an unknown field",
        raw(&[&bytes[..], &[0x18, 0x01]].concat()),
        1,
        invalid,
    );
    forge("a commitment of two parts", raw(&[&bytes[..], &bytes[..]].concat()), 1, invalid);
    let number = stored(short(2), 1, |body| [&body[..], &[0x40, 0x01]].concat());
    forge("a commitment that is a number", number, 1, invalid);

    let before = |event: &[u8]| {
        stored(short(2), 2, |body| {
            let at = body.iter().position(|&it| it == 0x22).expect("it has events");
            [&body[..at], event, &body[at..]].concat()
        })
    };
    forge("a replaced seat that is no number", before(&[0x22, 4, 0xd2, 1, 1, 0]), 2, invalid);
    let unknown = changed(short(2), |entries| {
        entries[1].events.insert(0, Event::Replaced { seat: Seat::nth(7).expect("a seat") });
    });
    forge("a replaced seat that the match does not have", unknown, 2, Code::PlayerDiffers);
    let nobody = changed(short(2), |entries| {
        entries[1].events.insert(0, Event::Replaced { seat: Seat::default() });
    });
    forge("a substitute who is not in the line", nobody, 2, Code::PlayerDiffers);
}
