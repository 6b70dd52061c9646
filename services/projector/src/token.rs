//! Consistency tokens: what an answer of a read model must include.

use positions::{Bucket, Claims, Heads, Position};
use rows::MatchId;

/// The entries that an answer must include, so that a client finds the effects of entries it has
/// seen.
#[derive(Clone, Debug)]
pub enum ConsistencyToken {
    Entry(MatchId, Position),
    /// Every entry up to these positions.
    Stream(Box<Claims>),
}

/// A consistency token in bucket positions, which can be compared with checkpoints.
pub(crate) enum Token {
    /// An entry, and its bucket position once it is known.
    Entry(MatchId, Position, Option<i64>),
    /// Every entry up to these bucket positions.
    Stream(Box<Heads>),
}

impl Token {
    pub fn of(token: &ConsistencyToken) -> Token {
        match token {
            ConsistencyToken::Entry(match_id, position) => Token::Entry(*match_id, *position, None),
            ConsistencyToken::Stream(claims) => Token::Stream(Box::new(claims.positions())),
        }
    }

    /// Whether a model with these checkpoints includes it.
    pub fn is_before(&self, checkpoints: &Heads) -> bool {
        match self {
            Token::Entry(match_id, _, Some(at)) => {
                checkpoints[Bucket::of(*match_id).index()] >= *at
            }
            Token::Entry(_, _, None) => false,
            Token::Stream(heads) => heads.iter().zip(checkpoints).all(|(head, at)| at >= head),
        }
    }
}
