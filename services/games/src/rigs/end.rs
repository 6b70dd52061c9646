//! The end of the match (§18): the worth of each seat in credits.

use table::{Dealer, Seat, Small, Table};

use super::{
    colony::{LENT, capacity, leader, plots, units},
    market::price_for,
    vocabulary::{Announcement, Coin::*, Land, Mark::*, MarketCard, Place::*, Plot, Resource},
};

/// §18.4: each script costs this many times the worth of its resource.
const OWED: i32 = 4;

/// §18.1, §18.2, §18.3
pub(super) fn end(d: &mut Dealer) {
    let leader = leader(d);
    for land in Land::all() {
        (0..land.market_cards()).for_each(|_| _ = d.draw(EndMarketDeck, Value(land)));
        d.announce(Announcement::LandValue(land), leader, land_value(d, land) as i16);
    }
    for resource in LENT {
        let worth = d.roll(leader) as i16;
        d.mark(Worth(resource), worth);
        d.announce(Announcement::UnitValue(resource), leader, worth);
    }
    for seat in d.seats() {
        let (land, stock, owed) = (plots_worth(d, seat), stock_worth(d, seat), owed(d, seat));
        d.announce(Announcement::PlotsWorth, seat, land as i16);
        d.announce(Announcement::StockWorth, seat, stock as i16);
        let credits = d.coins(Credit, Purse(seat));
        d.announce(Announcement::CreditsHeld, seat, credits as i16);
        if owed > 0 {
            d.announce(Announcement::Owes, seat, owed as i16);
        }
        d.score(seat, credits + land + stock - owed);
    }
    // §18.5
    d.end_by(|table, seat| {
        let credits = table.coins(Credit, Purse(seat));
        (table.scores()[seat.index()], credits, plots(table, seat).count())
    });
}

fn land_value(table: &Table, land: Land) -> i32 {
    table.pieces::<MarketCard>(Value(land)).iter().map(|card| card.value() as i32).sum()
}

/// §18.2: a plot with a Luxury spot counts double.
fn plots_worth(table: &Table, seat: Seat) -> i32 {
    let worth = |plot: Plot| {
        let rich = capacity(table, plot, Resource::Luxury) > 0;
        land_value(table, plot.land()) * if rich { 2 } else { 1 }
    };
    plots(table, seat).map(worth).sum()
}

/// §18.3: Energy, Supply and Metal by the dice, Luxury by what it would have sold for.
fn stock_worth(table: &Table, seat: Seat) -> i32 {
    let diced = LENT.map(|it| units(table, seat, it) as i32 * i32::from(table.marked(Worth(it))));
    diced.iter().sum::<i32>()
        + units(table, seat, Resource::Luxury) as i32 * price_for(table, seat) as i32
}

/// §18.4
fn owed(table: &Table, seat: Seat) -> i32 {
    let debt = |it| table.coins(Script(it), Debts(seat)) * i32::from(table.marked(Worth(it)));
    LENT.map(debt).iter().sum::<i32>() * OWED
}
