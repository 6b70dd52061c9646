//! What a viewer may know, computed from the house's entries and the sights of places,
//! independently of the service's redaction.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use table::{Event, Face, Layout, PlaceId, Viewer};

pub type Names = BTreeSet<String>;

/// The pieces whose places a viewer knows, after each entry and within it.
pub struct Knowledge {
    /// By position, from 0: what is known afterwards.
    pub after: Vec<Names>,
    /// By position: everything the entry may name.
    pub within: Vec<Names>,
}

impl Knowledge {
    pub fn of(viewer: Viewer, layout: &Layout, entries: &[table::Entry]) -> Knowledge {
        let sees = |place: PlaceId| layout.viewers(place).has(viewer);
        let rows = layout.pieces().iter();
        let mut lies: BTreeMap<String, PlaceId> =
            rows.map(|row| (row.name.clone(), row.start)).collect();
        let mut known: Names =
            lies.iter().filter(|it| sees(*it.1)).map(|it| it.0.clone()).collect();
        let (mut after, mut within) = (vec![known.clone()], vec![known.clone()]);
        for entry in entries {
            let mut told = known.clone();
            for event in &entry.events {
                match *event {
                    Event::Moved { what: Face::Up(piece), from, to } => {
                        let name = layout.piece_name(piece).to_owned();
                        lies.insert(name.clone(), to);
                        match sees(from) || sees(to) {
                            true => known.insert(name),
                            false => known.remove(&name),
                        };
                    }
                    Event::Gathered { from, to } => {
                        for (name, place) in lies.iter_mut().filter(|it| *it.1 == from) {
                            *place = to;
                            // Among pieces that look alike, none is known any longer.
                            if !sees(to) {
                                known.remove(name);
                            }
                        }
                    }
                    Event::Shown { what: Face::Up(piece), at, to }
                        if sees(at) || to.has(viewer) =>
                    {
                        known.insert(layout.piece_name(piece).to_owned());
                    }
                    _ => {}
                }
                told.extend(known.iter().cloned());
            }
            after.push(known.clone());
            within.push(told);
        }
        Knowledge { after, within }
    }
}

/// The pieces of the catalogue named in bytes, as words of a text or strings of a protobuf message.
pub fn named(bytes: &[u8], layout: &Layout) -> Names {
    let bytes = &without_random(bytes);
    let is_letter = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'-';
    let words = bytes.split(|byte| !is_letter(byte));
    let strings = bytes.iter().enumerate().filter_map(|(at, &length)| {
        let string = bytes.get(at + 1..at + 1 + usize::from(length))?;
        (length < 32).then_some(string)
    });
    let named = words.chain(strings).filter_map(|word| {
        let name = std::str::from_utf8(word).ok()?;
        layout.piece_named(name).map(|_| name.to_owned())
    });
    named.collect()
}

/// The bytes without what is random in base64: digests, signatures, tokens and the like, which now
/// and then spell a card.
fn without_random(bytes: &[u8]) -> Vec<u8> {
    let mut left = bytes.to_vec();
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte);
    for text in left.split_mut(|byte| !is_base64(byte)).filter(|it| it.len() >= BASE64_MIN) {
        let has = |kind: fn(&u8) -> bool| text.iter().any(kind);
        // Names have no capitals.
        if has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit) {
            text.fill(0);
        }
    }
    for key in [&b"\"digest\":\""[..], b"\"jws\":\"", b"\"cursor\":\""] {
        let mut from = 0;
        while let Some(at) = left[from..].windows(key.len()).position(|it| it == key) {
            let start = from + at + key.len();
            let length = left[start..].iter().position(|byte| *byte == b'"');
            from = length.map_or(left.len(), |it| start + it);
            left[start..from].fill(0);
        }
    }
    left
}

/// The bytes without these digests, which are random and now and then spell a card.
pub fn without_digests(bytes: &[u8], digests: &HashSet<Vec<u8>>) -> Vec<u8> {
    const LENGTH: usize = 32;
    let mut left = bytes.to_vec();
    for start in 1..(left.len() + 1).saturating_sub(LENGTH) {
        let digest = &mut left[start - 1..start + LENGTH];
        if usize::from(digest[0]) == LENGTH && digests.contains(&digest[1..]) {
            digest.fill(0);
        }
    }
    left
}

/// The least length of what is taken for base64.
const BASE64_MIN: usize = 20;
