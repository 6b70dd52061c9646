//! Messages as bytes, for the servers and clients of the contract.

use std::marker::PhantomData;
use std::sync::Arc;

use prost::Message;
use tonic::Status;
use tonic::codec::{BufferSettings, DecodeBuf, Decoder};
use tonic_prost::{ProstCodec, ProstEncoder};

/// tonic's codec for prost messages, except that bytes which do not decode are the mistake of
/// whoever sent them (`INVALID_ARGUMENT`), and that the status keeps the
/// [`DecodeError`](prost::DecodeError) as its source, by which a server recognises it.
pub struct Codec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for Codec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> tonic::codec::Codec for Codec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = ProstEncoder<T>;
    type Decoder = CarefulDecoder<U>;

    fn encoder(&mut self) -> Self::Encoder {
        ProstCodec::<T, U>::raw_encoder(buffers())
    }

    fn decoder(&mut self) -> Self::Decoder {
        CarefulDecoder(PhantomData)
    }
}

/// Decodes `U`, or refuses the bytes.
pub struct CarefulDecoder<U>(PhantomData<U>);

impl<U: Message + Default> Decoder for CarefulDecoder<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, bytes: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        U::decode(bytes).map(Some).map_err(|error| {
            let message = format!("the bytes are not a message of this method: {error}");
            let mut status = Status::invalid_argument(message);
            status.set_source(Arc::new(error));
            status
        })
    }

    fn buffer_settings(&self) -> BufferSettings {
        buffers()
    }
}

/// A typical message fits; a larger one makes its buffer grow. A stream keeps its buffers while it
/// is open, so they start small.
fn buffers() -> BufferSettings {
    BufferSettings::new(1024, 32 * 1024)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use tonic_types::StatusExt;
    use transcoder::Domain;

    use super::*;

    #[tokio::test]
    async fn a_server_refuses_bytes_that_do_not_decode_in_its_domain() {
        let body = http_body_util::Full::new(Bytes::from_static(&[0, 0, 0, 0, 1, 0xff]));
        let decoder = CarefulDecoder::<String>(PhantomData);
        let mut messages = tonic::Streaming::new_request(decoder, body, None, None);
        let status = messages.message().await.expect_err("0xff begins no field");
        assert_eq!(status.code(), tonic::Code::InvalidArgument);
        assert!(status.get_details_error_info().is_none(), "it is of no domain yet");
        let refusal = Domain::new("toy").adopt(status).get_details_error_info();
        let refusal = refusal.expect("a typed refusal");
        assert_eq!((&*refusal.domain, &*refusal.reason), ("toy", "MALFORMED_MESSAGE"));
    }
}
