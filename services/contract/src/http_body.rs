//! A body that is no message: `google.api.HttpBody`.

use bytes::Bytes;

/// A body with its media type, such as a picture.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct HttpBody {
    /// Such as `image/png`.
    #[prost(string, tag = "1")]
    pub content_type: String,
    #[prost(bytes = "bytes", tag = "2")]
    pub data: Bytes,
}
