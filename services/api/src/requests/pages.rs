//! Pages of lists: their sizes, and the tokens of their positions.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use contract::v1::Reason;
use matches::{Cursor, Digest, MatchId, Position, SearchCursor, SeekCursor, StandingCursor};
use prost::Message;
use time::OffsetDateTime;
use tonic::Status;
use uuid::Uuid;

use crate::error::{invalid, of_field};

/// A page's size: as requested, or `usual` for 0. At most 1000, so that a page is one message.
pub(crate) fn page_size(asked: i32, usual: usize) -> Result<usize, Status> {
    match usize::try_from(asked) {
        Ok(0) => Ok(usual),
        Ok(size @ 1..=1000) => Ok(size),
        _ => {
            let rule = "page_size must be 1 to 1000, or 0 for the default";
            Err(invalid("page_size", rule))
        }
    }
}

/// The token of a page of a match's entries. It contains the match, so that a token of another
/// match is refused, and the digest of the last entry, so that no page continues another history.
pub(crate) fn entries_token(match_id: MatchId, after: Position, digest: Option<Digest>) -> String {
    let mut bytes = match_id.0.as_bytes().to_vec();
    bytes.extend(after.0.to_be_bytes());
    bytes.extend(digest.iter().flat_map(|digest| digest.as_bytes()));
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn parse_entries_token(
    token: &str,
    match_id: MatchId,
) -> Result<(Position, Option<Digest>), Status> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).map_err(|_| foreign())?;
    let (id, rest) = bytes.split_first_chunk::<16>().ok_or_else(foreign)?;
    let (after, digest) = rest.split_first_chunk::<8>().ok_or_else(foreign)?;
    let after = i64::from_be_bytes(*after);
    let digest = match digest {
        [] => None,
        digest => Some(Digest::try_from(digest).map_err(|_| foreign())?),
    };
    let is_its = id == match_id.0.as_bytes() && after > 0;
    if is_its { Ok((Position(after), digest)) } else { Err(foreign()) }
}

/// A list request of a platform. It has its own key, which authenticates its page tokens: tokens of
/// other queries and forged tokens are refused.
pub(crate) struct ListQuery([u8; 32]);

const CHECK_BYTES: usize = 16;

impl ListQuery {
    /// `request` must be without the fields that may differ from page to page, such as the page's
    /// size and token.
    pub fn new(installation: Uuid, platform: &str, request: &impl Message) -> ListQuery {
        let mut hash = blake3::Hasher::new_derive_key("croupier: key of page tokens");
        hash.update(installation.as_bytes());
        hash.update(&(platform.len() as u64).to_le_bytes());
        hash.update(platform.as_bytes());
        hash.update(kind_of(request).as_bytes());
        hash.update(&request.encode_to_vec());
        ListQuery(*hash.finalize().as_bytes())
    }

    fn token(&self, parts: &[&[u8]]) -> String {
        let content = parts.concat();
        BASE64_URL_SAFE_NO_PAD.encode([&self.check(&content)[..], &content].concat())
    }

    fn check(&self, content: &[u8]) -> [u8; CHECK_BYTES] {
        let hash = blake3::keyed_hash(&self.0, content);
        *hash.as_bytes().first_chunk().expect("a hash has 32 bytes")
    }

    /// The content of a token of this query; `None` for the first page.
    fn parse(&self, token: &str) -> Result<Option<Vec<u8>>, Status> {
        if token.is_empty() {
            return Ok(None);
        }
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).map_err(|_| foreign())?;
        let (check, content) = bytes.split_first_chunk().ok_or_else(foreign)?;
        if *check == self.check(content) { Ok(Some(content.to_vec())) } else { Err(foreign()) }
    }

    pub fn matches_token(&self, cursor: Cursor) -> String {
        self.token(&[&cursor_bytes(cursor)])
    }

    pub fn parse_matches_token(&self, token: &str) -> Result<Option<Cursor>, Status> {
        let Some(rest) = self.parse(token)? else { return Ok(None) };
        Ok(Some(cursor_of(&rest.try_into().map_err(|_| foreign())?)?))
    }

    pub fn seeks_token(&self, (time, seek_id): SeekCursor) -> String {
        self.token(&[&cursor_bytes((time, MatchId(seek_id)))])
    }

    pub fn parse_seeks_token(&self, token: &str) -> Result<Option<SeekCursor>, Status> {
        Ok(self.parse_matches_token(token)?.map(|(time, MatchId(seek_id))| (time, seek_id)))
    }

    pub fn keys_token(&self, create_time: OffsetDateTime, key_id: &str) -> String {
        self.token(&[&create_time.unix_timestamp_nanos().to_be_bytes(), key_id.as_bytes()])
    }

    pub fn parse_keys_token(
        &self,
        token: &str,
    ) -> Result<Option<(OffsetDateTime, String)>, Status> {
        let Some(rest) = self.parse(token)? else { return Ok(None) };
        let (time, key_id) = rest.split_first_chunk().ok_or_else(foreign)?;
        let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from_be_bytes(*time));
        let key_id = String::from_utf8(key_id.to_vec()).map_err(|_| foreign())?;
        Ok(Some((time.map_err(|_| foreign())?, key_id)))
    }

    pub fn seat_token(&self, seat: i16) -> String {
        self.token(&[&seat.to_be_bytes()])
    }

    pub fn parse_seat_token(&self, token: &str) -> Result<Option<i16>, Status> {
        let Some(rest) = self.parse(token)? else { return Ok(None) };
        Ok(Some(i16::from_be_bytes(rest.try_into().map_err(|_| foreign())?)))
    }

    pub fn entries_token(&self, (time, match_id, position): SearchCursor) -> String {
        self.token(&[&cursor_bytes((time, match_id)), &position.0.to_be_bytes()])
    }

    pub fn parse_entries_token(&self, token: &str) -> Result<Option<SearchCursor>, Status> {
        let Some(rest) = self.parse(token)? else { return Ok(None) };
        let (cursor, position) = rest.split_first_chunk().ok_or_else(foreign)?;
        let (time, match_id) = cursor_of(cursor)?;
        let position = i64::from_be_bytes(position.try_into().map_err(|_| foreign())?);
        Ok(Some((time, match_id, Position(position))))
    }

    pub fn standings_token(&self, (rating, player): &StandingCursor) -> String {
        self.token(&[&rating.to_be_bytes(), player.as_bytes()])
    }

    pub fn parse_standings_token(&self, token: &str) -> Result<Option<StandingCursor>, Status> {
        let Some(rest) = self.parse(token)? else { return Ok(None) };
        let (rating, player) = rest.split_first_chunk().ok_or_else(foreign)?;
        let player = String::from_utf8(player.to_vec()).map_err(|_| foreign())?;
        Ok(Some((i64::from_be_bytes(*rating), player)))
    }
}

/// The kind of list: the path that its type had in the first release, so that tokens stay valid if
/// the type moves.
fn kind_of<M: Message>(_: &M) -> String {
    let name = std::any::type_name::<M>();
    format!("api::v1::{}", name.rsplit("::").next().unwrap_or(name))
}

fn cursor_bytes((time, match_id): Cursor) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&time.unix_timestamp_nanos().to_be_bytes());
    bytes[16..].copy_from_slice(match_id.0.as_bytes());
    bytes
}

fn cursor_of(bytes: &[u8; 32]) -> Result<Cursor, Status> {
    let (time, match_id) = bytes.split_at(16);
    let time = i128::from_be_bytes(time.try_into().expect("16 of 32 bytes"));
    let time = OffsetDateTime::from_unix_timestamp_nanos(time).map_err(|_| foreign())?;
    Ok((time, MatchId(Uuid::from_slice(match_id).expect("16 of 32 bytes"))))
}

/// The token of a page of attempts, whose last one began at this time.
pub(crate) fn deliveries_token((time, delivery): (OffsetDateTime, Uuid)) -> String {
    let mut bytes = delivery.as_bytes().to_vec();
    bytes.extend(time.unix_timestamp_nanos().to_le_bytes());
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn parse_deliveries_token(token: &str) -> Result<(OffsetDateTime, Uuid), Status> {
    let parse = || {
        let bytes: [u8; 32] = BASE64_URL_SAFE_NO_PAD.decode(token).ok()?.try_into().ok()?;
        let (delivery, nanos) = bytes.split_at(16);
        let nanos = i128::from_le_bytes(nanos.try_into().ok()?);
        let time = OffsetDateTime::from_unix_timestamp_nanos(nanos).ok()?;
        Some((time, Uuid::from_slice(delivery).ok()?))
    };
    parse().ok_or_else(foreign)
}

pub(crate) fn foreign() -> Status {
    let message = "the page token does not belong to this list; start at the first page";
    of_field(Reason::InvalidPageToken, "page_token", message)
}

#[cfg(test)]
mod tests {
    use contract::v1::ListMatchesRequest;

    use super::*;

    #[test]
    fn the_token_of_an_earlier_release_is_valid() {
        assert_eq!(kind_of(&ListMatchesRequest::default()), "api::v1::ListMatchesRequest");
    }
}
