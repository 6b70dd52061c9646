//! The place of an entry: its stream, its position, its bucket, and the digest that ties it to all
//! earlier entries.
//!
//! These types are shared by the log, which stores entries, and by programs without a database that
//! read or check them. In reading order: [`StreamId`] and [`Position`] name an entry, [`Bucket`] is
//! the part of the log that it is in, [`Digest`] identifies it and its past, [`Recorded`] is an
//! entry as recorded, [`Mark`] is how far a bucket was read, and [`Term`] says in which part of an
//! installation's life.

mod bucket;
mod digest;
mod ids;
mod mark;
#[cfg(feature = "postgres")]
mod postgres;
mod recorded;
mod term;

pub use bucket::{BUCKETS, Bucket, NoSuchBucket, buckets_of};
pub use digest::{Digest, NotADigest};
pub use ids::{Position, StreamId};
pub use mark::{Bookmark, Claims, DigestStart, Heads, Mark, Marks, positions};
pub use recorded::Recorded;
pub use term::Term;
