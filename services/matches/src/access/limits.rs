//! The limits of a platform: defaults, and values that an operator has set.

use accounts::LimitsRow;

/// The limits of a platform and of the seats in its matches. Each is at least 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Calls a second: a unary call, the opening of a stream, or a message of `Play`.
    pub calls_per_s: u32,
    /// Actions and resignations a second.
    pub actions_per_s: u32,
    /// Actions that are being recorded or wait for it.
    pub actions_max: u32,
    /// Matches created a second, on average over [`MATCHES_BURST_S`].
    pub matches_per_s: u32,
    /// Open streams of single matches: `WatchEntries` and `ReplayEntries`.
    pub watches_max: u32,
    /// Open streams of many matches: `StreamEntries`, `WatchPlayer`, `ConsumeSubscription` and
    /// `Play`.
    pub streams_max: u32,
    pub subscriptions_max: u32,
    /// Consumers of one subscription. There are 64 buckets, so more consumers would be idle.
    pub consumers_max: u32,
    /// Calls a second with one seat's or one player's tokens, on average over
    /// [`SEAT_CALLS_BURST_S`].
    pub seat_calls_per_s: u32,
    /// Actions a second with one seat's or one player's tokens, on average over
    /// [`SEAT_ACTIONS_BURST_S`].
    pub seat_actions_per_s: u32,
    /// Open streams of one seat's or one player's tokens.
    pub seat_streams_max: u32,
    /// Calls a second with one spectator's token, on average over [`SPECTATOR_CALLS_BURST_S`].
    pub spectator_calls_per_s: u32,
    /// Open streams of one spectator's token, which a platform may give to a whole audience.
    pub spectator_streams_max: u32,
    /// Entries that one seat may add to its match, by playing and by talking.
    pub seat_entries_max: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            calls_per_s: 100_000,
            actions_per_s: 100_000,
            actions_max: 8192,
            matches_per_s: 2000,
            watches_max: 20_000,
            streams_max: 512,
            subscriptions_max: 100,
            consumers_max: 64,
            seat_calls_per_s: 100,
            seat_actions_per_s: 10,
            seat_streams_max: 16,
            spectator_calls_per_s: 1000,
            spectator_streams_max: 5000,
            seat_entries_max: 10_000,
        }
    }
}

/// A platform may create the matches of this many seconds at once, such as those of a tournament.
pub(super) const MATCHES_BURST_S: u32 = 10;

/// Enough for a program that plays a whole match at once.
pub(super) const SEAT_CALLS_BURST_S: u32 = 10;

/// An audience that shares a token may come at once.
pub(super) const SPECTATOR_CALLS_BURST_S: u32 = 10;

/// Enough for the actions of a seat in a long match; more need a pause.
pub(super) const SEAT_ACTIONS_BURST_S: u32 = 30;

/// Matches of a device that a player gives an hour, with tokens: more than anyone plays.
pub(super) const IMPORTS_PER_H: u32 = 30;

/// A limit of a platform, with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedLimit {
    /// The name in refusals.
    pub name: &'static str,
    pub value: u32,
    /// Whether an operator set it; otherwise it is the default.
    pub is_set: bool,
}

impl Limits {
    /// Each limit by its name.
    pub fn named(row: &LimitsRow) -> [NamedLimit; 14] {
        let it = Limits::of(row);
        [
            ("calls_per_s", it.calls_per_s, row.calls_per_s),
            ("actions_per_s", it.actions_per_s, row.actions_per_s),
            ("actions_max", it.actions_max, row.actions_max),
            ("matches_per_s", it.matches_per_s, row.matches_per_s),
            ("watches_max", it.watches_max, row.watches_max),
            ("streams_max", it.streams_max, row.streams_max),
            ("subscriptions_max", it.subscriptions_max, row.subscriptions_max),
            ("consumers_max", it.consumers_max, row.consumers_max),
            ("seat_calls_per_s", it.seat_calls_per_s, row.seat_calls_per_s),
            ("seat_actions_per_s", it.seat_actions_per_s, row.seat_actions_per_s),
            ("seat_streams_max", it.seat_streams_max, row.seat_streams_max),
            ("spectator_calls_per_s", it.spectator_calls_per_s, row.spectator_calls_per_s),
            ("spectator_streams_max", it.spectator_streams_max, row.spectator_streams_max),
            ("seat_entries_max", it.seat_entries_max, row.seat_entries_max),
        ]
        .map(|(name, value, set)| NamedLimit { name, value, is_set: set.is_some() })
    }

    /// The limits that were set, and the defaults for the rest.
    pub fn of(row: &LimitsRow) -> Limits {
        let usual = Limits::default();
        let or = |set: Option<i32>, usual: u32| {
            set.and_then(|set| u32::try_from(set).ok()).filter(|set| *set > 0).unwrap_or(usual)
        };
        Limits {
            calls_per_s: or(row.calls_per_s, usual.calls_per_s),
            actions_per_s: or(row.actions_per_s, usual.actions_per_s),
            actions_max: or(row.actions_max, usual.actions_max),
            matches_per_s: or(row.matches_per_s, usual.matches_per_s),
            watches_max: or(row.watches_max, usual.watches_max),
            streams_max: or(row.streams_max, usual.streams_max),
            subscriptions_max: or(row.subscriptions_max, usual.subscriptions_max),
            consumers_max: or(row.consumers_max, usual.consumers_max),
            seat_calls_per_s: or(row.seat_calls_per_s, usual.seat_calls_per_s),
            seat_actions_per_s: or(row.seat_actions_per_s, usual.seat_actions_per_s),
            seat_streams_max: or(row.seat_streams_max, usual.seat_streams_max),
            spectator_calls_per_s: or(row.spectator_calls_per_s, usual.spectator_calls_per_s),
            spectator_streams_max: or(row.spectator_streams_max, usual.spectator_streams_max),
            seat_entries_max: or(row.seat_entries_max, usual.seat_entries_max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_is_not_set_is_the_default() {
        let set = LimitsRow { streams_max: Some(7), ..LimitsRow::default() };
        assert_eq!(Limits::of(&set), Limits { streams_max: 7, ..Limits::default() });
    }
}
