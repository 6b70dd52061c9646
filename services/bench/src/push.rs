//! How soon browsers are told of turns.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use contract::v1::{CreateMatchRequest, CreatePushSubscriptionRequest, PushKeys};
use futures::{StreamExt, TryStreamExt, stream};
use matches::TURN_WAIT;
use serde::Serialize;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::report::{CREATING, Error, Percentiles, Report, histogram, progress};
use crate::service::Service;
use crate::usage::Program;

/// Register the browsers of many players, create matches, and measure how soon each player whose
/// turn it is is told
///
/// This command is the push service, so the service needs `--allow-private-webhooks`. Prints a JSON
/// object. The command fails if a player is told twice, or not at all.
#[derive(clap::Args)]
pub struct Args {
    /// The number of players, each with a browser
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    players: u64,
    /// The number of matches, each of two other players
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    matches: u64,
    /// The number of matches created in a second
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    per_second: u64,
}

#[derive(Serialize)]
struct Outcome {
    players: u64,
    matches: u64,
    per_second: u64,
    /// From the call that begins a turn to the message, less the time for which every turn waits.
    late_ms: Percentiles,
    late_p95_ms: f64,
    missing: u64,
    twice: u64,
    /// The CPU usage of the service while matches were created, in thousandths of a processor; null
    /// if it does not run on this machine.
    millicores: Option<u64>,
}

/// The number of calls at a time.
const AT_ONCE: usize = 64;

/// How late a message may be before it is missing.
const LATE_MAX: Duration = Duration::from_secs(60);

/// The generator of P-256: nobody reads the messages.
const POINT: [u8; 65] = *b"\x04\
    \x6b\x17\xd1\xf2\xe1\x2c\x42\x47\xf8\xbc\xe6\xe5\x63\xa4\x40\xf2\
    \x77\x03\x7d\x81\x2d\xeb\x33\xa0\xf4\xa1\x39\x45\xd8\x98\xc2\x96\
    \x4f\xe3\x42\xe2\xfe\x1a\x7f\x9b\x8e\xe7\xeb\x4a\x7c\x0f\x9e\x16\
    \x2b\xce\x33\x57\x6b\x31\x5e\xce\xcb\xb6\x40\x68\x37\xbf\x51\xf5";

/// When each player was told, by the number that is the path of the player's browser.
type Told = Arc<Mutex<HashMap<u64, Vec<Instant>>>>;

pub async fn run(args: &Args, service: &Service) -> Result<Report, Error> {
    let client = service.connect().await?;
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(Error::Listen)?;
    let address = listener.local_addr().map_err(Error::Listen)?;
    let told = Told::default();
    #[expect(clippy::disallowed_methods, reason = "it ends with the measurement")]
    let receiving = tokio::spawn(receive(listener, told.clone()));
    // Players of another run have other browsers.
    let run = uuid::Uuid::new_v4().simple().to_string();
    let player = |nth: u64| format!("{run}-{nth}");
    let bar = progress("registering {pos} of {len} browsers {wide_bar}", args.players);
    let registering = stream::iter(0..args.players).map(|nth| {
        let keys = Some(PushKeys { p256dh: POINT.to_vec(), auth: vec![0; 16] });
        let endpoint = format!("http://{address}/{nth}");
        let (player, language) = (player(nth), "en".to_owned());
        let request =
            CreatePushSubscriptionRequest { player, endpoint, keys, language, ..<_>::default() };
        let (client, bar) = (&client, &bar);
        async move {
            client.call(request).await?;
            bar.inc(1);
            Ok::<_, Error>(())
        }
    });
    registering.buffer_unordered(AT_ONCE).try_collect::<()>().await?;
    bar.finish_and_clear();

    let matches = args.matches.min(args.players / 2);
    let bar = progress(CREATING, matches);
    let program = Program::of(service);
    let (before, began) = (program.as_ref().map(Program::cpu), Instant::now());
    let pace = Duration::from_secs(1).div_f64(args.per_second as f64);
    let creating = stream::iter(0..matches).map(|nth| {
        let players = vec![player(2 * nth), player(2 * nth + 1)];
        let game = "games/mountebank".to_owned();
        let request = CreateMatchRequest { game, seats: 2, players, ..<_>::default() };
        let (client, bar, at) = (&client, &bar, began + pace * nth as u32);
        async move {
            tokio::time::sleep_until(at.into()).await;
            let sent = Instant::now();
            let made = client.call(request).await?;
            bar.inc(1);
            let asked = made.r#match.unwrap_or_default().waiting_for;
            Ok::<_, Error>(asked.into_iter().map(move |seat| (2 * nth + u64::from(seat), sent)))
        }
    });
    let asked: Vec<_> = creating.buffered(AT_ONCE).try_collect().await?;
    let asked: HashMap<u64, Instant> = asked.into_iter().flatten().collect();
    bar.finish_and_clear();
    let creating = began.elapsed();
    let used = program.as_ref().zip(before).map(|(it, before)| it.cpu().saturating_sub(before));

    let until = Instant::now() + TURN_WAIT + LATE_MAX;
    let bar = progress("{pos} of {len} players were told {wide_bar}", asked.len() as u64);
    while told.lock().unwrap_or_else(PoisonError::into_inner).len() < asked.len()
        && Instant::now() < until
    {
        bar.set_position(told.lock().unwrap_or_else(PoisonError::into_inner).len() as u64);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    bar.finish_and_clear();
    receiving.abort();
    let told = told.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut late_us, mut missing) = (histogram(), 0);
    for (player, sent) in &asked {
        match told.get(player).and_then(|it| it.first()) {
            None => missing += 1,
            Some(told) => {
                let late = told.duration_since(*sent).saturating_sub(TURN_WAIT);
                late_us.saturating_record(late.as_micros() as u64);
            }
        }
    }
    let twice = told.values().filter(|it| it.len() > 1).count() as u64;
    let outcome = Outcome {
        players: args.players,
        matches,
        per_second: args.per_second,
        late_ms: Percentiles::of_us(&late_us),
        late_p95_ms: late_us.value_at_quantile(0.95) as f64 / 1e3,
        missing,
        twice,
        millicores: used.map(|it| (it.as_secs_f64() / creating.as_secs_f64() * 1e3) as u64),
    };
    let fault = (missing > 0 || twice > 0).then_some("a player was told twice, or not at all");
    Ok(Report { fault, ..Report::json(&outcome) })
}

/// Takes every message.
async fn receive(listener: TcpListener, told: Told) {
    while let Ok((stream, _)) = listener.accept().await {
        let told = told.clone();
        #[expect(clippy::disallowed_methods, reason = "it ends with its connection")]
        tokio::spawn(async move {
            // A connection that breaks is the service's to notice.
            let _ = receive_on(stream, &told).await;
        });
    }
}

async fn receive_on(stream: TcpStream, told: &Told) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let (mut line, mut length, mut player) = (String::new(), 0, None);
        loop {
            line.clear();
            if stream.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            if let Some(rest) = line.strip_prefix("POST /") {
                player = rest.split(' ').next().and_then(|it| it.parse().ok());
            }
            let header = line.trim_end().split_once(": ");
            if let Some((name, value)) = header
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.parse().unwrap_or_default();
            }
            if line.trim_end().is_empty() {
                break;
            }
        }
        if let Some(player) = player {
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            told.entry(player).or_default().push(Instant::now());
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await?;
        stream.write_all(b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n").await?;
    }
}
