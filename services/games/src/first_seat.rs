//! The option `first-seat`, which several games share: who goes first. Rulebooks choose by events
//! in the players' lives, which a service cannot know.

use table::{BadOption, Dealer, Options, Seat, Small};

pub(crate) const NAME: &str = "first-seat";

/// The default: chance picks the seat.
pub(crate) const RANDOM: &str = "random";

/// Refuses a seat that the match does not have.
pub(crate) fn fits(options: &Options, seats: u8) -> Result<(), BadOption> {
    match chosen(options) {
        Some(seat) if u8::from(seat) >= seats => {
            Err(BadOption::NotWithSeats { name: NAME, value: options.get(NAME), seats })
        }
        _ => Ok(()),
    }
}

/// The seat that the option names, or a random one.
pub(crate) fn pick(options: &Options, d: &mut Dealer) -> Seat {
    chosen(options).unwrap_or_else(|| d.pick_seat())
}

fn chosen(options: &Options) -> Option<Seat> {
    options.get(NAME).parse().ok().and_then(Seat::nth)
}
