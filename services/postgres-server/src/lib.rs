//! A private Postgres server for one application: created on first use, supervised while the
//! application runs, and stopped when it ends.
//!
//! The server is the machine's own Postgres program, run on a data folder of the application.
//!
//! # Use
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use postgres_server::{Options, Postgres};
//!
//! let postgres = Postgres::start("/var/lib/orders/postgres", Options::new("orders")).await?;
//! let pool = sqlx::PgPool::connect_with(postgres.options()).await?;
//! // …
//! pool.close().await;
//! postgres.stop().await;
//! # Ok(())
//! # }
//! ```
//!
//! # Promises
//!
//! - **Durable.** `fsync`, `full_page_writes` and `synchronous_commit` are on, and data checksums
//!   are enabled. They are set on the server's command line, so its configuration files cannot
//!   switch them off.
//! - **Private.** The server listens on no network address. Its socket is in a folder that only its
//!   owner can enter.
//! - **Supervised.** A server that dies is started again at the same address.
//! - **No stray server.** The kernel stops the server when the thread that started it ends, so not
//!   even `kill -9` on the application leaves one behind. The next start waits for an earlier
//!   server of the folder to end before it starts its own.
//! - **One at a time.** A lock on the data folder lets one process run a server on it.
//! - **Never root.** If the application runs as root, its server runs as `postgres`, or as `nobody`
//!   if there is no such user.
//!
//! # Limits
//!
//! Linux only: the server is tied to its thread by `setpriv --pdeathsig` (util-linux), and
//! processes are identified through `/proc`. Postgres 15 to 18 is supported. A data folder keeps
//! the version that created it.
//!
//! The modules, each of which uses only earlier ones: `error`, `options`, `user`, `command`,
//! `programs`, `socket`, `folder`, `pid_file`, `signals`, `process`, `supervisor`.

mod command;
mod error;
mod folder;
mod options;
mod pid_file;
mod process;
mod programs;
mod signals;
mod socket;
mod supervisor;
mod user;

pub use error::Error;
pub use options::Options;
pub use supervisor::Postgres;
