//! The place of an entry: its stream, its position, its bucket, and the digest that ties it to all
//! earlier entries.
//!
//! These types are shared by the log, which stores entries, and by programs without a database that
//! read or check them. In reading order: [`StreamId`] and [`Position`] name an entry, [`Bucket`] is
//! the part of the log that it is in, [`Digest`] identifies it and its past, [`Recorded`] is an
//! entry as recorded, and [`Mark`] is how far a bucket was read.

mod bucket;
mod digest;
mod ids;
mod mark;
#[cfg(feature = "postgres")]
mod postgres;
mod recorded;

pub use bucket::{BUCKETS, Bucket, NoSuchBucket, buckets_of};
pub use digest::{Digest, NotADigest};
pub use ids::{Position, StreamId};
pub use mark::{Claims, DigestStart, Heads, Mark, Marks, positions};
pub use recorded::Recorded;
