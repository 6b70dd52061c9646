//! Tests through the wire: the real program on a real Postgres, called as clients call it.
//! `harness` starts what a test needs and removes it; each module below tests one promise.

#![allow(
    clippy::disallowed_methods,
    reason = "tasks end with their test, and a test operates on the database as it likes"
)]

mod harness;

/// Whole matches in every protocol, from the first seat taken to every deal verified.
mod matches;

/// Pictures of tables, and links that unfurl.
mod pictures;

/// Rounds of tournaments, created as a whole.
mod batches;

/// Matches and subscriptions that are changed, and matches as others see them.
mod updates;

/// Queries across matches: filters, rebuilds, tags, and isolation of platforms.
mod projections;

/// The service and its database are killed during matches.
mod crashes;

/// Two processes on one database receive concurrent requests.
mod races;

/// Processes that tell each other of new entries, and strangers who pretend to.
mod hints;

mod record_loss;

/// Matches that are deleted before they are dealt, and matches of which only the result is kept.
mod retention;

/// Archived matches, wherever their archive is, and whoever archives them.
mod archiving;

/// Rows of the record that somebody altered.
mod alterations;

/// Random faults while many matches are played, and a check of every promise afterwards.
mod torture;

/// What an operator lives through: failovers, restores, upgrades, bad neighbours.
mod drills;

/// The rules of the games, and set-ups that agree with them.
mod rules;

/// Matches that players' own devices dealt, and that a service takes over.
mod devices;

/// Actions taken back, pauses, agreed ends, and players who leave or take over.
mod staying;

/// Whose turn it is, and what happened, in notices, streams, webhooks and lists.
mod turns;

/// Browsers that are told of turns, by Web Push.
mod push;

/// Ratings and their history, by pool.
mod ratings;

/// Seats that the service plays itself.
mod bots;

/// Matches that follow each other.
mod series;

/// The names that a match shows for its players.
mod display_names;

/// Players who are erased, and what is left of them.
mod erasing;

/// The transparency log, and what outsiders find in it.
mod transparency;

/// The transparency log as files, which anyone can serve.
mod log_files;

/// Receipts with proofs of the log, and what players keep of both.
mod log_receipts;

/// The log of what operators and platforms did.
mod acts;

/// Platforms, keys and limits that operators change by calls.
mod operating;

/// Rights that end, and what is sent with them afterwards.
mod rights;

/// Texts in the language of a call.
mod texts;

/// The Rust client through restarts, its live tables, and its verification.
mod rust_client;

/// Retries: the same request again, from thirty connections at once, or with another meaning.
mod retries;

/// Many actions over one stream.
mod play_streams;

/// Any calls over one WebSocket.
mod socket;

/// Agents that play by the Model Context Protocol.
mod mcp;

/// The bench commands.
mod measuring;

/// Streams that break, wait, end and are resumed.
mod watching;

/// Secrets must not appear in any byte that any caller receives.
mod secrets;

/// Numbers that are secret: what is behind a screen, and deals about it.
mod screens;

/// What one platform takes leaves the others theirs.
mod fairness;

/// Authorization by keys, seat tokens and spectator tokens.
mod grants;

/// Players' tokens, and the stream of what concerns a player.
mod player_tokens;

/// Invitations: guests who take a seat by a link, bots on open seats, and who is at a match.
mod invitations;

/// The lobby, and players who are seated by the service.
mod seeks;

/// Credentials that are taken back: revoked keys and tokens, suspended platforms, rotated keys.
mod credentials;

/// People who sign in to the service's pages, and what a platform may know of itself.
mod sign_in;

/// The pages that browsers are shown.
mod pages;

/// Lists of legal actions, complete and truncated, and filters.
mod legal_actions;

/// Resignations.
mod resigning;

/// Processes that nobody uses.
mod resting;

/// Outages of the database; deadlines.
mod outages;

/// Health, reflection, OpenAPI and CORS.
mod operations;

/// Request ids, in responses and in the log.
mod logs;

/// Metrics on their own address, and what they must not contain.
mod metering;

/// The command line: finding a game, creating a match, joining and playing it.
mod command_line;
mod time_controls;

/// Invalid requests, in every way that a protocol allows.
mod bad_input;

/// The stream of a platform's entries, resumed wherever it broke, and shared by subscription.
mod streams;
mod talk;

/// Subscriptions that the service sends to an endpoint.
mod webhooks;

/// Past views, diffs, replays, and the reveal.
mod travel;

/// Export, verification, replay without a service, and import.
mod files;

/// The folder of a new game, and what is said if it cannot be built.
mod making;

/// The record of a match over the API.
mod public_records;

/// What a stranger, and an operator before an upgrade, can verify.
mod verify;

/// Matches that this release cannot read.
mod unreadable;

/// Games that are modules, added while services run.
mod modules;

/// Bots that play modules.
mod module_bots;

/// Games that operators install by calls, for all platforms or for some.
mod installing;

/// Matches that began under the rules of another release, and go on by them.
mod kept_rules;

/// Starting, readiness, leaving and failing.
mod lifecycle;

/// Connecting to the database: several hosts, late starts, schemas.
mod connecting;
mod contributions;

/// Upgrades, the role that serves, and databases that lose commits.
mod upgrades;

/// Users of the system, and whose the data folder is.
mod users;

/// TLS on the public port, and CORS.
mod tls;
