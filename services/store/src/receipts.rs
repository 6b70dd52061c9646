//! What the service has signed receipts for: one digest for an entry in a term.

use database::Error;
use positions::{Bucket, Digest, Position, Term};
use rows::MatchId;

use crate::Store;

/// What the service may sign about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signable {
    /// This digest, in this term. It is noted that it is signed.
    Digest(Term),
    /// It has signed another digest in this term.
    Contradicts(Digest, Term),
    /// The record does not have the entry.
    Gone,
}

/// How often a term may begin meanwhile.
const ATTEMPTS_MAX: usize = 3;

impl Store {
    /// Notes that a receipt is signed for an entry, in the current term of the record, unless one
    /// was signed with another digest.
    pub async fn note_receipt(
        &self,
        match_id: MatchId,
        position: Position,
        digest: Digest,
    ) -> Result<Signable, Error> {
        for _ in 0..ATTEMPTS_MAX {
            if let Some((signed, term)) = self.signed_receipt(match_id, position).await? {
                return Ok(match signed == digest {
                    true => Signable::Digest(term),
                    false => Signable::Contradicts(signed, term),
                });
            }
            // The term and the entry are of one moment: a process that has not noticed yet that the
            // record went back must not sign in the new term what it remembers of an earlier one.
            let noting = sqlx::query(
                "insert into signed_receipts (bucket, match_id, position, term, digest)
                 select its.bucket, its.match_id, its.position, last.term, its.digest
                 from entries as its
                 cross join (
                     select max(term) as term
                     from installation_terms
                     where bucket = 0
                 ) as last
                 where its.bucket = $1
                     and its.match_id = $2
                     and its.position = $3
                     and its.digest = $4
                 on conflict do nothing",
            );
            let noting = noting
                .bind(Bucket::of(match_id))
                .bind(match_id)
                .bind(position)
                .bind(&digest.as_bytes()[..]);
            self.database().write_at(Bucket::of(match_id), noting).await?;
        }
        Ok(Signable::Gone)
    }

    /// The digest that was signed for an entry in the current term, and the term.
    async fn signed_receipt(
        &self,
        match_id: MatchId,
        position: Position,
    ) -> Result<Option<(Digest, Term)>, Error> {
        let signed = sqlx::query_as(
            "select digest, term
             from signed_receipts
             where bucket = $1
                 and match_id = $2
                 and position = $3
                 and term = (select max(term) from installation_terms where bucket = 0)",
        );
        let signed = signed.bind(Bucket::of(match_id)).bind(match_id).bind(position);
        Ok(signed.fetch_optional(self.at(Bucket::of(match_id))).await?)
    }
}
