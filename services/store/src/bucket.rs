//! Buckets: the 64 parts of the record.

use crate::MatchId;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueRef};
use sqlx::{Decode, Encode, Postgres, Type};

/// The number of buckets. It never changes: `migrations/0001_record.sql` says why.
pub const BUCKETS: usize = 64;

/// One of the [`BUCKETS`] parts of the record. Always below [`BUCKETS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bucket(u8);

/// A number that is no bucket's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no bucket {0}")]
pub struct NoSuchBucket(pub i16);

impl Bucket {
    /// The bucket of a match and of everything that belongs to it.
    pub fn of(match_id: MatchId) -> Self {
        Self::of_last_byte(match_id.0.as_bytes())
    }

    /// The bucket of a platform.
    pub fn of_platform(platform: &str) -> Self {
        Self::of_last_byte(blake3::hash(platform.as_bytes()).as_bytes())
    }

    /// The bucket of what is known by a hash.
    pub fn of_hash(hash: &[u8; 32]) -> Self {
        Self::of_last_byte(hash)
    }

    /// All buckets, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..BUCKETS as u8).map(Self)
    }

    /// An index into an array of [`BUCKETS`] elements.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The bucket's bit in a set of buckets.
    pub(crate) fn bit(self) -> u64 {
        1 << self.0
    }

    /// Must agree with the SQL function `bucket_of`.
    fn of_last_byte<const N: usize>(bytes: &[u8; N]) -> Self {
        Self(bytes[N - 1] % BUCKETS as u8)
    }
}

impl From<Bucket> for i16 {
    fn from(bucket: Bucket) -> i16 {
        i16::from(bucket.0)
    }
}

impl TryFrom<i16> for Bucket {
    type Error = NoSuchBucket;

    fn try_from(number: i16) -> Result<Self, NoSuchBucket> {
        match u8::try_from(number) {
            Ok(bucket) if usize::from(bucket) < BUCKETS => Ok(Self(bucket)),
            _ => Err(NoSuchBucket(number)),
        }
    }
}

impl Type<Postgres> for Bucket {
    fn type_info() -> PgTypeInfo {
        <i16 as Type<Postgres>>::type_info()
    }
}

impl PgHasArrayType for Bucket {
    fn array_type_info() -> PgTypeInfo {
        <i16 as PgHasArrayType>::array_type_info()
    }
}

impl Encode<'_, Postgres> for Bucket {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        Encode::<Postgres>::encode(i16::from(*self), buffer)
    }
}

impl Decode<'_, Postgres> for Bucket {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        Ok(<i16 as Decode<Postgres>>::decode(value)?.try_into()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_match_is_in_the_bucket_of_its_last_byte() {
        for (last_byte, bucket) in [(0, 0), (63, 63), (64, 0), (255, 63)] {
            let match_id = MatchId(Uuid::from_u128(0xabcd_ef00 | last_byte));
            assert_eq!(i16::from(Bucket::of(match_id)), bucket);
        }
    }

    #[test]
    fn every_bucket_has_its_own_number_index_and_bit() {
        for (number, bucket) in (0..).zip(Bucket::all()) {
            assert_eq!(Bucket::try_from(number), Ok(bucket));
            assert_eq!((i16::from(bucket), bucket.index()), (number, number as usize));
        }
        assert_eq!(Bucket::all().fold(0, |bits, bucket| bits | bucket.bit()), u64::MAX);
    }

    #[test]
    fn a_number_out_of_range_is_no_bucket() {
        for number in [-1, 64, 256, i16::MIN, i16::MAX] {
            assert_eq!(Bucket::try_from(number), Err(NoSuchBucket(number)));
        }
    }
}
