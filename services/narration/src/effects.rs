//! Effects of actions in words.

use games::{Counter, Effect};

use crate::Narrator;

impl Narrator {
    /// A change of a counter, such as `Winnings: +11 tokens`. What belongs to another seat begins
    /// with the name of its player.
    pub fn effect(&self, effect: &Effect) -> String {
        let (titles, layout) = (self.titles(), self.game.layout());
        let sign = if effect.change < 0 { '\u{2212}' } else { '+' };
        let amount = i64::from(effect.change).abs();
        match effect.of {
            Counter::Coins(place, coin) => {
                let row = layout.place(place);
                let title = titles.place(row);
                let title = match row.seat.map(|seat| self.person(seat)) {
                    Some(person) if !person.is_reader() => format!("{}, {title}", person.name()),
                    _ => title,
                };
                format!("{title}: {sign}{}", titles.coins(coin, amount))
            }
            Counter::Mark(mark) => {
                format!("{}: {sign}{amount}", titles.mark(layout.mark_term(mark)).0)
            }
        }
    }
}
