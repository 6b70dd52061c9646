//! What others published: notes of the Go checksum database, requests that another witness is
//! tested with, and proofs that other implementations of RFC 6962 are tested with.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use tlog::{
    AddCheckpoint, Checkpoint, Hash, Note, NoteError, Proof, Refused, VerifierKey,
    verify_consistency, verify_inclusion,
};

/// Of the Go checksum database, which every Go program knows.
const SUM_GOLANG_ORG: &str = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8";

#[test]
fn checkpoints_of_the_go_checksum_database_are_verified() {
    let key: VerifierKey = SUM_GOLANG_ORG.parse().expect("a key");
    for (size, root, signature) in [
        (
            6_476_701,
            "mb8QLQIs0Z0yP5Cstq6guj87oXWeC9gEM8oVikmm9Wk=",
            "Az3grsLX85Gz+s1SiTbgkuqxgItqFq7gsMUEyVnrsa9LM7Us9S+1xbFIGu95949rj4nPRYfvimWEPWL+\
             o3GeoWwOoAw=",
        ),
        (
            35_225_469,
            "vt5T6GaLCXvyHFl9VUvvItR43XZxfLgftEcTyO3eJCQ=",
            "Az3grpukl5AXaVfYkLiDGORx/DN2nlcS5kZHR5uYOBV2KA2HgXpD+gu9HHONebHLAyaKbbTM75QTtPyd\
             hKCExixSfwQ=",
        ),
        // As the example of tlog-cosignature has it, under the name that was signed.
        (
            20_852_163,
            "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=",
            "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE\
             +xeMcTOAYQ8=",
        ),
    ] {
        let text = format!("go.sum database tree\n{size}\n{root}\n");
        let note = format!("{text}\n— sum.golang.org {signature}\n");
        let parsed = Note::parse(&note).expect("a note");
        assert_eq!(parsed.verify(&key), Ok(()), "{note}");
        let checkpoint = Checkpoint::parse(&parsed.text).expect("a checkpoint");
        assert_eq!((checkpoint.size, checkpoint.text()), (size, text));
        let altered = Note::parse(&note.replacen(&size.to_string(), "7", 1)).expect("a note");
        let wrong = NoteError::WrongSignature("sum.golang.org".to_owned());
        assert_eq!(altered.verify(&key), Err(wrong));
    }
}

/// The log with whose checkpoints the witness of torchwood is tested: its name has the hash of its
/// key, as sigsum's logs have.
const ORIGIN: &str =
    "sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562";
const LOG_KEY: &str = "ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f";

/// Its key, whose id is at the beginning of all its signatures.
fn log_key() -> VerifierKey {
    let key = [&[1][..], &hex::decode(LOG_KEY).expect("it is hexadecimal")].concat();
    format!("{ORIGIN}+5202289b+{}", BASE64_STANDARD.encode(key)).parse().expect("a key")
}

/// The sizes, hashes and signatures of its checkpoints.
const TREES: [(u64, &str, &str); 3] = [
    (
        1,
        "KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "UgIom7fPZTqpxWWhyjWduBvTvGVqsokMbqTArsQilegKoFBJQjUFAmQ0+YeSPM3wfUQMFSzVnnNuWRTYrajX\
         pNUbIQY=",
    ),
    (
        3,
        "RcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=",
        "UgIom2VbtIcdFbwFAy1n7s6IkAxIY6J/GQOTuZF2ORV39d75cbAj2aQYwyJre36kezNobZs4SUUdrcawfAB8\
         WVrx6go=",
    ),
    (
        5,
        "QrtXrQZCCvpIgsSmOsah7HdICzMLLyDfxToMql9WTjY=",
        "UgIomw/EOJmWi0i1FQsOj+etB7F8IccFam/jgd6wzRns4QPVmyEZtdvl1U2KEmLOZ/ASRcWJi0tW90dJWASh\
         ei7sDww=",
    ),
];

/// The request to cosign one of them.
fn asked(old: u64, proof: &[&str], tree: usize) -> AddCheckpoint {
    let (size, root, signature) = TREES[tree];
    let proof: String = proof.iter().map(|hash| format!("{hash}\n")).collect();
    let note = format!("{ORIGIN}\n{size}\n{root}\n\n— {ORIGIN} {signature}\n");
    AddCheckpoint::parse(&format!("old {old}\n{proof}\n{note}")).expect("a request")
}

#[test]
fn a_witness_answers_the_requests_of_another_witness_s_tests_as_that_one_does() {
    let key = log_key();
    let tree = |nth: usize| {
        let (size, root, _) = TREES[nth];
        Checkpoint::parse(&format!("{ORIGIN}\n{size}\n{root}\n")).expect("a checkpoint")
    };
    let check = |request: &AddCheckpoint, last: Option<usize>, expected: Result<u64, Refused>| {
        let last = last.map(tree);
        let judged = request.judge(&key, last.as_ref()).map(|it| it.checkpoint.size);
        assert_eq!(judged, expected, "{request:?}");
    };
    let one_to_three = [
        "KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    ];
    check(&asked(0, &[], 0), None, Ok(1));
    let mut altered = asked(1, &one_to_three, 1);
    altered.note = altered.note.replace("WVrx6go=", "WVrx6gw=");
    check(&altered, Some(0), Err(Refused::Unsigned));
    check(&asked(1, &[], 1), Some(0), Err(Refused::Inconsistent));
    let other = [one_to_three[0], "KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABA="];
    check(&asked(1, &other, 1), Some(0), Err(Refused::Inconsistent));
    check(&asked(1, &one_to_three, 1), Some(0), Ok(3));
    let one_to_five = [
        "KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "+fUDV+k970B4I3uKrqJM4aP1lloPZP8mvr2Z4wRw2LI=",
        "KgQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    ];
    check(&asked(1, &one_to_five, 2), Some(1), Err(Refused::OtherSize(3)));
    let three_to_five = [
        "KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "KgMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "wgiIFdZfYNv6WU1OllBKsWnLYIS/DBMqt8Uh/S4OukE=",
        "KgQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    ];
    check(&asked(3, &three_to_five, 2), Some(1), Ok(5));
    check(&asked(0, &[], 2), Some(2), Err(Refused::OtherSize(5)));
}

/// A hash of a case; `None` for what is no hash.
fn hash(of: &Value) -> Option<Hash> {
    BASE64_STANDARD.decode(of.as_str()?).ok()?.try_into().ok()
}

/// The proof of a case.
fn hashes(of: &Value) -> Option<Vec<Hash>> {
    of["proof"].as_array()?.iter().map(hash).collect()
}

fn holds_inclusion(of: &Value) -> Option<bool> {
    let (index, size) = (of["index"].as_u64()?, of["size"].as_u64()?);
    let (leaf, root) = (hash(&of["leaf"])?, hash(&of["root"])?);
    Some(verify_inclusion(index, size, &leaf, &root, &hashes(of)?))
}

fn holds_consistency(of: &Value) -> Option<bool> {
    let (old_size, size) = (of["old_size"].as_u64()?, of["size"].as_u64()?);
    let (old, root) = (hash(&of["old_root"])?, hash(&of["root"])?);
    Some(verify_consistency((old_size, &old), (size, &root), &hashes(of)?))
}

#[test]
fn the_proofs_of_other_implementations_tests_hold_or_do_not() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/rfc6962.json");
    #[expect(clippy::disallowed_methods, reason = "the test reads what others published")]
    let text = std::fs::read_to_string(path).expect("the vectors are in the tree");
    let vectors: Value = serde_json::from_str(&text).expect("JSON");
    let mut counted = [0, 0];
    for (kind, holds) in [
        ("inclusion", holds_inclusion as fn(&Value) -> Option<bool>),
        ("consistency", holds_consistency),
    ] {
        for it in vectors[kind].as_array().expect("cases") {
            let expected = it["holds"].as_bool().expect("a case");
            assert_eq!(holds(it).unwrap_or_default(), expected, "{kind}: {it}");
            counted[usize::from(expected)] += 1;
        }
    }
    assert!(counted[0] > 100 && counted[1] > 10, "{counted:?}");
}

/// The example of tlog-proof, whose signatures are shortened there.
#[test]
fn the_example_of_a_proof_is_read() {
    let hashes = "gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=\n\
        B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=\n\
        EKNzoDWG8LGC0Yp9o+sv3qllpMP9uHQ9B20KNL+Q1zs=\n\
        RoopEkOdqkYqMB4MJXrbt/hMjOxsVn0IrWjpz1ZMMes=\n\
        AHCioX9nLjsrse6YhjRRmk1WUEirVOLLRoOQ6vfO5vk=\n";
    let extra = BASE64_STANDARD.encode("age-v1.2.1-darwin-arm64.tar.gz");
    let note = "example.com/fancylog\n109482\nsFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=\n\n";
    let text = format!("c2sp.org/tlog-proof@v1\nextra {extra}\nindex 73894\n{hashes}\n{note}");
    let proof = Proof::parse(&text).expect("a proof");
    assert_eq!((proof.index, proof.hashes.len(), proof.note.as_str()), (73_894, 5, note));
    assert_eq!(proof.to_string(), text);
}
