//! Actions that never reach a guest, because no rule decides about them: talk, votes, orders,
//! substitutes, time added, taking back.

use std::ops::RangeInclusive;

use bytes::Bytes;
use table::{
    CommonRefusal, Dealer, Entry, Layout, Malformed, Options, Refused, Rules, Seat, Table,
};

/// Stands for the rules where `table` asks for them only to name their version and their refusals.
pub(crate) struct NoRules;

const NEVER: &str = "what the house does asks no rules";

impl Rules for NoRules {
    const NAME: &'static str = "house";
    const SEATS: RangeInclusive<u8> = 1..=8;
    const VERSION: u32 = 0;

    type Action = ();
    type Refusal = CommonRefusal;

    fn layout() -> &'static Layout {
        unreachable!("{NEVER}")
    }
    fn parse(_: &[u8]) -> Result<(), Malformed> {
        unreachable!("{NEVER}")
    }
    fn print((): &()) -> Bytes {
        unreachable!("{NEVER}")
    }
    fn verb((): &()) -> &'static str {
        unreachable!("{NEVER}")
    }
    fn set_up(_: &mut Dealer, _: &Options) {
        unreachable!("{NEVER}")
    }
    fn legal(_: &Table, _: Seat) -> Vec<()> {
        unreachable!("{NEVER}")
    }
    fn act(_: &mut Dealer, _: Seat, (): &()) -> Result<(), CommonRefusal> {
        unreachable!("{NEVER}")
    }
    fn passive(_: &Table, _: Seat) -> Option<()> {
        unreachable!("{NEVER}")
    }
}

/// What the house did in a match with rules of this version.
pub(crate) fn under(
    rules: u32,
    done: Result<(Table, Entry), Refused<CommonRefusal>>,
) -> Result<(Table, Entry), games::Refused> {
    let (table, entry) = done.map_err(games::refused)?;
    Ok((table, Entry { rules, ..entry }))
}
