//! Loads all data needed to play a match, batched over many callers.

use std::collections::HashMap;

use database::{Answers, Database, Error, Group, Pools, read_apart};
use event_log::Header;
use positions::{Bucket, buckets_of};
use rows::{Contributed, MatchId, MatchRow, Seed};

use crate::found::{Found, select_matches};
use crate::of_matches;
use crate::of_matches::OfMatches;
use crate::record::header;

/// All data needed to play a match, except its entries.
#[derive(Clone)]
pub struct Loaded {
    pub row: MatchRow,
    /// `None` if the match was reduced to its result, or is being removed. In any other match a
    /// missing seed was tampered with: a match and its seed are written in one statement.
    pub seed: Option<Seed>,
    /// The header of the match in the log; `None` if the match does not exist.
    pub header: Option<Header>,
    /// The seats' contributions to its chance, in the order of the seats. Once a match is dealt,
    /// only its first entry counts.
    pub contributions: Vec<Contributed>,
}

/// Loads matches, each by its platform and its id.
pub(crate) async fn load(
    database: Database,
    pools: Pools,
    keys: Vec<(String, MatchId)>,
) -> Result<Answers<Option<Loaded>>, Error> {
    let bucket = |(_, match_id): &(String, MatchId)| Bucket::of(*match_id);
    read_apart(&database, keys, bucket, |group| load_group(&database, &pools, group)).await
}

async fn load_group(
    database: &Database,
    pools: &Pools,
    Group { is_of_one, of }: Group<(String, MatchId)>,
) -> Result<Vec<Option<Loaded>>, Error> {
    let (platforms, match_ids): (Vec<String>, Vec<MatchId>) = of.into_iter().unzip();
    let rows: Vec<Found> = sqlx::query_as(if is_of_one { LOAD.one } else { LOAD.any })
        .bind(buckets_of(&match_ids))
        .bind(&match_ids)
        .bind(&platforms)
        .fetch_all(&pools.of(Bucket::of(match_ids[0])))
        .await?;
    let origins: Vec<(MatchId, Option<Vec<u8>>, Option<Header>)> =
        ORIGINS.read_on(database, pools, &match_ids, None).await?;
    let origins: HashMap<MatchId, (Option<Seed>, Option<Header>)> = origins
        .into_iter()
        .map(|(match_id, seed, header)| (match_id, (seed.map(seed_of), header)))
        .collect();
    // Read after the seats: a match that was full then has all contributions that count.
    let open: Vec<MatchId> =
        rows.iter().filter(|Found(row)| row.last.is_none()).map(|it| it.0.match_id).collect();
    let contributions = match open[..] {
        [] => HashMap::new(),
        _ => contributions_of(database, pools, &open).await?,
    };
    let rows: HashMap<MatchId, MatchRow> =
        rows.into_iter().map(|Found(row)| (row.match_id, row)).collect();
    let loaded = platforms.iter().zip(&match_ids).map(|(platform, match_id)| {
        let row = rows.get(match_id).filter(|row| row.platform == *platform)?;
        let (seed, header) = origins.get(match_id).cloned().unwrap_or_default();
        Some(Loaded {
            row: row.clone(),
            seed,
            header,
            contributions: contributions.get(match_id).cloned().unwrap_or_default(),
        })
    });
    Ok(loaded.collect())
}

/// The seats' contributions to these matches, in the order of the seats.
pub(crate) async fn contributions_of(
    database: &Database,
    pools: &Pools,
    match_ids: &[MatchId],
) -> Result<HashMap<MatchId, Vec<Contributed>>, Error> {
    let statement = of_matches!(
        "select match_id, seat, contribution, after_commitment
         from contributions
         where",
        "order by match_id, seat"
    );
    let rows: Vec<(MatchId, i16, Vec<u8>, bool)> =
        statement.read_on(database, pools, match_ids, None).await?;
    let mut of_matches: HashMap<MatchId, Vec<Contributed>> = HashMap::new();
    for (match_id, seat, bytes, after_commitment) in rows {
        let contributed = Contributed { seat, bytes, after_commitment };
        of_matches.entry(match_id).or_default().push(contributed);
    }
    Ok(of_matches)
}

/// `$3` are the platforms of the matches. A row may belong to another one of them than requested,
/// so the caller compares platforms.
const LOAD: OfMatches = OfMatches {
    any: select_matches!(
        "m.bucket",
        "where (bucket, match_id, platform) in (select * from unnest($1::smallint[], $2::uuid[], $3::text[]))"
    ),
    one: select_matches!(
        "any($1)",
        "where bucket = any($1) and match_id = any($2) and platform = any($3)"
    ),
};

/// Seeds and headers.
macro_rules! select_origins {
    ($bucket:literal, $condition:literal) => {
        concat!(
            "select m.match_id, seeds.seed, (",
            header!($bucket, "m.match_id"),
            ") as header
             from matches as m
             left join seeds
                 on seeds.bucket = m.bucket and seeds.match_id = m.match_id and seeds.bucket = ",
            $bucket,
            " where ",
            $condition
        )
    };
}

const ORIGINS: OfMatches = OfMatches {
    any: select_origins!(
        "m.bucket",
        "(m.bucket, m.match_id) in (select * from unnest($1::smallint[], $2::uuid[]))"
    ),
    one: select_origins!("any($1)", "m.bucket = any($1) and m.match_id = any($2)"),
};

pub(crate) fn seed_of(column: Vec<u8>) -> Seed {
    column.try_into().expect("a check constraint makes seeds 32 bytes long")
}
