//! The right by which a caller calls, which may end at any moment, in any process.
//!
//! A process learns within seconds that a right has ended ([`Credentials`](crate::Credentials)).
//! What is written by a right is written only if the database knows of no end of it either:
//! `migrations/0014_rights.sql`.

use std::fmt::Write;
use std::sync::Arc;

use database::Error;
use positions::Bucket;
use rows::MatchId;

use crate::Accounts;
use crate::tokens::PlayerHash;

/// The right by which a caller calls: an API key or a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Right {
    pub platform: Arc<str>,
    /// The API key, or the one that minted the token; `None` for tokens of older releases.
    pub key_id: Option<Arc<str>>,
    /// The key that signed the token; `None` for an API key.
    pub signed_by: Option<i16>,
    pub subject: Subject,
}

/// The subject of a right: what it gives access to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Ends only together with the API key.
    Platform,
    Match {
        match_id: MatchId,
        /// `None` for a spectator.
        seat: Option<u8>,
        /// How many revocations of its match and of its seat preceded it.
        revocations: [i32; 2],
    },
    Player {
        player: PlayerHash,
        /// The number that was current when it was minted.
        number: i64,
    },
}

impl Right {
    /// The text of this right as the SQL type `caller_right`.
    pub fn to_sql(&self) -> String {
        let Right { platform, key_id, signed_by, subject } = self;
        let mut text = format!("({},", i16::from(Bucket::of_name(platform)));
        quote(&mut text, platform);
        text.push(',');
        key_id.iter().for_each(|key_id| quote(&mut text, key_id));
        text.push(',');
        signed_by.iter().for_each(|id| _ = write!(text, "{id}"));
        match subject {
            Subject::Platform => text.push_str(",,,,,,,)"),
            Subject::Match { match_id, seat, revocations: [of_match, of_seat] } => {
                _ = write!(text, ",{},{},", i16::from(Bucket::of(*match_id)), match_id.0);
                seat.iter().for_each(|seat| _ = write!(text, "{seat}"));
                _ = write!(text, ",{of_match},{of_seat},,)");
            }
            Subject::Player { player, number } => {
                _ = write!(text, ",,,,,,\"\\\\x{}\",{number})", hex::encode(player.0));
            }
        }
        text
    }
}

/// Adds a text as a field of a composite value.
fn quote(to: &mut String, text: &str) {
    to.push('"');
    for it in text.chars() {
        if matches!(it, '"' | '\\') {
            to.push(it);
        }
        to.push(it);
    }
    to.push('"');
}

impl Accounts {
    /// Whether a right holds, as the database knows it now.
    pub async fn right_holds(&self, right: &Right) -> Result<bool, Error> {
        let holds = sqlx::query_scalar("select rights_hold(array[$1])")
            .bind(right.to_sql())
            .fetch_one(self.pool())
            .await?;
        Ok(holds)
    }
}

#[cfg(test)]
mod tests {
    use sqlx::types::Uuid;

    use super::*;

    #[test]
    fn a_right_is_written_as_the_database_reads_it() {
        let key = Right {
            platform: "ac\"me\\".into(),
            key_id: Some("k1".into()),
            signed_by: None,
            subject: Subject::Platform,
        };
        let bucket = i16::from(Bucket::of_name(&key.platform));
        assert_eq!(key.to_sql(), format!("({bucket},\"ac\"\"me\\\\\",\"k1\",,,,,,,,)"));
        let match_id = MatchId(Uuid::from_u128(7));
        let subject = Subject::Match { match_id, seat: Some(2), revocations: [1, 3] };
        let seat = Right { platform: "acme".into(), signed_by: Some(4), subject, ..key.clone() };
        let [bucket, its] = [Bucket::of_name("acme"), Bucket::of(match_id)].map(i16::from);
        let text = format!("({bucket},\"acme\",\"k1\",4,{its},{},2,1,3,,)", match_id.0);
        assert_eq!(seat.to_sql(), text);
        let subject = Subject::Player { player: PlayerHash([0xab; 32]), number: 9 };
        let player = Right { key_id: None, subject, ..seat };
        let text = format!("({bucket},\"acme\",,4,,,,,,\"\\\\x{}\",9)", "ab".repeat(32));
        assert_eq!(player.to_sql(), text);
    }
}
