//! How these types are stored in Postgres.

use bytes::Bytes;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgRow, PgTypeInfo, PgValueRef};
use sqlx::{Decode, Encode, FromRow, Postgres, Row, Type};
use uuid::Uuid;

use crate::{Bucket, Digest, Position, Recorded, StreamId};

/// As `smallint`.
impl Type<Postgres> for Bucket {
    fn type_info() -> PgTypeInfo {
        <i16 as Type<Postgres>>::type_info()
    }
}

impl PgHasArrayType for StreamId {
    fn array_type_info() -> PgTypeInfo {
        <Uuid as PgHasArrayType>::array_type_info()
    }
}

impl PgHasArrayType for Position {
    fn array_type_info() -> PgTypeInfo {
        <i64 as PgHasArrayType>::array_type_info()
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

/// As `bytea`.
impl Type<Postgres> for Digest {
    fn type_info() -> PgTypeInfo {
        <[u8] as Type<Postgres>>::type_info()
    }
}

impl PgHasArrayType for Digest {
    fn array_type_info() -> PgTypeInfo {
        <&[u8] as PgHasArrayType>::array_type_info()
    }
}

impl Encode<'_, Postgres> for Digest {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        <&[u8] as Encode<Postgres>>::encode(&self.as_bytes()[..], buffer)
    }
}

impl Decode<'_, Postgres> for Digest {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        Ok(<&[u8] as Decode<Postgres>>::decode(value)?.try_into()?)
    }
}

/// From the columns of the log's table.
impl FromRow<'_, PgRow> for Recorded {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            position: row.try_get("position")?,
            bucket_position: row.try_get("bucket_position")?,
            request_id: row.try_get("request_id")?,
            create_time: row.try_get("create_time")?,
            body: Bytes::from(row.try_get::<Vec<u8>, _>("body")?),
            digest: row.try_get("digest")?,
        })
    }
}
