//! The effects of people's texts and jobs' rewards, part by part.

use table::{Component, Dealer, PlaceId, Seat, Set, Small, Table};

use super::{
    cards::Effect,
    catalogue,
    ends::{End, deck_end},
    layout::name,
    nights::{self, hideout},
    refusals::Refusal,
    ruleset::Ruleset,
    vocabulary::{
        Announcement, Card, Choice, Coin::IskToken, Decision, DeckEnd, Job, Mark, Person, Place,
        Place::*, Skill,
    },
};

/// One part of a text: the effect being resolved, and where to continue after its decision.
#[derive(Clone, Copy)]
pub(super) struct Part {
    card: Card,
    number: usize,
}

impl Part {
    pub(super) fn first(card: impl Component) -> Part {
        Part { card: Card::of(card.piece()).expect("people and jobs have texts"), number: 0 }
    }
    /// The part that waits for a decision.
    pub(super) fn pending(table: &Table) -> Part {
        let card = table.get(Mark::Acting).expect("a part that asks sets the mark");
        Part { card, number: table.marked(Mark::Clause) as usize }
    }
    fn next(self) -> Part {
        Part { number: self.number + 1, ..self }
    }
    pub(super) fn effect<G: Ruleset>(self) -> Effect {
        catalogue::text::<G>(self.card)[self.number]
    }
    /// Asks for a decision and records which part it belongs to.
    fn ask(self, d: &mut Dealer, seat: Seat, decision: Decision) {
        d.set(Mark::Acting, Some(self.card));
        d.mark(Mark::Clause, self.number as i16);
        d.ask(seat, decision);
    }
}

/// Resolves a text from one of its parts on, until a decision is needed. A job is completed after
/// its reward, §5.5, even if the reward ends the game, §5.6.
pub(super) fn resolve<G: Ruleset>(d: &mut Dealer, seat: Seat, from: Part) -> Result<(), End> {
    let resolved = resolve_parts::<G>(d, seat, from);
    let waits = resolved.is_ok() && d.prompt(seat).is_some();
    if let (Some(job), false) = (Job::of(from.card.piece()), waits) {
        d.put(job, CompletedJobs(seat));
    }
    resolved
}

/// §4.3
fn resolve_parts<G: Ruleset>(d: &mut Dealer, seat: Seat, mut part: Part) -> Result<(), End> {
    while part.number < catalogue::text::<G>(part.card).len() {
        perform::<G>(d, seat, part)?;
        if d.prompt(seat).is_some() {
            return Ok(());
        }
        part = part.next();
    }
    Ok(())
}

/// Applies the seat's decision to the pending part, then resolves the rest of the text.
pub(super) fn resume<G: Ruleset>(
    d: &mut Dealer,
    seat: Seat,
    apply: impl FnOnce(&mut Dealer, Part) -> Result<(), End>,
) -> Result<(), End> {
    let part = Part::pending(d);
    apply(d, part)?;
    match d.prompt(seat) {
        Some(_) => Ok(()),
        None => resolve::<G>(d, seat, part.next()),
    }
}

fn perform<G: Ruleset>(d: &mut Dealer, seat: Seat, part: Part) -> Result<(), End> {
    let ask = |d: &mut Dealer, what| choose_if_any::<G>(d, seat, what, part);
    match part.effect::<G>() {
        // §8.1
        Effect::DrawAndKeep(cards) => {
            draw(d, seat, DrawnCards(seat), cards)?;
            ask(d, Choice::Keep)
        }
        // §8.2
        Effect::Draw(cards) => draw(d, seat, Hand(seat), cards),
        // §8.3
        Effect::Steal(amount) => steal(d, seat, amount),
        // §8.4
        Effect::StealByJobs { without, with } => {
            steal(d, seat, if d.is_bare(CompletedJobs(seat)) { without } else { with })
        }
        // §8.5
        Effect::StealBySkills => steal(d, seat, skills_shown::<G>(d, seat)),
        // §8.6, §8.7
        Effect::Rob(_) | Effect::RobRichest(_) => rob_one::<G>(d, seat, part),
        // §8.8
        Effect::RobEach { each, only } => {
            let amount = if d.seat_count() == 2 { only } else { each };
            d.others(seat).for_each(|victim| rob(d, seat, victim, amount.into()));
            Ok(())
        }
        // §8.9
        Effect::AdvanceTime => {
            nights::advance_again(d, seat);
            Ok(())
        }
        // §8.10
        Effect::SecondCaper => {
            if !d.is_bare(Hand(seat)) {
                part.ask(d, seat, Decision::SecondCaper);
            }
            Ok(())
        }
        // §8.12
        Effect::TeamUp => ask(d, Choice::TeamUp),
        // §8.15
        Effect::Duplicate => ask(d, Choice::Duplicate),
        // §8.18
        Effect::TakeBack => ask(d, Choice::TakeBack),
        // §8.19
        Effect::Abduct => ask(d, Choice::Abduct),
        // §8.21
        Effect::Exchange => ask(d, Choice::Exchange),
        // §8.20
        Effect::SwapJobs => {
            ask_to_swap(d, seat, part);
            Ok(())
        }
    }
}

// === Drawing ===

/// §7.1; the three ways to run out of cards are §9.4 (with §7.4), §9.5 and §9.6.
fn draw(d: &mut Dealer, seat: Seat, to: Place, cards: u8) -> Result<(), End> {
    let end = deck_end(d);
    for _ in 0..cards {
        if d.is_bare(Deck) && !d.is_bare(Discard) && end != DeckEnd::DeckEmpty {
            d.announce(Announcement::NewDeck, seat, 0);
            d.gather(Discard, Deck);
        }
        let drawn = d.draw(Deck, to).is_some();
        let runs_out = match end {
            DeckEnd::BothPilesEmpty => d.is_bare(Deck) && d.is_bare(Discard),
            DeckEnd::NothingToDraw => !drawn,
            DeckEnd::DeckEmpty => !drawn || d.is_bare(Deck),
        };
        if runs_out {
            return Err(End::DeckOut);
        }
    }
    Ok(())
}

// === Stealing ===

/// §7.2; the last token ends the game, §9.1.
fn steal(d: &mut Dealer, seat: Seat, amount: u8) -> Result<(), End> {
    d.pay_up_to(IskToken, Coffers, Stash(seat), amount.into());
    if d.coins(IskToken, Coffers) == 0 { Err(End::CoffersEmpty) } else { Ok(()) }
}

/// §7.3
fn rob(d: &mut Dealer, seat: Seat, victim: Seat, amount: u32) {
    d.pay_up_to(IskToken, Stash(victim), Stash(seat), amount);
}

/// §8.5
fn skills_shown<G: Ruleset>(table: &Table, seat: Seat) -> u8 {
    let cards = people_in(table, hideout(seat));
    let shown = |skill| cards.iter().any(|card| card.skill::<G>() == Some(skill));
    let wild = cards.iter().filter(|card| card.skill::<G>().is_none()).count();
    (Skill::all().filter(|&skill| shown(skill)).count() + wild).min(Skill::COUNT) as u8
}

/// The opponents that this effect may steal from, §7.3 and §8.7. §11.2 A seat that resigned stays
/// an opponent.
pub(super) fn victims(table: &Table, seat: Seat, effect: Effect) -> impl Iterator<Item = Seat> {
    let stash = |it| table.coins(IskToken, Stash(it));
    let most = table.others(seat).map(stash).max();
    let richest = matches!(effect, Effect::RobRichest(_));
    table.others(seat).filter(move |&it| !richest || Some(stash(it)) == most)
}

/// A single victim is robbed without a decision, §4.4.
fn rob_one<G: Ruleset>(d: &mut Dealer, seat: Seat, part: Part) -> Result<(), End> {
    let victims: Vec<Seat> = victims(d, seat, part.effect::<G>()).collect();
    match victims[..] {
        [only] => rob_chosen::<G>(d, seat, only, part),
        _ => {
            part.ask(d, seat, Decision::Rob);
            Ok(())
        }
    }
}

pub(super) fn check_victim<G: Ruleset>(
    table: &Table,
    seat: Seat,
    victim: Seat,
) -> Result<(), Refusal> {
    let victims = || victims(table, seat, Part::pending(table).effect::<G>());
    if victims().any(|it| it == victim) {
        return Ok(());
    }
    let choices: Vec<String> = victims().map(|it| it.to_string()).collect();
    Err(Refusal::NotAChoice { choice: victim.to_string(), choices: choices.join(" ") })
}

pub(super) fn rob_chosen<G: Ruleset>(
    d: &mut Dealer,
    seat: Seat,
    victim: Seat,
    part: Part,
) -> Result<(), End> {
    if let Effect::Rob(amount) | Effect::RobRichest(amount) = part.effect::<G>() {
        rob(d, seat, victim, amount.into());
    }
    Ok(())
}

/// §8.13 The Thug steals for each lone card of the named skill. A card of any skill counts, §8.14.
pub(super) fn rob_by_skill<G: Ruleset>(
    d: &mut Dealer,
    seat: Seat,
    named: Skill,
) -> Result<(), End> {
    d.announce(Announcement::Targets(named), seat, 0);
    for victim in d.others(seat) {
        rob(d, seat, victim, lone_of_skill::<G>(d, victim, named));
    }
    Ok(())
}

pub(super) fn lone_of_skill<G: Ruleset>(table: &Table, seat: Seat, named: Skill) -> u32 {
    let lone = people_in(table, nights_without_team(table, seat));
    let fits = |card: &Person| card.skill::<G>().is_none_or(|skill| skill == named);
    lone.iter().filter(fits).count() as u32
}

// === Choosing a card ===

/// The cards that may be chosen. All of them are visible to the seat that chooses.
pub(super) fn choices<G: Ruleset>(
    table: &Table,
    seat: Seat,
    what: Choice,
    part: Part,
) -> Set<Person> {
    let acting = Person::of(part.card.piece()).map(Set::one).unwrap_or_default();
    let hand = || table.pieces(Hand(seat));
    match what {
        Choice::Keep => table.pieces(DrawnCards(seat)),
        // §8.17 A duplicated Thug is still in the hand.
        Choice::TeamUp => hand().without(&acting),
        // §8.16
        Choice::Duplicate => hand().iter().filter(|card| !acts_as_another::<G>(*card)).collect(),
        // §8.18 The first night holds only the card that was just played.
        Choice::TakeBack => people_in(table, hideout(seat).skip(1)),
        // §8.19
        Choice::Abduct => {
            let lone = table.others(seat).flat_map(|rival| nights_without_team(table, rival));
            people_in(table, lone).iter().filter(|card| !card.is_ringleader()).collect()
        }
        // §8.23, §8.24
        Choice::Exchange => {
            let may = |card: &Person| !card.is_ringleader() && !card.does::<G>(Effect::Exchange);
            people_in(table, table.others(seat).flat_map(hideout)).iter().filter(may).collect()
        }
    }
}

/// Whether the card resolves another card's text in place of its own. Duplicating a Fall Guy could
/// continue without end.
pub(super) fn acts_as_another<G: Ruleset>(card: Person) -> bool {
    card.does::<G>(Effect::Duplicate) || card.does::<G>(Effect::Exchange)
}

fn people_in(table: &Table, places: impl Iterator<Item = Place>) -> Set<Person> {
    places.fold(Set::EMPTY, |cards, place| cards.or(&table.pieces(place)))
}

/// §4.5 The nights with a single card.
fn nights_without_team(table: &Table, seat: Seat) -> impl Iterator<Item = Place> {
    hideout(seat).filter(|&night| table.count(night) == 1)
}

/// §4.4 A single choice is made without a decision, unless that would reveal something about a
/// secret hand, or the seat may decline.
fn choose_if_any<G: Ruleset>(
    d: &mut Dealer,
    seat: Seat,
    what: Choice,
    part: Part,
) -> Result<(), End> {
    let choices = choices::<G>(d, seat, what, part);
    let mut cards = choices.iter();
    match (cards.next(), cards.next()) {
        (None, _) => {
            d.announce(Announcement::NothingComesOfIt, seat, 0);
            Ok(())
        }
        (Some(only), None) if is_single_choice_made(what) => choose::<G>(d, seat, what, only, part),
        _ => {
            part.ask(d, seat, Decision::Choose(what));
            Ok(())
        }
    }
}

fn is_single_choice_made(what: Choice) -> bool {
    match what {
        Choice::Keep | Choice::TeamUp | Choice::TakeBack | Choice::Abduct => true,
        Choice::Duplicate | Choice::Exchange => false,
    }
}

pub(super) fn check_choice<G: Ruleset>(
    table: &Table,
    seat: Seat,
    what: Choice,
    card: Person,
) -> Result<(), Refusal> {
    let choices = choices::<G>(table, seat, what, Part::pending(table));
    if choices.has(card) {
        return Ok(());
    }
    let card_name = name::<G>(card);
    Err(match what {
        // §8.16
        Choice::Duplicate if acts_as_another::<G>(card) => {
            Refusal::NotDuplicated { card: card_name }
        }
        // §8.23
        Choice::Abduct | Choice::Exchange if card.is_ringleader() => {
            Refusal::Loyal { card: card_name }
        }
        // §8.24
        Choice::Exchange if card.does::<G>(Effect::Exchange) => {
            Refusal::NotExchanged { card: card_name }
        }
        _ => Refusal::NotAChoice { choice: card_name.into(), choices: choices.names(G::layout()) },
    })
}

pub(super) fn choose<G: Ruleset>(
    d: &mut Dealer,
    seat: Seat,
    what: Choice,
    card: Person,
    part: Part,
) -> Result<(), End> {
    match what {
        // §8.1
        Choice::Keep => {
            d.put(card, Hand(seat));
            d.gather(DrawnCards(seat), Discard);
        }
        // §8.12; the seat names the skill of a partner that shows any, §8.14.
        Choice::TeamUp => {
            d.put(card, FirstNight(seat));
            match card.skill::<G>() {
                Some(skill) => return rob_by_skill::<G>(d, seat, skill),
                None => part.ask(d, seat, Decision::NameSkill),
            }
        }
        // §8.15
        Choice::Duplicate => {
            d.reveal(card);
            return resolve::<G>(d, seat, Part::first(card));
        }
        // §8.18, §8.19
        Choice::TakeBack | Choice::Abduct => d.put(card, Hand(seat)),
        // §8.21, then §8.22
        Choice::Exchange => {
            let theirs: PlaceId = d.at(card).expect("a card that may be exchanged is in a hideout");
            let ours: Set<Person> = d.pieces(FirstNight(seat));
            d.put(card, FirstNight(seat));
            ours.iter().for_each(|inside_man| d.put(inside_man, theirs));
            return resolve::<G>(d, seat, Part::first(card));
        }
    }
    Ok(())
}

// === Swapping jobs ===

/// §8.20 The pairs of one of the seat's own jobs and one of an opponent's.
pub(super) fn swaps(table: &Table, seat: Seat) -> impl Iterator<Item = (Job, Job)> {
    let mine: Set<Job> = table.pieces(CompletedJobs(seat));
    let theirs = table.others(seat).map(|rival| table.pieces(CompletedJobs(rival)));
    let theirs = theirs.fold(Set::EMPTY, |all, of: Set<Job>| all.or(&of));
    mine.iter().flat_map(move |mine| theirs.iter().map(move |theirs| (mine, theirs)))
}

/// §8.27 The seat is asked even about a single swap, because it may decline.
fn ask_to_swap(d: &mut Dealer, seat: Seat, part: Part) {
    if swaps(d, seat).next().is_none() {
        d.announce(Announcement::NothingComesOfIt, seat, 0);
    } else {
        part.ask(d, seat, Decision::SwapJobs);
    }
}

pub(super) fn check_swap<G: Ruleset>(
    table: &Table,
    seat: Seat,
    mine: Job,
    theirs: Job,
) -> Result<(), Refusal> {
    if swaps(table, seat).any(|it| it == (mine, theirs)) {
        return Ok(());
    }
    let own: Set<Job> = table.pieces(CompletedJobs(seat));
    let others: Set<Job> = swaps(table, seat).map(|it| it.1).collect();
    let (wrong, choices) = if own.has(mine) { (theirs, others) } else { (mine, own) };
    let (choice, choices) = (name::<G>(wrong).into(), choices.names(G::layout()));
    Err(Refusal::NotAChoice { choice, choices })
}

pub(super) fn swap(d: &mut Dealer, seat: Seat, mine: Job, theirs: Job) -> Result<(), End> {
    let owner: PlaceId = d.at(theirs).expect("a completed job is with its owner");
    d.put(theirs, CompletedJobs(seat));
    d.put(mine, owner);
    Ok(())
}
