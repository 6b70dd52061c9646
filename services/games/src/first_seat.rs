//! Who goes first, where a table of people would go by what they did lately: an option that games
//! have in common.

use table::{BadOption, Dealer, Options, Seat, Small};

pub(crate) const NAME: &str = "first-seat";

/// Unless an option of that name says otherwise, chance names the seat.
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

/// The seat that the options name, or chance.
pub(crate) fn pick(options: &Options, d: &mut Dealer) -> Seat {
    chosen(options).unwrap_or_else(|| d.pick_seat())
}

fn chosen(options: &Options) -> Option<Seat> {
    options.get(NAME).parse().ok().and_then(Seat::nth)
}
