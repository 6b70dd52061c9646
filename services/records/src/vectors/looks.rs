//! What logs tell and how clients judge it: the vectors of everything that keeps proofs.

use serde::Serialize;
use serde_json::Value;
use tlog::{
    Checkpoint, Edge, Hash, Proof, SigningKey, Succession, VerifierKey, consistency, format_hashes,
    inclusion, leaf_hash,
};

use super::{ID, compare};
use crate::leaf::{Closed, End, Leaf, Opened, match_hash};
use crate::look::{AboutMatch, Look};
use rows::{MatchId, match_name};

const ORIGIN: &str = "log.example/a";

#[derive(Serialize)]
struct Vectors {
    looks: Vec<Case>,
    successions: Vec<Followed>,
}

#[derive(Serialize)]
struct Case {
    name: String,
    look: Look,
    /// The sizes between which a proof is needed.
    needed: Option<(u64, u64)>,
    /// What is found; absent if what was kept cannot be used.
    expected: Option<Value>,
}

#[derive(Serialize)]
struct Followed {
    name: String,
    log_key: String,
    statements: String,
    /// The keys of the logs that follow, and the sizes with which those before them ended.
    expected: Vec<(String, u64)>,
}

fn key(nth: u8) -> SigningKey {
    SigningKey::new(ORIGIN, &[nth; 32]).expect("a name")
}

fn opened() -> Opened {
    Opened {
        match_hash: match_hash(MatchId(ID)),
        time_us: 1_793_872_900_000_001,
        digest: [2; 32],
        seed_commitment: [3; 32],
        platform: None,
        players: vec![Some([4; 32]), None],
    }
}

/// A tree of some leaves, one of which is of the match.
struct Tree(Vec<Vec<u8>>);

impl Tree {
    fn new(size: usize, at: usize, leaf: &Leaf) -> Tree {
        let leaf = |nth: usize| if nth == at { leaf.bytes() } else { vec![nth as u8; 3] };
        Tree((0..size).map(leaf).collect())
    }

    fn root(&self, part: std::ops::Range<u64>) -> Hash {
        let mut edge = Edge::default();
        let leaves = &self.0[part.start as usize..part.end as usize];
        leaves.iter().for_each(|leaf| edge.push(leaf_hash(leaf)));
        edge.root()
    }

    fn signed(&self, size: u64, key: &SigningKey) -> String {
        let origin = ORIGIN.to_owned();
        let checkpoint = Checkpoint { origin, size, root: self.root(0..size) };
        checkpoint.sign(key, 1_793_872_901 + size).to_string()
    }

    fn proof(&self, index: u64, size: u64, key: &SigningKey) -> String {
        let parts = inclusion(index, size).expect("it has the leaf");
        let hashes = parts.into_iter().map(|part| self.root(part)).collect();
        let (leaf, note) = (self.0[index as usize].clone(), self.signed(size, key));
        Proof { leaf, index, hashes, note }.to_string()
    }

    fn continued(&self, old: u64, size: u64) -> String {
        let parts = consistency(old, size).expect("it has the leaves");
        format_hashes(&parts.into_iter().map(|part| self.root(part)).collect::<Vec<_>>())
    }

    /// The leaf at this index in a tree of `size`, by somebody who kept the checkpoint of `old`.
    fn look(&self, index: u64, old: u64, size: u64) -> Look {
        Look {
            log_key: key(7).verifier().to_string(),
            told: self.proof(index, size, &key(7)),
            checkpoint: (old > 0).then(|| self.signed(old, &key(7))),
            consistency: (old > 0 && old != size)
                .then(|| self.continued(old.min(size), old.max(size))),
            about: Some(AboutMatch {
                name: match_name(MatchId(ID)),
                create_time: Some("2026-11-05T10:01:40.000001Z".to_owned()),
                seats: Some(2),
                seed_commitment: Some("03".repeat(32)),
                end: Some((13, "02".repeat(32))),
            }),
        }
    }
}

fn case(name: impl Into<String>, look: Look) -> Case {
    let expected = look.compare().ok().map(|it| {
        let mut told = serde_json::to_value(it).expect("it is plain");
        let findings = told["findings"].take();
        let codes = findings.as_array().expect("a list").iter().map(|it| it["code"].clone());
        told["codes"] = codes.collect();
        told.as_object_mut().expect("an object").remove("findings");
        told
    });
    Case { name: name.into(), needed: look.needed_consistency(), look, expected }
}

fn looks() -> Vec<Case> {
    let leaf = Leaf::Opened(opened());
    let mut cases = Vec::new();
    for (index, old, size) in
        [(0, 0, 1), (0, 1, 1), (1, 1, 2), (3, 3, 7), (6, 4, 7), (4, 6, 7), (5, 8, 6), (9, 5, 11)]
    {
        let tree = Tree::new(11, index as usize, &leaf);
        let name = format!("leaf {index} of {size}, after {old} leaves");
        cases.push(case(name, tree.look(index, old, size)));
    }
    let tree = Tree::new(7, 5, &leaf);
    let look = || tree.look(5, 3, 7);
    let other = Tree::new(7, 0, &leaf);
    let changed = |name: &str, change: &dyn Fn(&mut Look)| {
        let mut look = look();
        change(&mut look);
        case(name, look)
    };
    let about = |name: &str, change: &dyn Fn(&mut AboutMatch)| {
        changed(name, &|it| change(it.about.as_mut().expect("a match")))
    };
    let closed = |end, position| {
        let Opened { match_hash, time_us, digest, .. } = opened();
        Leaf::Closed(Closed { match_hash, time_us, digest, position, end })
    };
    let of = |leaf: &Leaf| Tree::new(7, 5, leaf).look(5, 3, 7);
    let later = |first: &[u8]| {
        let mut tree = Tree::new(7, 5, &leaf);
        tree.0[5][..first.len()].copy_from_slice(first);
        tree.look(5, 3, 7)
    };
    let swap = |from: &'static str, to: &'static str| {
        move |it: &mut Look| it.told = it.told.replacen(from, to, 1)
    };
    cases.extend([
        changed("a checkpoint alone", &|it| {
            (it.told, it.consistency) = (tree.signed(6, &key(7)), Some(tree.continued(3, 6)));
        }),
        changed("an older checkpoint", &|it| {
            (it.told, it.checkpoint) = (tree.signed(3, &key(7)), Some(tree.signed(7, &key(7))));
        }),
        changed("nothing is known of the match", &|it| it.about = None),
        changed("two faces", &|it| it.checkpoint = Some(other.signed(7, &key(7)))),
        changed("another history", &|it| it.checkpoint = Some(other.signed(3, &key(7)))),
        changed("a proof of another continuation", &|it| {
            it.consistency = Some(tree.continued(4, 7));
        }),
        changed("a proof that is none", &|it| it.consistency = Some("AAAA\n".to_owned())),
        changed("no proof of continuation", &|it| it.consistency = None),
        changed("another key signed", &|it| it.told = tree.proof(5, 7, &key(8))),
        changed("what was kept is of another key", &|it| {
            it.log_key = key(8).verifier().to_string();
        }),
        changed("what is no key", &|it| it.log_key = "log.example/a".to_owned()),
        changed("another place", &swap("index 5", "index 4")),
        changed("a place beyond the tree", &swap("index 5", "index 7")),
        changed("a place with a leading zero", &swap("index 5", "index 05")),
        changed("another size", &swap("\n7\n", "\n8\n")),
        changed("another name of the log", &swap("log.example/a\n7", "log.example/b\n7")),
        changed("text after the proof", &|it| it.told.push_str("more\n")),
        changed("nothing", &|it| it.told = "nothing".to_owned()),
        changed("a hash less", &|it| {
            let at = it.told.find("\n\n").expect("a proof");
            let hash = it.told[..at].rfind('\n').expect("a proof");
            it.told.replace_range(hash..at, "");
        }),
        changed("another leaf", &|it| {
            let at = it.told.find("extra ").expect("a proof") + 16;
            let digit = if &it.told[at..=at] == "A" { "B" } else { "A" };
            it.told.replace_range(at..=at, digit);
        }),
        changed("another time of the signature", &|it| {
            // The line of the cosignature is the last.
            let at = it.told.trim_end().rfind(' ').expect("a signature") + 12;
            let digit = if &it.told[at..=at] == "A" { "B" } else { "A" };
            it.told.replace_range(at..=at, digit);
        }),
        about("of another match", &|it| {
            it.name = "matches/00000000-0000-0000-0000-000000000008".to_owned();
        }),
        about("with another number of seats", &|it| it.seats = Some(3)),
        about("with another seed", &|it| it.seed_commitment = Some("04".repeat(32))),
        about("with another time", &|it| {
            it.create_time = Some("2026-11-05T10:01:40Z".to_owned());
        }),
        case("of a platform", of(&Leaf::Opened(Opened { platform: Some([5; 16]), ..opened() }))),
        case("a match that somebody won", of(&closed(End::Won, 13))),
        case("a match without a winner", of(&closed(End::NotWon, 13))),
        case("a match with another end", of(&closed(End::Won, 12))),
        case("a match that was deleted", of(&closed(End::Deleted, 0))),
        case("a leaf of a later version", later(&[9, 1])),
        case("a leaf of an unknown kind", later(&[1, 3])),
        case("a leaf that is cut", of(&leaf).shortened(&tree)),
    ]);
    cases
}

impl Look {
    /// With a leaf that lacks its last byte.
    fn shortened(mut self, of: &Tree) -> Look {
        let mut tree = Tree(of.0.clone());
        tree.0[5].pop();
        self.told = tree.proof(5, 7, &key(7));
        self
    }
}

fn successions() -> Vec<Followed> {
    let named = |nth: u8| SigningKey::new(&format!("log/{nth}"), &[nth; 32]).expect("a name");
    let statement = |old: u8, new: u8, signer: u8| {
        let last = Checkpoint { origin: format!("log/{old}"), size: u64::from(old), root: [7; 32] };
        let succession = Succession { last, next: named(new).verifier() };
        succession.sign(&named(signer), &named(new)).to_string()
    };
    let chain = statement(1, 2, 1) + &statement(2, 3, 2);
    let unwilling = statement(1, 2, 1);
    let unwilling = unwilling.rsplit_once("— log/2").expect("it signed").0.to_owned();
    let followed = |name: &str, of: u8, statements: String| {
        let key: VerifierKey = named(of).verifier();
        let found = Succession::follow(&key, &statements);
        let expected = found.iter().map(|(it, _)| (it.next.to_string(), it.last.size)).collect();
        Followed { name: name.to_owned(), log_key: key.to_string(), statements, expected }
    };
    vec![
        followed("two logs follow", 1, chain.clone()),
        followed("one follows", 2, chain.clone()),
        followed("none follows", 3, chain),
        followed("somebody else says so", 1, statement(1, 2, 3)),
        followed("the next log does not agree", 1, unwilling),
        followed("the end is another one", 1, statement(1, 2, 1).replace("\n1\n", "\n8\n")),
        followed("nothing", 1, String::new()),
    ]
}

#[test]
fn what_logs_tell_is_judged_as_the_vectors_say() {
    let vectors = Vectors { looks: looks(), successions: successions() };
    let text = serde_json::to_string_pretty(&vectors).expect("they are plain");
    compare("looks.json", &(text + "\n"));
}
