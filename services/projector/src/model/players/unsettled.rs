//! Results that are ingested and not settled yet.

use std::collections::HashSet;

use positions::Bucket;
use rows::MatchId;
use store::{OfMatches, Store, of_matches};

use crate::token::Token;
use crate::waiting::Awaited;

/// The numbers of those tokens that include unsettled results. Results after a stream's position
/// are ignored, because a busy platform always has unsettled ones.
pub(super) async fn unsettled(
    store: &Store,
    awaited: &[Awaited<'_>],
) -> Result<HashSet<usize>, database::Error> {
    let (mut entries, mut streams) = (Vec::new(), Vec::new());
    for Awaited { number, platform, token } in awaited {
        match token {
            Token::Entry(match_id, ..) => entries.push((*number, *match_id)),
            Token::Stream(heads) => streams.push((*number, *platform, heads)),
        }
    }
    let mut unsettled: HashSet<usize> = HashSet::new();
    if !entries.is_empty() {
        let match_ids: Vec<MatchId> = entries.iter().map(|it| it.1).collect();
        let found: Vec<(MatchId,)> = UNSETTLED.read(store.database(), &match_ids, None).await?;
        let found: HashSet<MatchId> = found.into_iter().map(|(match_id,)| match_id).collect();
        let its = entries.iter().filter(|(_, match_id)| found.contains(match_id));
        unsettled.extend(its.map(|(number, _)| number));
    }
    if !streams.is_empty() {
        let found: Vec<(String, Bucket, i64)> = sqlx::query_as(
            "select its.platform, its.bucket, min(last.bucket_position)
             from (
                 select distinct platform, bucket, match_id
                 from results
                 where platform = any($1) and mean is null
             ) as its
             cross join lateral (
                 select bucket_position
                 from entries
                 where entries.bucket = its.bucket and entries.match_id = its.match_id
                 order by position desc
                 limit 1
             ) as last
             group by its.platform, its.bucket",
        )
        .bind(streams.iter().map(|it| it.1).collect::<Vec<_>>())
        .fetch_all(store.database().pool_of_all())
        .await?;
        for (number, platform, heads) in streams {
            let includes = |bucket: &Bucket, last: &i64| heads[bucket.index()] >= *last;
            let mut its = found.iter().filter(|it| it.0 == platform);
            if its.any(|(_, bucket, last)| includes(bucket, last)) {
                unsettled.insert(number);
            }
        }
    }
    Ok(unsettled)
}

const UNSETTLED: OfMatches = of_matches!(
    "select distinct match_id
     from results
     where",
    "and mean is null"
);
