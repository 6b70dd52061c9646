//! The digest that distinguishes a retry of a request that created a match from another request
//! with the same id.

use rows::Reveal;

use super::new_match::NewMatch;

/// Whether a match with this digest of its request was created by this one.
pub(super) fn is_retry(stored: &[u8], new: &NewMatch) -> bool {
    // Releases that stored ambiguous digests did not have these fields.
    let is_old = new.previous.is_none()
        && new.display_names.is_empty()
        && new.contributions.is_empty()
        && new.time_control.is_none()
        && new.bots.is_empty()
        && !new.lobby
        && new.casual.is_none()
        && new.seed_commitment.is_none();
    stored == digest(new) || is_old && stored == ambiguous_digest(new)
}

/// The digest of a create request, which distinguishes a retry from another request with the same
/// id. It is stored with the match, so it never changes. A new field is added at the end, and a
/// request that does not set it keeps its digest.
pub(super) fn digest(new: &NewMatch) -> [u8; 32] {
    let NewMatch {
        game,
        seats,
        players,
        display_names,
        bots,
        contributions,
        seed_commitment,
        options,
        time_control,
        tags,
        request_id: _,
        reveal,
        previous,
        lobby,
        casual,
    } = new;
    let mut fields = Fields(blake3::Hasher::new_derive_key("croupier: digest of a create request"));
    fields.number((*seats).into());
    // "Never" has no number of seconds.
    fields.number(reveal.wait_s().map_or(u64::MAX, i64::unsigned_abs));
    [players.len(), options.len(), tags.len()].iter().for_each(|&it| fields.number(it as u64));
    fields.bytes(game);
    players.iter().for_each(|player| fields.bytes(player));
    for (name, value) in options.iter().chain(tags) {
        fields.bytes(name);
        fields.bytes(value);
    }
    fields.since("", previous.as_ref().map(|it| it.0.as_bytes()));
    fields.list_since("display_names", display_names);
    fields.list_since("contributions", contributions);
    fields.since("seed_commitment", *seed_commitment);
    fields.since("time_control", time_control.map(|it| it.to_string()));
    fields.since("lobby", lobby.then_some([]));
    fields.list_since("bots", bots);
    fields.since("casual", casual.map(|it| [u8::from(it)]));
    *fields.0.finalize().as_bytes()
}

/// Hashes the fields of a request, each with its length or its name.
struct Fields(blake3::Hasher);

impl Fields {
    fn number(&mut self, number: u64) {
        self.0.update(&number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: impl AsRef<[u8]>) {
        self.number(bytes.as_ref().len() as u64);
        self.0.update(bytes.as_ref());
    }

    /// A field that earlier releases did not know.
    fn since(&mut self, name: &str, value: Option<impl AsRef<[u8]>>) {
        if let Some(value) = value {
            self.0.update(name.as_bytes());
            self.0.update(value.as_ref());
        }
    }

    /// A list that earlier releases did not know.
    fn list_since(&mut self, name: &str, values: &[impl AsRef<[u8]>]) {
        if !values.is_empty() {
            self.0.update(name.as_bytes());
            self.number(values.len() as u64);
            values.iter().for_each(|value| self.bytes(value));
        }
    }
}

/// The digest that older releases stored, so that retries of their requests are recognised. It does
/// not distinguish an option from a tag, so it must no longer be stored.
fn ambiguous_digest(new: &NewMatch) -> [u8; 32] {
    let mut hash = blake3::Hasher::new();
    let mut part = |text: &str| {
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    part(&new.game);
    part(&new.seats.to_string());
    part(&new.players.len().to_string());
    new.players.iter().for_each(|player| part(player));
    new.options.iter().chain(&new.tags).for_each(|(name, value)| {
        part(name);
        part(value);
    });
    match new.reveal {
        Reveal::AtEnd => {}
        Reveal::After(seconds) => part(&format!("After({seconds})")),
        Reveal::Never => part("Never"),
    }
    *hash.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use clocks::TimeControl;
    use rows::{MatchId, Tags};
    use uuid::Uuid;

    use super::*;

    fn pair(key: &str, value: &str) -> BTreeMap<String, String> {
        [(key.to_owned(), value.to_owned())].into()
    }

    /// A request with only its required fields.
    fn bare() -> NewMatch {
        NewMatch {
            game: "mountebank".to_owned(),
            seats: 2,
            request_id: Some("r1".to_owned()),
            ..NewMatch::default()
        }
    }

    fn request() -> NewMatch {
        NewMatch {
            players: vec!["ann".to_owned(), "bob".to_owned()],
            options: pair("first-seat", "0"),
            tags: pair("league", "spring"),
            ..bare()
        }
    }

    fn named(names: &[&str]) -> NewMatch {
        let display_names = names.iter().map(|&name| name.to_owned()).collect();
        NewMatch { display_names, ..request() }
    }

    #[test]
    fn the_digest_covers_every_field_but_the_request_id() {
        let following = |id| NewMatch { previous: Some(MatchId(Uuid::from_u128(id))), ..request() };
        assert_ne!(digest(&following(1)), digest(&following(2)));
        let same = digest(&NewMatch { request_id: None, ..request() });
        assert_eq!(same, digest(&request()));
        let others = [
            NewMatch { game: "rigs".to_owned(), ..request() },
            NewMatch { seats: 3, ..request() },
            NewMatch { players: vec!["ann".to_owned(), "eve".to_owned()], ..request() },
            NewMatch { options: BTreeMap::new(), ..request() },
            NewMatch { tags: Tags::new(), ..request() },
            NewMatch { tags: [("league".to_owned(), "autumn".to_owned())].into(), ..request() },
            NewMatch { reveal: Reveal::After(1), ..request() },
            NewMatch { reveal: Reveal::Never, ..request() },
            following(1),
            following(2),
            named(&["Ann"]),
            named(&["", "Ann"]),
            named(&["Ann", "Bob"]),
            named(&["AnnBob"]),
            NewMatch { previous: Some(MatchId(Uuid::from_u128(1))), ..named(&["Ann"]) },
            NewMatch { contributions: vec![vec![1]], ..request() },
            NewMatch { contributions: vec![vec![1], vec![]], ..request() },
            NewMatch { contributions: vec![vec![1, 0]], ..request() },
            NewMatch { seed_commitment: Some([0; 32]), ..request() },
            NewMatch { seed_commitment: Some([1; 32]), ..request() },
            NewMatch { casual: Some(false), ..request() },
            NewMatch { casual: Some(true), ..request() },
            NewMatch { bots: vec!["search".to_owned()], ..request() },
            NewMatch { bots: vec![String::new(), "search".to_owned()], ..request() },
        ];
        for (nth, other) in others.iter().enumerate() {
            assert_ne!(digest(other), digest(&request()), "{other:?}");
            let is_same = |it: &&NewMatch| digest(it) == digest(other);
            assert_eq!(others[..nth].iter().find(is_same).map(|_| ()), None, "{other:?}");
        }
    }

    #[test]
    fn the_digest_tells_options_from_tags_and_players_from_options() {
        let pairs = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
            pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
        };
        let (none, one) = (pairs(&[]), pairs(&[("a", "b")]));
        let as_option = NewMatch { options: one.clone(), tags: none.clone(), ..request() };
        let as_tag = NewMatch { options: none.clone(), tags: one, ..request() };
        assert_eq!(ambiguous_digest(&as_option), ambiguous_digest(&as_tag));
        assert_ne!(digest(&as_option), digest(&as_tag));
        let bare = NewMatch { options: none.clone(), tags: none, ..request() };
        let never = NewMatch { reveal: Reveal::Never, ..bare.clone() };
        let longest = NewMatch { reveal: Reveal::After(u32::MAX), ..bare };
        assert_ne!(digest(&never), digest(&longest));
    }

    fn hex(digest: [u8; 32]) -> String {
        blake3::Hash::from(digest).to_hex().to_string()
    }

    /// Matches are stored with these digests, and retries of their requests must be recognised.
    #[test]
    fn digests_never_change() {
        let daily = TimeControl::named("daily").expect("a preset");
        let full = NewMatch {
            players: vec!["ann".to_owned(), String::new()],
            display_names: vec!["Ann".to_owned()],
            bots: vec![String::new(), "search".to_owned()],
            contributions: vec![vec![1, 2], vec![]],
            seed_commitment: Some([7; 32]),
            options: pair("first-seat", "0"),
            time_control: Some(daily),
            tags: pair("league", "spring"),
            reveal: Reveal::After(60),
            previous: Some(MatchId(Uuid::from_u128(9))),
            lobby: true,
            ..bare()
        };
        let (players, display_names) = (full.players.clone(), full.display_names.clone());
        let vectors = [
            (bare(), "2e4def696ace92094c38d579d0524b2c25e3a86ed80cde4fc8ea0d50cc3634f2"),
            (request(), "e3e0777407da178478e22eb98c1e6bbe9f4683eeae0e40a2a2135989b3a0bbe8"),
            (
                NewMatch { reveal: Reveal::Never, ..bare() },
                "1b81f47260fcb90648c610a024edb337977afb9f57008061ffdab31511f1bc27",
            ),
            (
                NewMatch { previous: full.previous, ..bare() },
                "080bd3e7e59d55c01f25f2b1a3ba7944823dc4916718583413abe9c997f4604a",
            ),
            (
                NewMatch { players, display_names, ..bare() },
                "0de3ed5b54da1b42b02b68ae5b5ee0dd40ad0cd174575663bb35ed63b8af2c31",
            ),
            (
                NewMatch { contributions: full.contributions.clone(), ..bare() },
                "9ae3bca6d42b80e777682a08370e8afc14ef6f95a90149d11a7d141a91f9b5d8",
            ),
            (
                NewMatch { seed_commitment: full.seed_commitment, ..bare() },
                "480e573af81350c4927b545ab14488003f384c1f11696ec8cc285de24046f0f1",
            ),
            (
                NewMatch { time_control: full.time_control, ..bare() },
                "bf40cf825fdaf0af7a2d13fe0fa66b0ef476856a1d66a80b35c58cfebe0cdfe8",
            ),
            (
                NewMatch { lobby: true, ..bare() },
                "52243f2fbc13a386ed9cbe4ccef488401269128f0a7d6607719b9ed6fae7e201",
            ),
            (
                NewMatch { bots: full.bots.clone(), ..bare() },
                "782af95ea78cca1b371d1d47c312dddf2968a948fa43a3da3c1c369886295dbc",
            ),
            (full, "d1c5b76ac91a774021a7936d1cab6816bb67ff934adfadc05d1b3faacab26fec"),
        ];
        for (new, vector) in vectors {
            assert_eq!(hex(digest(&new)), vector, "{new:?}");
        }
    }

    /// Digests that older releases have stored.
    #[test]
    fn a_retry_of_a_request_to_an_older_release_is_recognised() {
        let never = NewMatch { reveal: Reveal::Never, ..request() };
        let after = NewMatch { reveal: Reveal::After(60), ..request() };
        assert!(is_retry(&ambiguous_digest(&request()), &request()));
        let following = NewMatch { previous: Some(MatchId(Uuid::nil())), ..request() };
        assert!(!is_retry(&ambiguous_digest(&following), &following));
        assert!(!is_retry(&ambiguous_digest(&named(&["Ann"])), &named(&["Ann"])));
        let stored =
            [&request(), &never, &after].map(|new| hex(ambiguous_digest(new))[..16].to_owned());
        assert_eq!(stored, ["da0feadb2d284c81", "aa18db3ac6fc9415", "404fd4b14fa62f6b"]);
    }
}
