//! The stage: the card that is being resolved, and those that redirect it.

use table::{Dealer, Seat, Small, Table};

use super::hands::draw;
use crate::rigs::{
    actions::Aim,
    colony::owner,
    phases::clear_ready,
    vocabulary::{Announcement, Depth, Karma, Mark::*, Place::*, Plot, Resource},
};

/// A card on the stage, with its player and its target.
pub(super) struct StagedCard {
    pub card: Karma,
    pub by: Seat,
    pub victim: Option<Seat>,
    pub plot: Option<Plot>,
    pub other: Option<Plot>,
    pub resource: Option<Resource>,
}

pub(super) const FIRST: Depth = Depth::new(0);

pub(super) fn staged_card(table: &Table, depth: Depth) -> Option<StagedCard> {
    let by = table.get(By(depth))?;
    let card = table.first(Stage(depth))?;
    Some(StagedCard {
        card,
        by,
        victim: table.get(Victim(depth)),
        plot: table.get(Aimed(depth)),
        other: table.get(AimedToo(depth)),
        resource: table.get(Sort(depth)),
    })
}

/// Puts a card on the stage. §12.7: its target is no longer ready.
pub(super) fn put_on_stage(d: &mut Dealer, depth: Depth, seat: Seat, card: Karma, aim: &Aim) {
    d.put(card, Stage(depth));
    d.set(By(depth), Some(seat));
    let (plot, other, resource) = match *aim {
        Aim::Plot(plot) => (Some(plot), None, None),
        Aim::Plots(plot, other) => (Some(plot), Some(other), None),
        Aim::Resource(resource) => (None, None, Some(resource)),
        _ => (None, None, None),
    };
    let victim = match *aim {
        Aim::Seat(seat) | Aim::Loss { victim: seat, .. } => Some(seat),
        Aim::Plot(plot) => owner(d, plot),
        _ => None,
    };
    d.set(Victim(depth), victim);
    d.set(Aimed(depth), plot);
    d.set(AimedToo(depth), other);
    d.set(Sort(depth), resource);
    for plot in [plot, other].into_iter().flatten() {
        d.announce(Announcement::OnPlot(plot), seat, 0);
    }
    if let Some(resource) = resource {
        d.announce(Announcement::OnResource(resource), seat, 0);
    }
    if let Some(victim) = victim.filter(|&victim| victim != seat) {
        d.announce(Announcement::OnSeat, victim, 0);
        clear_ready(d, victim);
    }
}

pub(in crate::rigs) fn is_under_way(table: &Table) -> bool {
    table.is_marked(By(FIRST))
}

/// The card on the stage is resolved: no decision about it is left.
pub(in crate::rigs) fn finish(d: &mut Dealer) {
    // §13.3
    let victim = d.get::<Seat>(Victim(FIRST));
    if let Some(victim) = victim.filter(|_| d.lies(Karma::BadOsRevision, Stage(FIRST))) {
        draw(d, victim, 2);
    }
    clear_stage(d);
}

/// §12.1: the cards go to the discards.
pub(super) fn clear_stage(d: &mut Dealer) {
    for depth in Depth::all() {
        d.gather(Stage(depth), KarmaDiscard);
        let marks = [By(depth), Victim(depth), Aimed(depth), AimedToo(depth), Sort(depth)];
        marks.into_iter().for_each(|mark| d.mark(mark, 0));
    }
    d.seats().for_each(|seat| d.mark(Guarded(seat), 0));
}
