//! The credentials that a process knows, and their revocations.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use accounts::{
    CredentialChanges, PlatformKey, PlayerHash, PlayerRevocation, Right, Subject, TokenKey,
    TokenRevocation,
};
use matches::MatchId;
use positions::Bucket;

/// Why a verified credential is no longer accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TakenBack {
    Revoked,
    Suspended,
    /// Unknown: the database's node with its match has been unreachable since this process started.
    Perhaps,
}

/// An API key, by its hash.
#[derive(Clone)]
pub(super) struct KnownKey {
    pub platform: Arc<str>,
    pub key_id: Arc<str>,
}

/// The latest revocation and the latest erasure of a player, by number.
#[derive(Clone, Copy, Default)]
struct OfPlayer {
    revoked: i64,
    erased: i64,
}

#[derive(Default)]
pub(super) struct Known {
    /// Everything is known that transactions before this one have revoked; 0 if that cannot be
    /// said.
    since: i64,
    keys: HashMap<blake3::Hash, KnownKey>,
    /// By platform: each key's id, and whether the key is valid.
    key_ids: HashMap<Arc<str>, HashMap<Arc<str>, bool>>,
    suspended: HashSet<String>,
    token_keys: Vec<TokenKey>,
    /// How often the tokens of a seat, or of a whole match, were revoked.
    revocations: HashMap<(MatchId, Option<u8>), i32>,
    /// The buckets whose revocations were ever read.
    read: HashSet<Bucket>,
    players: HashMap<PlayerHash, OfPlayer>,
}

impl Known {
    /// Returns whether anything was revoked, so that open streams must be checked.
    pub fn apply(&mut self, changes: CredentialChanges) -> bool {
        let CredentialChanges {
            since,
            keys,
            suspended,
            token_keys,
            revocations,
            away,
            player_revocations,
        } = changes;
        self.since = since;
        let mut takes_back = false;
        for key in keys {
            takes_back |= self.apply_key(key);
        }
        for revocation in revocations {
            takes_back |= self.revoke_tokens(revocation);
        }
        self.read.extend(Bucket::all().filter(|bucket| !away.contains(bucket)));
        for revocation in player_revocations {
            takes_back |= self.revoke_player_tokens(revocation);
        }
        let suspended: HashSet<String> = suspended.into_iter().collect();
        takes_back |= !suspended.is_subset(&self.suspended);
        self.suspended = suspended;
        takes_back |= self.token_keys.iter().any(|key| !verifies(&token_keys, key.key_id));
        self.token_keys = token_keys;
        takes_back
    }

    fn apply_key(&mut self, key: PlatformKey) -> bool {
        let PlatformKey { platform, key_id, hash, is_revoked } = key;
        let (platform, key_id): (Arc<str>, Arc<str>) = (platform.into(), key_id.into());
        let key_ids = self.key_ids.entry(platform.clone()).or_default();
        let was_valid = key_ids.insert(key_id.clone(), !is_revoked).unwrap_or(true);
        self.keys.insert(blake3::Hash::from_bytes(hash), KnownKey { platform, key_id });
        was_valid && is_revoked
    }

    /// Returns false if the revocation is already known.
    pub fn revoke_tokens(&mut self, revocation: TokenRevocation) -> bool {
        let TokenRevocation { match_id, seat, number } = revocation;
        let known = self.revocations.entry((match_id, seat)).or_default();
        let is_new = *known < number;
        *known = number.max(*known);
        is_new
    }

    /// Returns false if the revocation is already known.
    pub fn revoke_player_tokens(&mut self, revocation: PlayerRevocation) -> bool {
        let PlayerRevocation { player, number, is_erasure } = revocation;
        let known = self.players.entry(player).or_default();
        let is_new = known.revoked < number || is_erasure && known.erased < number;
        known.revoked = number.max(known.revoked);
        if is_erasure {
            known.erased = number.max(known.erased);
        }
        is_new
    }

    /// The number of the player's last erasure; 0 if none is known.
    pub fn erased(&self, player: &PlayerHash) -> i64 {
        self.players.get(player).copied().unwrap_or_default().erased
    }

    pub fn key(&self, hash: &blake3::Hash) -> Option<&KnownKey> {
        self.keys.get(hash)
    }

    /// Whether the key is valid; `None` if it is unknown.
    pub fn is_valid(&self, platform: &str, key_id: &str) -> Option<bool> {
        self.key_ids.get(platform)?.get(key_id).copied()
    }

    pub fn token_key(&self, key_id: i16) -> Option<&TokenKey> {
        self.token_keys.iter().find(|key| key.key_id == key_id)
    }

    /// Whether a token key of this id may have been created since the last read.
    pub fn may_be_new(&self, key_id: i16) -> bool {
        self.token_keys.first().is_none_or(|newest| newest.key_id < key_id)
    }

    /// The key that signs: the newest that every process knows. If all are new, the oldest.
    pub fn signing_key(&self) -> Option<&TokenKey> {
        self.token_keys.iter().find(|key| key.is_settled).or(self.token_keys.last())
    }

    pub fn check_platform(&self, platform: &str) -> Result<(), TakenBack> {
        if self.suspended.contains(platform) { Err(TakenBack::Suspended) } else { Ok(()) }
    }

    pub fn check_key(&self, platform: &str, key_id: &str) -> Result<(), TakenBack> {
        self.check_platform(platform)?;
        if self.is_valid(platform, key_id) == Some(true) { Ok(()) } else { Err(TakenBack::Revoked) }
    }

    /// Checks a right. Returns since which transaction it may have ended all the same.
    pub fn check(&self, right: &Right) -> Result<i64, TakenBack> {
        let Right { platform, key_id, signed_by, subject } = right;
        match key_id {
            Some(key_id) => self.check_key(platform, key_id)?,
            // A token of an older release.
            None => self.check_platform(platform)?,
        }
        let is_signed = signed_by.is_none_or(|id| verifies(&self.token_keys, id));
        if !self.is_current(subject) || !is_signed {
            return Err(TakenBack::Revoked);
        }
        if self.is_read(subject) { Ok(self.since) } else { Err(TakenBack::Perhaps) }
    }
}

impl Known {
    /// Whether the subject's token was not revoked since it was minted.
    fn is_current(&self, subject: &Subject) -> bool {
        match *subject {
            Subject::Match { match_id, seat, revocations: [of_match, of_seat] } => {
                let count =
                    |seat| self.revocations.get(&(match_id, seat)).copied().unwrap_or_default();
                of_match >= count(None) && seat.is_none_or(|seat| of_seat >= count(Some(seat)))
            }
            Subject::Player { player, number } => {
                number >= self.players.get(&player).copied().unwrap_or_default().revoked
            }
            Subject::Platform => true,
        }
    }

    /// Whether this process has read the earlier revocations of the subject's tokens.
    fn is_read(&self, subject: &Subject) -> bool {
        match *subject {
            Subject::Match { match_id, .. } => self.read.contains(&Bucket::of(match_id)),
            Subject::Player { .. } | Subject::Platform => true,
        }
    }
}

fn verifies(keys: &[TokenKey], key_id: i16) -> bool {
    keys.iter().any(|key| key.key_id == key_id)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const MATCH: MatchId = MatchId(Uuid::from_u128(1));

    fn key(key_id: &str, is_revoked: bool) -> PlatformKey {
        let hash = *blake3::hash(key_id.as_bytes()).as_bytes();
        PlatformKey { platform: "acme".to_owned(), key_id: key_id.to_owned(), hash, is_revoked }
    }

    fn token_key(key_id: i16, is_settled: bool) -> TokenKey {
        TokenKey { key_id, secret: [7; 32], is_settled }
    }

    fn changes() -> CredentialChanges {
        CredentialChanges {
            keys: vec![key("k1", false), key("k2", false)],
            token_keys: vec![token_key(1, true)],
            ..CredentialChanges::default()
        }
    }

    fn known() -> Known {
        let mut known = Known::default();
        assert!(!known.apply(changes()), "nothing is taken back");
        known
    }

    fn token(seat: Option<u8>, revocations: [i32; 2]) -> Subject {
        Subject::Match { match_id: MATCH, seat, revocations }
    }

    /// Whether a token is accepted that the first key signed.
    fn check(known: &Known, minted_by: Option<&str>, subject: Subject) -> Result<(), TakenBack> {
        let key_id = minted_by.map(Into::into);
        let right = Right { platform: "acme".into(), key_id, signed_by: Some(1), subject };
        known.check(&right).map(|_| ())
    }

    #[test]
    fn a_revoked_key_and_its_tokens_are_refused_and_no_others() {
        let mut known = known();
        assert!(known.apply(CredentialChanges { keys: vec![key("k1", true)], ..changes() }));
        let seat = token(Some(0), [0, 0]);
        assert_eq!(known.check_key("acme", "k1"), Err(TakenBack::Revoked));
        assert_eq!(check(&known, Some("k1"), seat), Err(TakenBack::Revoked));
        assert_eq!(known.check_key("acme", "k2"), Ok(()));
        assert_eq!(check(&known, Some("k2"), seat), Ok(()));
        assert_eq!(check(&known, None, seat), Ok(()), "of an older release");
        assert_eq!(known.check_key("rival", "k2"), Err(TakenBack::Revoked));
    }

    #[test]
    fn a_platform_is_refused_while_it_is_suspended() {
        let mut known = known();
        let suspended = vec!["acme".to_owned()];
        assert!(known.apply(CredentialChanges { suspended: suspended.clone(), ..changes() }));
        assert!(!known.apply(CredentialChanges { suspended, ..changes() }), "it is known");
        assert_eq!(known.check_key("acme", "k1"), Err(TakenBack::Suspended));
        let spectator = token(None, [0, 0]);
        assert_eq!(check(&known, None, spectator), Err(TakenBack::Suspended));
        assert!(!known.apply(changes()));
        assert_eq!(known.check_key("acme", "k1"), Ok(()));
    }

    #[test]
    fn a_revocation_refuses_the_tokens_minted_before_it() {
        let mut known = known();
        let mut revoke =
            |seat, number| known.revoke_tokens(TokenRevocation { match_id: MATCH, seat, number });
        assert!(revoke(None, 1) && revoke(Some(0), 2));
        assert!(!revoke(Some(0), 1), "an older one is known");
        let is_valid = |seat, counts| check(&known, None, token(seat, counts));
        assert!(is_valid(Some(0), [1, 2]).is_ok());
        assert!(is_valid(Some(0), [1, 1]).is_err(), "before the last of the seat");
        assert!(is_valid(Some(0), [0, 2]).is_err(), "before that of the match");
        assert!(is_valid(Some(0), [5, 1]).is_err(), "the counts do not add up");
        assert!(is_valid(Some(1), [1, 0]).is_ok(), "another seat");
        assert!(is_valid(None, [1, 0]).is_ok());
        assert!(is_valid(None, [0, 0]).is_err());
    }

    #[test]
    fn what_was_revoked_on_a_node_that_is_away_is_not_accepted_before_it_is_known() {
        let mut known = Known::default();
        let other = MatchId(Uuid::from_u128(2));
        known.apply(CredentialChanges { away: vec![Bucket::of(MATCH)], ..changes() });
        let seat = |match_id| Subject::Match { match_id, seat: Some(0), revocations: [0, 0] };
        let check = |known: &Known, match_id| check(known, None, seat(match_id));
        assert_eq!(check(&known, MATCH), Err(TakenBack::Perhaps));
        assert_eq!(check(&known, other), Ok(()));
        known.apply(changes());
        assert_eq!(check(&known, MATCH), Ok(()));
        known.apply(CredentialChanges { away: vec![Bucket::of(MATCH)], ..changes() });
        assert_eq!(check(&known, MATCH), Ok(()), "it was read before");
        known.revoke_tokens(TokenRevocation { match_id: MATCH, seat: None, number: 1 });
        assert_eq!(check(&known, MATCH), Err(TakenBack::Revoked));
    }

    #[test]
    fn a_revocation_refuses_the_tokens_of_one_player() {
        let mut known = known();
        let [ann, bob] = ["ann", "bob"].map(|player| PlayerHash::of("acme", player));
        assert_ne!(ann, PlayerHash::of("rival", "ann"));
        let revocation = |number, is_erasure| PlayerRevocation { player: ann, number, is_erasure };
        assert!(known.revoke_player_tokens(revocation(5, false)));
        assert!(!known.revoke_player_tokens(revocation(4, false)), "a later one is known");
        let is_valid = |known: &Known, player, number| {
            check(known, None, Subject::Player { player, number }).is_ok()
        };
        assert!(!is_valid(&known, ann, 4) && is_valid(&known, ann, 5) && is_valid(&known, bob, 0));
        assert_eq!(known.erased(&ann), 0);
        let player_revocations = vec![revocation(7, true)];
        assert!(known.apply(CredentialChanges { player_revocations, ..changes() }));
        assert!(!is_valid(&known, ann, 6) && is_valid(&known, ann, 7));
        assert_eq!((known.erased(&ann), known.erased(&bob)), (7, 0));
    }

    #[test]
    fn a_new_token_key_signs_once_every_process_knows_it() {
        let mut known = known();
        let keys = |is_settled| vec![token_key(2, is_settled), token_key(1, true)];
        known.apply(CredentialChanges { token_keys: keys(false), ..changes() });
        assert_eq!(known.signing_key().map(|key| key.key_id), Some(1));
        known.apply(CredentialChanges { token_keys: keys(true), ..changes() });
        assert_eq!(known.signing_key().map(|key| key.key_id), Some(2));
        let seat = token(Some(0), [0, 0]);
        assert_eq!(check(&known, None, seat), Ok(()), "the old one verifies");
        let only_new = vec![token_key(2, false)];
        assert!(known.apply(CredentialChanges { token_keys: only_new, ..changes() }));
        assert_eq!(check(&known, None, seat), Err(TakenBack::Revoked));
        assert_eq!(known.signing_key().map(|key| key.key_id), Some(2));
    }
}
