//! Buckets: the 64 parts of the log.

use crate::StreamId;

/// The number of buckets. It never changes: readers keep positions within buckets, and another
/// number would move streams between buckets.
pub const BUCKETS: usize = 64;

/// One of the [`BUCKETS`] parts of the log. Always below [`BUCKETS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bucket(u8);

/// A number that is not a bucket's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no bucket {0}")]
pub struct NoSuchBucket(pub i16);

impl Bucket {
    /// The bucket of a stream and of everything that belongs to it.
    pub fn of(stream: StreamId) -> Self {
        Self::of_last_byte(stream.0.as_bytes())
    }

    /// The bucket of data identified by a name.
    pub fn of_name(name: &str) -> Self {
        Self::of_last_byte(blake3::hash(name.as_bytes()).as_bytes())
    }

    /// The bucket of data identified by a hash.
    pub fn of_hash(hash: &[u8; 32]) -> Self {
        Self::of_last_byte(hash)
    }

    /// All buckets, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..BUCKETS as u8).map(Self)
    }

    /// Each of these once, in order: a statement that names the shards it reads compares every row
    /// that it meets with all of them.
    pub fn distinct(buckets: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let bits = buckets.into_iter().fold(0, |bits, bucket| bits | bucket.bit());
        Self::all().filter(|bucket| bits & bucket.bit() != 0).collect()
    }

    /// An index into an array of [`BUCKETS`] elements.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The bucket's bit in a set of buckets.
    pub fn bit(self) -> u64 {
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

/// The bucket of each stream.
pub fn buckets_of(streams: &[StreamId]) -> Vec<Bucket> {
    streams.iter().map(|&stream| Bucket::of(stream)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_stream_is_in_the_bucket_of_its_last_byte() {
        for (last_byte, bucket) in [(0, 0), (63, 63), (64, 0), (255, 63)] {
            let stream = StreamId(Uuid::from_u128(0xabcd_ef00 | last_byte));
            assert_eq!(i16::from(Bucket::of(stream)), bucket);
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
    fn buckets_that_are_named_several_times_are_named_once_and_in_order() {
        let buckets = |numbers: &[i16]| -> Vec<Bucket> {
            numbers.iter().map(|&it| Bucket::try_from(it).expect("there is one")).collect()
        };
        assert_eq!(Bucket::distinct(buckets(&[63, 7, 0, 7, 63, 7])), buckets(&[0, 7, 63]));
        assert_eq!(Bucket::distinct([]), []);
    }

    #[test]
    fn each_stream_has_its_bucket_in_the_order_of_the_streams() {
        let streams = [9, 5, 9].map(|it| StreamId(Uuid::from_u128(it)));
        assert_eq!(buckets_of(&streams).iter().map(|it| it.index()).collect::<Vec<_>>(), [9, 5, 9]);
    }

    #[test]
    fn a_number_out_of_range_is_no_bucket() {
        for number in [-1, 64, 256, i16::MIN, i16::MAX] {
            assert_eq!(Bucket::try_from(number), Err(NoSuchBucket(number)));
        }
    }
}
