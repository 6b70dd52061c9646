//! What the texts of people and the rewards of jobs do.

use table::{Component, Dealer, PlaceId, Seat, Set, Small, Table};

use super::{
    Announcement, Choice,
    Coin::IskToken,
    Decision, DeckEnd, Mark, Place,
    Place::*,
    Refusal, Ruleset,
    cards::{self, Card, Deed, Job, Person, Skill},
    ends::{End, Went, deck_end},
    hideout, name, turns,
};

/// A place in a text: what is being done, and what goes on once it is decided how.
#[derive(Clone, Copy)]
pub(super) struct Clause {
    card: Card,
    number: usize,
}

impl Clause {
    pub(super) fn first(card: impl Component) -> Clause {
        Clause { card: Card::of(card.piece()).expect("people and jobs have texts"), number: 0 }
    }
    /// The one that waits for a decision.
    pub(super) fn pending(table: &Table) -> Clause {
        let card = table.get(Mark::Acting).expect("marked as it was asked");
        Clause { card, number: table.marked(Mark::Clause) as usize }
    }
    fn next(self) -> Clause {
        Clause { number: self.number + 1, ..self }
    }
    pub(super) fn deed<G: Ruleset>(self) -> Deed {
        cards::text::<G>(self.card)[self.number]
    }
    /// Asks the seat how this is to be done.
    fn ask(self, d: &mut Dealer, seat: Seat, decision: Decision) {
        d.set(Mark::Acting, Some(self.card));
        d.mark(Mark::Clause, self.number as i16);
        d.ask(seat, decision);
    }
}

/// Resolves a text from one of its clauses on, until something is to be decided. A reward that has
/// been taken, if only as far as the game lasted, completes its job.
pub(super) fn resolve<G: Ruleset>(d: &mut Dealer, seat: Seat, from: Clause) -> Went {
    let went = go_through::<G>(d, seat, from);
    let waits = went.is_ok() && d.prompt(seat).is_some();
    if let (Some(job), false) = (Job::of(from.card.piece()), waits) {
        d.put(job, CompletedJobs(seat));
    }
    went
}

fn go_through<G: Ruleset>(d: &mut Dealer, seat: Seat, mut clause: Clause) -> Went {
    while clause.number < cards::text::<G>(clause.card).len() {
        perform::<G>(d, seat, clause)?;
        if d.prompt(seat).is_some() {
            return Ok(());
        }
        clause = clause.next();
    }
    Ok(())
}

/// Goes on with a text as the seat decided.
pub(super) fn decided<G: Ruleset>(
    d: &mut Dealer,
    seat: Seat,
    how: impl FnOnce(&mut Dealer, Clause) -> Went,
) -> Went {
    let clause = Clause::pending(d);
    how(d, clause)?;
    match d.prompt(seat) {
        Some(_) => Ok(()),
        None => resolve::<G>(d, seat, clause.next()),
    }
}

fn perform<G: Ruleset>(d: &mut Dealer, seat: Seat, clause: Clause) -> Went {
    let ask = |d: &mut Dealer, what| choose_if_any::<G>(d, seat, what, clause);
    match clause.deed::<G>() {
        Deed::Look(cards) => {
            draw(d, seat, DrawnCards(seat), cards)?;
            ask(d, Choice::Keep)
        }
        Deed::Draw(cards) => draw(d, seat, Hand(seat), cards),
        Deed::Steal(amount) => steal(d, seat, amount),
        Deed::StealByJobs { without, with } => {
            steal(d, seat, if d.is_bare(CompletedJobs(seat)) { without } else { with })
        }
        Deed::StealBySkills => steal(d, seat, skills_shown::<G>(d, seat)),
        Deed::Rob(_) | Deed::RobRichest(_) => rob_one::<G>(d, seat, clause),
        Deed::RobEach { each, only } => {
            let amount = if d.seat_count() == 2 { only } else { each };
            d.others(seat).for_each(|victim| rob(d, seat, victim, amount.into()));
            Ok(())
        }
        Deed::AdvanceTime => {
            turns::advance_once_more(d, seat);
            Ok(())
        }
        Deed::SecondCaper => {
            if !d.is_bare(Hand(seat)) {
                clause.ask(d, seat, Decision::SecondCaper);
            }
            Ok(())
        }
        Deed::TeamUp => ask(d, Choice::TeamUp),
        Deed::Duplicate => ask(d, Choice::Duplicate),
        Deed::TakeBack => ask(d, Choice::TakeBack),
        Deed::Abduct => ask(d, Choice::Abduct),
        Deed::Exchange => ask(d, Choice::Exchange),
        Deed::SwapJobs => swap_if_any(d, seat, clause),
    }
}

// === Drawing ===

/// Draws from the deck; from an empty one, the discards make a new deck.
fn draw(d: &mut Dealer, seat: Seat, to: Place, cards: u8) -> Went {
    for _ in 0..cards {
        let reshuffles = deck_end(d) != DeckEnd::DeckEmpty;
        if d.is_bare(Deck) && !d.is_bare(Discard) && reshuffles {
            d.announce(Announcement::NewDeck, seat, 0);
            d.gather(Discard, Deck);
        }
        let drawn = d.draw(Deck, to);
        if drawn.is_none() && deck_end(d) == DeckEnd::NothingToDraw {
            return Err(End::DeckOut);
        }
    }
    match deck_end(d) {
        DeckEnd::DeckEmpty if d.is_bare(Deck) => Err(End::DeckOut),
        _ => Ok(()),
    }
}

// === Stealing ===

/// The last coin to leave the Coffers ends the game.
fn steal(d: &mut Dealer, seat: Seat, amount: u8) -> Went {
    d.pay_up_to(IskToken, Coffers, Stash(seat), amount.into());
    if d.coins(IskToken, Coffers) == 0 { Err(End::CoffersEmpty) } else { Ok(()) }
}

/// A stash gives no more than it holds.
fn rob(d: &mut Dealer, seat: Seat, victim: Seat, amount: u32) {
    d.pay_up_to(IskToken, Stash(victim), Stash(seat), amount);
}

fn skills_shown<G: Ruleset>(table: &Table, seat: Seat) -> u8 {
    let cards = lying(table, hideout(seat));
    let shown = |skill| cards.iter().any(|card| card.skill::<G>() == Some(skill));
    let wild = cards.iter().filter(|card| card.skill::<G>().is_none()).count();
    (Skill::all().filter(|&skill| shown(skill)).count() + wild).min(Skill::COUNT) as u8
}

/// Who can be stolen from: any opponent, or any of the richest.
pub(super) fn victims(table: &Table, seat: Seat, deed: Deed) -> impl Iterator<Item = Seat> {
    let stash = |it| table.coins(IskToken, Stash(it));
    let most = table.others(seat).map(stash).max();
    let richest = matches!(deed, Deed::RobRichest(_));
    table.others(seat).filter(move |&it| !richest || Some(stash(it)) == most)
}

/// Where there is one to steal from, nothing is to be decided.
fn rob_one<G: Ruleset>(d: &mut Dealer, seat: Seat, clause: Clause) -> Went {
    let victims: Vec<Seat> = victims(d, seat, clause.deed::<G>()).collect();
    match victims[..] {
        [only] => rob_chosen::<G>(d, seat, only, clause),
        _ => {
            clause.ask(d, seat, Decision::Rob);
            Ok(())
        }
    }
}

pub(super) fn may_rob<G: Ruleset>(table: &Table, seat: Seat, victim: Seat) -> Result<(), Refusal> {
    let victims = || victims(table, seat, Clause::pending(table).deed::<G>());
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
    clause: Clause,
) -> Went {
    if let Deed::Rob(amount) | Deed::RobRichest(amount) = clause.deed::<G>() {
        rob(d, seat, victim, amount.into());
    }
    Ok(())
}

/// Steals 1 from each opponent for each card of the skill that lies in their hideout and in no
/// team. A card of any skill counts; a coin does not.
pub(super) fn shake_down<G: Ruleset>(d: &mut Dealer, seat: Seat, named: Skill) -> Went {
    d.announce(Announcement::Targets(named), seat, 0);
    for victim in d.others(seat) {
        let alone = lying(d, nights_alone(d, victim));
        let fits = |card: &Person| card.skill::<G>().is_none_or(|skill| skill == named);
        rob(d, seat, victim, alone.iter().filter(fits).count() as u32);
    }
    Ok(())
}

// === Choosing a card ===

/// The cards that may be chosen. Whoever chooses knows them all.
pub(super) fn choices<G: Ruleset>(
    table: &Table,
    seat: Seat,
    what: Choice,
    clause: Clause,
) -> Set<Person> {
    let acting = Person::of(clause.card.piece()).map(Set::one).unwrap_or_default();
    let hand = || table.pieces(Hand(seat));
    match what {
        Choice::Keep => table.pieces(DrawnCards(seat)),
        // A Thug who was duplicated stays in the hand.
        Choice::TeamUp => hand().without(&acting),
        Choice::Duplicate => hand().iter().filter(|card| !hands_over::<G>(*card)).collect(),
        // The card that was played lies in the first night, and by itself.
        Choice::TakeBack => lying(table, hideout(seat).skip(1)),
        Choice::Abduct => {
            let alone = table.others(seat).flat_map(|rival| nights_alone(table, rival));
            lying(table, alone).iter().filter(|card| !card.is_ringleader()).collect()
        }
        Choice::Exchange => {
            let may = |card: &Person| !card.is_ringleader() && !card.does::<G>(Deed::Exchange);
            lying(table, table.others(seat).flat_map(hideout)).iter().filter(may).collect()
        }
    }
}

/// Whether a card has another's action performed. One that did so for its like would go on for
/// ever, and the Inside Man is never duplicated.
fn hands_over<G: Ruleset>(card: Person) -> bool {
    card.does::<G>(Deed::Duplicate) || card.does::<G>(Deed::Exchange)
}

/// Cards in any of these places.
fn lying(table: &Table, places: impl Iterator<Item = Place>) -> Set<Person> {
    places.fold(Set::EMPTY, |cards, place| cards.or(&table.pieces(place)))
}

/// A team is two or more cards in one night; these are the nights without one.
fn nights_alone(table: &Table, seat: Seat) -> impl Iterator<Item = Place> {
    hideout(seat).filter(|&night| table.count(night) == 1)
}

/// Nothing is asked where everyone sees that there is no choice; what a hand allows, only its owner
/// sees.
fn choose_if_any<G: Ruleset>(d: &mut Dealer, seat: Seat, what: Choice, clause: Clause) -> Went {
    let choices = choices::<G>(d, seat, what, clause);
    let mut cards = choices.iter();
    match (cards.next(), cards.next()) {
        (None, _) => {
            d.announce(Announcement::NothingComesOfIt, seat, 0);
            Ok(())
        }
        (Some(only), None) if what != Choice::Duplicate => choose::<G>(d, seat, what, only, clause),
        _ => {
            clause.ask(d, seat, Decision::Choose(what));
            Ok(())
        }
    }
}

pub(super) fn may_choose<G: Ruleset>(
    table: &Table,
    seat: Seat,
    what: Choice,
    card: Person,
) -> Result<(), Refusal> {
    let choices = choices::<G>(table, seat, what, Clause::pending(table));
    if choices.has(card) {
        return Ok(());
    }
    let card_name = name::<G>(card);
    Err(match what {
        Choice::Duplicate if hands_over::<G>(card) => Refusal::NotDuplicated { card: card_name },
        Choice::Abduct | Choice::Exchange if card.is_ringleader() => {
            Refusal::Loyal { card: card_name }
        }
        Choice::Exchange if card.does::<G>(Deed::Exchange) => {
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
    clause: Clause,
) -> Went {
    match what {
        Choice::Keep => {
            d.put(card, Hand(seat));
            d.gather(DrawnCards(seat), Discard);
        }
        // The pair is a team, and the second card's text is ignored.
        Choice::TeamUp => {
            d.put(card, FirstNight(seat));
            match card.skill::<G>() {
                Some(skill) => return shake_down::<G>(d, seat, skill),
                None => clause.ask(d, seat, Decision::NameSkill),
            }
        }
        Choice::Duplicate => {
            d.reveal(card);
            return resolve::<G>(d, seat, Clause::first(card));
        }
        Choice::TakeBack | Choice::Abduct => d.put(card, Hand(seat)),
        Choice::Exchange => {
            let theirs: PlaceId = d.at(card).expect("a choice lies in a hideout");
            let ours: Set<Person> = d.pieces(FirstNight(seat));
            d.put(card, FirstNight(seat));
            ours.iter().for_each(|inside_man| d.put(inside_man, theirs));
            return resolve::<G>(d, seat, Clause::first(card));
        }
    }
    Ok(())
}

// === Swapping jobs ===

/// One of one's own completed jobs and one of an opponent's.
pub(super) fn swaps(table: &Table, seat: Seat) -> impl Iterator<Item = (Job, Job)> {
    let mine: Set<Job> = table.pieces(CompletedJobs(seat));
    let theirs = table.others(seat).map(|rival| table.pieces(CompletedJobs(rival)));
    let theirs = theirs.fold(Set::EMPTY, |all, of: Set<Job>| all.or(&of));
    mine.iter().flat_map(move |mine| theirs.iter().map(move |theirs| (mine, theirs)))
}

fn swap_if_any(d: &mut Dealer, seat: Seat, clause: Clause) -> Went {
    let found: Vec<(Job, Job)> = swaps(d, seat).take(2).collect();
    match found[..] {
        [] => d.announce(Announcement::NothingComesOfIt, seat, 0),
        [(mine, theirs)] => return swap(d, seat, mine, theirs),
        _ => clause.ask(d, seat, Decision::SwapJobs),
    }
    Ok(())
}

pub(super) fn may_swap<G: Ruleset>(
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

pub(super) fn swap(d: &mut Dealer, seat: Seat, mine: Job, theirs: Job) -> Went {
    let owner: PlaceId = d.at(theirs).expect("a choice lies before its owner");
    d.put(theirs, CompletedJobs(seat));
    d.put(mine, owner);
    Ok(())
}
