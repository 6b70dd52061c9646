//! A channel to a peer: messages in order, sealed with a key that is stored in the database.
//!
//! Drafts contain hidden state of running matches and cross the network between machines. So a
//! channel is a Noise handshake with a shared key (`NNpsk0`): it needs no certificates, and without
//! the key nobody can read, send or answer.

use bytes::{Bytes, BytesMut};
use futures::{SinkExt, StreamExt};
use prost::Message;
use snow::{Builder, HandshakeState, StatelessTransportState};
use std::io;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio_util::codec::{Framed, FramedRead, FramedWrite, LengthDelimitedCodec};

const PATTERN: &str = "Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s";
/// The largest message of the Noise protocol.
const SEALED_MAX: usize = 65_535;
/// The bytes that sealing adds to a message.
const TAG: usize = 16;

/// The key of the called process.
pub(in crate::append) type Key = [u8; 32];

/// The sending half.
pub(super) struct Sending {
    state: Arc<StatelessTransportState>,
    frames: FramedWrite<OwnedWriteHalf, LengthDelimitedCodec>,
    sent: u64,
    plain: BytesMut,
    sealed: Box<[u8; SEALED_MAX]>,
}

/// The receiving half.
pub(super) struct Receiving {
    state: Arc<StatelessTransportState>,
    frames: FramedRead<OwnedReadHalf, LengthDelimitedCodec>,
    received: u64,
    plain: BytesMut,
    opened: Box<[u8; SEALED_MAX]>,
}

/// Opens a channel as the caller. Both sides must give the same `prologue`.
pub(super) async fn call(
    stream: TcpStream,
    prologue: &[u8],
    key: &Key,
) -> io::Result<(Sending, Receiving)> {
    shake_hands(stream, builder(prologue, key)?.build_initiator().map_err(invalid)?).await
}

/// Opens a channel as the callee.
pub(super) async fn answer(
    stream: TcpStream,
    prologue: &[u8],
    key: &Key,
) -> io::Result<(Sending, Receiving)> {
    shake_hands(stream, builder(prologue, key)?.build_responder().map_err(invalid)?).await
}

async fn shake_hands(
    stream: TcpStream,
    mut handshake: HandshakeState,
) -> io::Result<(Sending, Receiving)> {
    stream.set_nodelay(true)?;
    let mut frames = Framed::new(stream, codec());
    let mut buffer = [0; 256];
    while !handshake.is_handshake_finished() {
        if handshake.is_my_turn() {
            let length = handshake.write_message(&[], &mut buffer).map_err(invalid)?;
            frames.send(Bytes::copy_from_slice(&buffer[..length])).await?;
        } else {
            let frame = frames.next().await;
            let frame = frame.unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into()))?;
            handshake.read_message(&frame, &mut buffer).map_err(invalid)?;
        }
    }
    halves(frames, handshake.into_stateless_transport_mode().map_err(invalid)?)
}

impl Sending {
    /// Sends these messages together.
    pub async fn send(
        &mut self,
        messages: impl IntoIterator<Item = impl Message>,
    ) -> io::Result<()> {
        self.plain.clear();
        for message in messages {
            message.encode_length_delimited(&mut self.plain).expect("the buffer grows");
        }
        for part in self.plain.chunks(SEALED_MAX - TAG) {
            let length = (self.state)
                .write_message(self.sent, part, &mut self.sealed[..])
                .map_err(invalid)?;
            self.sent += 1;
            self.frames.feed(Bytes::copy_from_slice(&self.sealed[..length])).await?;
        }
        SinkExt::<Bytes>::flush(&mut self.frames).await
    }
}

impl Receiving {
    /// The next message; `None` if the peer has closed the channel between two messages.
    /// Cancel-safe.
    pub async fn receive<M: Message + Default>(&mut self) -> io::Result<Option<M>> {
        loop {
            if let Some(message) = self.whole_message()? {
                return Ok(Some(message));
            }
            let Some(frame) = self.frames.next().await.transpose()? else {
                return match self.plain.is_empty() {
                    true => Ok(None),
                    false => Err(io::ErrorKind::UnexpectedEof.into()),
                };
            };
            let length = (self.state)
                .read_message(self.received, &frame, &mut self.opened[..])
                .map_err(invalid)?;
            self.received += 1;
            self.plain.extend_from_slice(&self.opened[..length]);
        }
    }

    /// Takes a message from the received bytes, if it is complete.
    fn whole_message<M: Message + Default>(&mut self) -> io::Result<Option<M>> {
        let mut rest = &self.plain[..];
        let Ok(length) = prost::decode_length_delimiter(&mut rest) else {
            // A length has at most ten bytes; with fewer it may be incomplete.
            return match self.plain.len() < 10 {
                true => Ok(None),
                false => Err(io::ErrorKind::InvalidData.into()),
            };
        };
        if rest.len() < length {
            return Ok(None);
        }
        let start = self.plain.len() - rest.len();
        let message = self.plain.split_to(start + length).freeze().slice(start..);
        M::decode(message).map(Some).map_err(invalid)
    }
}

fn builder<'a>(prologue: &'a [u8], key: &'a Key) -> io::Result<Builder<'a>> {
    let pattern = PATTERN.parse().expect("the pattern is one of the protocol's");
    Builder::new(pattern).prologue(prologue).and_then(|it| it.psk(0, key)).map_err(invalid)
}

fn codec() -> LengthDelimitedCodec {
    LengthDelimitedCodec::builder().length_field_type::<u16>().new_codec()
}

fn halves(
    frames: Framed<TcpStream, LengthDelimitedCodec>,
    state: StatelessTransportState,
) -> io::Result<(Sending, Receiving)> {
    let parts = frames.into_parts();
    let (read, write) = parts.io.into_split();
    let mut read = FramedRead::new(read, codec());
    // Bytes that arrived right after the handshake.
    *read.read_buffer_mut() = parts.read_buf;
    let state = Arc::new(state);
    let sending = Sending {
        state: state.clone(),
        frames: FramedWrite::new(write, codec()),
        sent: 0,
        plain: BytesMut::new(),
        sealed: Box::new([0; SEALED_MAX]),
    };
    let receiving = Receiving {
        state,
        frames: read,
        received: 0,
        plain: BytesMut::new(),
        opened: Box::new([0; SEALED_MAX]),
    };
    Ok((sending, receiving))
}

pub(super) fn invalid(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
