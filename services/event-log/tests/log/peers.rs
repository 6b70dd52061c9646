//! Passing drafts on to the process that writes for others.

use crate::installation::Installation;
use crate::playing::{Followed, Writer, draft, new_stream, play};
use event_log::append::Listening;
use event_log::{Append, Bucket, Draft, Log, Position, append, follow};
use futures::future::join_all;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

#[tokio::test(flavor = "multi_thread")]
async fn of_two_processes_one_writes_what_both_decide() {
    let installation = Installation::open().await;
    let Pair { passes_on, writes, .. } = Pair::of(&installation).await;
    let before = (passes_on.handle.statistics(), writes.handle.statistics());
    let (ours, theirs): (Vec<_>, Vec<_>) = (0..100).map(|_| (new_stream(), new_stream())).unzip();
    let playing = [(&passes_on, &ours), (&writes, &theirs)].map(|(writer, streams)| {
        join_all(
            (streams.iter())
                .map(|&stream| play(&installation.log, &writer.handle, stream, "a", 10)),
        )
    });
    join_all(playing).await;
    for &stream in ours.iter().chain(&theirs) {
        assert_eq!(installation.log.tail(stream).await.unwrap(), Position(10));
    }
    let (one, other) = (passes_on.handle.statistics(), writes.handle.statistics());
    assert_eq!(one.forwarded - before.0.forwarded, 100 * 10);
    assert_eq!((one.entries, one.handed_back), (before.0.entries, 0));
    assert_eq!(other.entries - before.1.entries, 2 * 100 * 10);
    // One conflict is possible, before the two have found each other.
    assert!(other.conflicts <= before.1.conflicts + 1, "nobody competes with it");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_one_that_writes_follows_what_its_peer_decided() {
    let installation = Installation::open().await;
    let Pair { passes_on, log_of_writer, .. } = Pair::of(&installation).await;
    let options = follow::Options { poll_wait: Duration::from_secs(3600) };
    let followed = Followed::by(&log_of_writer, options).await;
    let stream = new_stream();
    let _interest = followed.handle.interest(Bucket::of(stream));
    play(&installation.log, &passes_on.handle, stream, "a", 10).await;
    followed.until(10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_peer_that_dies_does_not_answer_is_recorded_once() {
    let installation = Installation::open().await;
    let Pair { passes_on, writes, .. } = Pair::of(&installation).await;
    let streams: Vec<_> = (0..20).map(|_| new_stream()).collect();
    let stalled = installation.stall().await;
    let appending = streams.iter().map(|&it| passes_on.handle.append(draft(it, 1, "x")));
    let appending = join_all(appending);
    let forwarded = passes_on.handle.statistics().forwarded;
    let dying = async {
        while passes_on.handle.statistics().forwarded < forwarded + 20 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // An insert that it has begun still completes, once the database can.
        writes.running.abort();
        while passes_on.handle.statistics().handed_back == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        drop(stalled);
    };
    let (outcomes, ()) = tokio::join!(appending, dying);
    assert_eq!(outcomes, [Ok(Append::Recorded); 20]);
    for stream in streams {
        assert_eq!(installation.log.tail(stream).await.unwrap(), Position(1));
    }
    assert_eq!(passes_on.handle.statistics().handed_back, 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_peer_that_falls_silent_does_not_answer_is_recorded() {
    let installation = Installation::open().await;
    let Pair { passes_on, proxy, .. } = Pair::of(&installation).await;
    proxy.freeze();
    let stream = new_stream();
    play(&installation.log, &passes_on.handle, stream, "a", 3).await;
    assert_eq!(installation.log.tail(stream).await.unwrap(), Position(3));
    assert!(passes_on.handle.statistics().handed_back > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_is_told_nothing_by_the_address_for_peers() {
    let installation = Installation::open().await;
    let Pair { proxy, .. } = Pair::of(&installation).await;
    for said in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0, 48], &[0, 3, 1, 2, 3], &[255; 70_000]] {
        let mut stranger = TcpStream::connect(proxy.target).await.unwrap();
        let _ = stranger.write_all(said).await;
        let mut answer = Vec::new();
        let reading = timeout(Duration::from_secs(60), stranger.read_to_end(&mut answer));
        let _ = reading.await.expect("it is hung up on");
        assert!(answer.is_empty(), "{said:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_writes_nothing_after_an_entry_that_only_its_sender_knew() {
    let installation = Installation::open().await;
    let Pair { passes_on, log, .. } = Pair::of(&installation).await;
    let (lost, kept) = (new_stream(), new_stream());
    let third = Writer::run(&installation.another().await, append::Options::default());
    third.handle.append(draft(lost, 1, "x")).await.unwrap();
    // The sender reads the entry; the writer never does. Then it is lost.
    assert_eq!(log.entries(lost, Position::START, 10).await.unwrap().len(), 1);
    installation.lose_after(lost, 0).await;
    let next = Draft { epoch: log.epoch(), ..draft(lost, 2, "x") };
    assert_eq!(passes_on.handle.append(next).await, Ok(Append::Conflict));
    assert_eq!(installation.log.tail(lost).await.unwrap(), Position::START);
    play(&installation.log, &passes_on.handle, kept, "a", 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_in_different_terms_record_nothing_for_each_other() {
    let installation = Installation::open().await;
    let Pair { passes_on, log, writes, log_of_writer, .. } = Pair::of(&installation).await;
    installation.another().await.raise_term(None).await.unwrap();
    let term = log_of_writer.settle_term().await.unwrap();
    let append = async || {
        let draft = Draft { epoch: log.epoch(), ..draft(new_stream(), 1, "x") };
        assert_eq!(passes_on.handle.append(draft).await, Ok(Append::Recorded));
    };
    let own = passes_on.handle.statistics().entries;
    let parting = async {
        while passes_on.handle.statistics().entries == own {
            append().await;
        }
    };
    timeout(Duration::from_secs(60), parting).await.expect("the connection ends");
    let (entries, forwarded) =
        (writes.handle.statistics().entries, passes_on.handle.statistics().forwarded);
    for _ in 0..5 {
        append().await;
    }
    assert_eq!(writes.handle.statistics().entries, entries);
    assert_eq!(log.settle_term().await.unwrap(), term);
    let meeting = async {
        while passes_on.handle.statistics().forwarded == forwarded {
            append().await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(60), meeting).await.expect("they find each other again");
}

/// Two processes on one database, one of which passes its drafts to the other.
pub struct Pair {
    pub passes_on: Writer,
    /// The log of the process that passes its drafts on.
    log: Log,
    writes: Writer,
    log_of_writer: Log,
    /// The proxy between the two processes.
    proxy: Proxy,
}

impl Pair {
    pub async fn of(installation: &Installation) -> Pair {
        let mut each = Vec::new();
        for _ in 0..2 {
            let log = installation.another().await;
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let proxy = Proxy::to(listener.local_addr().unwrap()).await;
            let listening = Listening { listener, address: proxy.address.to_string() };
            let service = append::Service::new(&log, append::Options::default());
            let writer = Writer::of(service.with_peers(Some(listening)));
            each.push((writer, log, proxy));
        }
        let finding = async {
            while each.iter().all(|(writer, ..)| writer.handle.statistics().forwarded == 0) {
                for (writer, ..) in &each {
                    writer.handle.append(draft(new_stream(), 1, "x")).await.unwrap();
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(60), finding).await.expect("they find each other");
        each.sort_by_key(|(writer, ..)| writer.handle.statistics().forwarded);
        let [(writes, log_of_writer, proxy), (passes_on, log, _)] =
            each.try_into().ok().expect("there are two");
        Pair { passes_on, log, writes, log_of_writer, proxy }
    }
}

/// Relays connections. Once frozen, it keeps them open and relays nothing.
struct Proxy {
    address: SocketAddr,
    target: SocketAddr,
    frozen: CancellationToken,
}

impl Proxy {
    async fn to(target: SocketAddr) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, frozen) = (listener.local_addr().unwrap(), CancellationToken::new());
        let freezes = frozen.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let freezes = freezes.clone();
                tokio::spawn(async move {
                    let Ok(mut to) = TcpStream::connect(target).await else { return };
                    let relaying = tokio::io::copy_bidirectional(&mut stream, &mut to);
                    if freezes.run_until_cancelled(relaying).await.is_none() {
                        std::future::pending::<()>().await;
                    }
                });
            }
        });
        Proxy { address, target, frozen }
    }

    fn freeze(&self) {
        self.frozen.cancel();
    }
}
