//! The rules of a game as a guest: it keeps tables under handles, and answers the requests of the
//! host.

use std::marker::PhantomData;

use bytes::Bytes;
use minds::{Budget, Iterations, Mind, Opinion};
use prost::Message;
use table::{
    ActionFilter, BadOption, Chance, Common, Entry, Observation, Options, Piece, Reason, Refused,
    Rules, Small, Table, contract as pb, house_answer, stored,
};

use crate::{About, about::seat};

/// The rules `G`, with the tables of matches. A request that breaks the contract panics, which ends
/// the module: its host never sends one.
pub struct Guest<G> {
    about: About,
    /// By handle, less 1.
    tables: Vec<Option<Table>>,
    /// The handles that are free.
    free: Vec<u32>,
    rules: PhantomData<fn() -> G>,
}

impl<G: Rules> Guest<G> {
    pub fn new(about: About) -> Self {
        Guest { about, tables: Vec::new(), free: Vec::new(), rules: PhantomData }
    }

    /// Writes the answer to a request of a method into `answer`, which is empty. A search asks
    /// `more` before each iteration.
    pub fn answer(
        &mut self,
        method: u32,
        request: &[u8],
        chance: &mut dyn Chance,
        more: &mut dyn FnMut() -> bool,
        answer: &mut Vec<u8>,
    ) {
        use pb::Method::*;
        let method = i32::try_from(method).ok().and_then(|it| pb::Method::try_from(it).ok());
        match method.expect("the host calls methods of its contract") {
            Unspecified => panic!("the host calls no method"),
            Describe => write(self.about.describe::<G>(), answer),
            CheckOptions => write(check_options::<G>(read(request)), answer),
            Open => write(self.open(read(request), chance), answer),
            Restore => write(self.restore(&read(request)), answer),
            Release => write(self.release(&read(request)), answer),
            Snapshot => write(self.snapshot(&read(request)), answer),
            Parse => write(parse::<G>(&read(request)), answer),
            Act => write(self.act(&read(request), chance), answer),
            Resign => write(self.resign(&read(request), chance), answer),
            TimeOut => write(self.time_out(&read(request), chance), answer),
            Stand => write(self.stand(read(request), chance), answer),
            List => write(list::<G>(read(request)), answer),
            AnswerForHouse => write(answer_for_house::<G>(&read(request), chance), answer),
            NameNextBeginner => write(name_next_beginner::<G>(&read(request)), answer),
            Choose => write(choose::<G>(&read(request), more, chance), answer),
        }
    }
}

fn read<M: Message + Default>(request: &[u8]) -> M {
    M::decode(request).expect("the host sends messages of its contract")
}

fn write(message: impl Message, answer: &mut Vec<u8>) {
    message.encode(answer).expect("a vector grows");
}

// === With a table ===

impl<G: Rules> Guest<G> {
    fn open(&mut self, request: pb::OpenRequest, chance: &mut dyn Chance) -> pb::OpenResponse {
        let seats = number_of_seats(request.seats);
        let options = Options::of::<G>(&request.options, seats).expect("the host checked them");
        let contributions = request.contributions.iter().map(|it| stored::contribution(it));
        let contributions: Result<Vec<_>, _> = contributions.collect();
        let contributions = contributions.expect("the host sends contributions of its contract");
        let opened = table::open::<G>(seats, &options, &contributions, chance);
        pb::OpenResponse { outcome: Some(self.advanced(opened)) }
    }

    fn restore(&mut self, request: &pb::RestoreRequest) -> pb::RestoreResponse {
        let table = view::<G>(request.view.as_ref());
        pb::RestoreResponse { table: self.keep(table) }
    }

    fn release(&mut self, request: &pb::ReleaseRequest) -> pb::ReleaseResponse {
        for &handle in &request.tables {
            let kept = self.tables.get_mut(handle as usize - 1).and_then(Option::take);
            kept.expect("the host releases a table once");
            self.free.push(handle);
        }
        pb::ReleaseResponse {}
    }

    fn snapshot(&self, request: &pb::SnapshotRequest) -> pb::SnapshotResponse {
        pb::SnapshotResponse { table: self.table(request.table).encode_view() }
    }

    fn act(&mut self, request: &pb::ActRequest, chance: &mut dyn Chance) -> pb::ActResponse {
        let action = G::parse(&request.action).expect("the host sends actions that it had parsed");
        let table = self.table(request.table);
        let played = table::play::<G>(table, seat(request.seat), &action, chance);
        pb::ActResponse { outcome: Some(self.outcome(played)) }
    }

    fn resign(
        &mut self,
        request: &pb::ResignRequest,
        chance: &mut dyn Chance,
    ) -> pb::ResignResponse {
        let table = self.table(request.table);
        let resigned = table::resign::<G>(table, seat(request.seat), chance);
        pb::ResignResponse { outcome: Some(self.outcome(resigned)) }
    }

    fn time_out(
        &mut self,
        request: &pb::TimeOutRequest,
        chance: &mut dyn Chance,
    ) -> pb::TimeOutResponse {
        let table = self.table(request.table);
        let answered = table::time_out::<G>(table, seat(request.seat), request.resigns, chance);
        pb::TimeOutResponse { outcome: Some(self.outcome(answered)) }
    }

    fn stand(&mut self, request: pb::StandRequest, chance: &mut dyn Chance) -> pb::StandResponse {
        let mut decisions = G::layout().decisions().iter();
        let decision = decisions.find(|it| u32::from(it.id.number()) == request.decision);
        let decision = decision.expect("the host names decisions of the layout").id;
        let action = Common::Stand { decision, on: request.on };
        let table = self.table(request.table);
        let stood = action.play::<G>(table, seat(request.seat), request.action, chance);
        pb::StandResponse { outcome: Some(self.outcome(stood)) }
    }

    fn outcome(&mut self, played: Result<(Table, Entry), Refused<G::Refusal>>) -> pb::Outcome {
        match played {
            Ok(advanced) => self.advanced(advanced),
            Err(refused) => pb::Outcome {
                kind: Some(pb::outcome::Kind::Refusal(pb::Refusal {
                    reason: refused.reason().to_owned(),
                    message: refused.to_string(),
                    facts: refused
                        .facts()
                        .into_iter()
                        .map(|(name, value)| pb::Fact { name: name.to_owned(), value })
                        .collect(),
                })),
            },
        }
    }

    fn advanced(&mut self, (table, entry): (Table, Entry)) -> pb::Outcome {
        let (entry, table) = (entry.encode(), self.keep(table));
        pb::Outcome { kind: Some(pb::outcome::Kind::Advance(pb::Advance { table, entry })) }
    }

    fn keep(&mut self, table: Table) -> u32 {
        if let Some(handle) = self.free.pop() {
            self.tables[handle as usize - 1] = Some(table);
            return handle;
        }
        self.tables.push(Some(table));
        self.tables.len() as u32
    }

    fn table(&self, handle: u32) -> &Table {
        let kept = self.tables.get((handle as usize).wrapping_sub(1)).and_then(Option::as_ref);
        kept.expect("the host names tables that it has not released")
    }
}

// === Without a table, or with what a viewer sees of one ===

fn number_of_seats(seats: u32) -> u8 {
    u8::try_from(seats).expect("the host names numbers of seats of the description")
}

fn view<G: Rules>(view: Option<&pb::View>) -> Table {
    let view = view.expect("the host sends a table");
    let table = Table::decode_view(&view.table, G::layout(), number_of_seats(view.seats));
    table.expect("the host sends tables of the layout")
}

fn check_options<G: Rules>(request: pb::CheckOptionsRequest) -> pb::CheckOptionsResponse {
    let checked = Options::of::<G>(&request.options, number_of_seats(request.seats));
    let misfit = match checked {
        Ok(_) => String::new(),
        Err(BadOption::NotWithSeats { name, .. } | BadOption::NotAllowed { name, .. }) => {
            name.to_owned()
        }
        Err(BadOption::Unknown { name, .. }) => name,
        Err(BadOption::Seats { .. }) => {
            panic!("the host names numbers of seats of the description")
        }
    };
    pb::CheckOptionsResponse { misfit }
}

fn parse<G: Rules>(request: &pb::ParseRequest) -> pb::ParseResponse {
    match G::parse(&request.action) {
        Ok(action) => pb::ParseResponse {
            verb: G::verb(&action).to_owned(),
            canonical: G::print(&action),
            malformed: String::new(),
        },
        Err(malformed) => pb::ParseResponse {
            verb: String::new(),
            canonical: Bytes::new(),
            malformed: malformed.0,
        },
    }
}

fn list<G: Rules>(request: pb::ListRequest) -> pb::ListResponse {
    let table = view::<G>(request.view.as_ref());
    let pieces = request.pieces.iter().filter_map(|&it| Piece::nth(it as usize));
    let verb = Some(request.verb).filter(|it| !it.is_empty());
    let filter = ActionFilter { verb, pieces: pieces.collect() };
    let listed = G::list(&table, seat(request.seat), &filter);
    let legal = listed.iter().map(|it| pb::LegalAction {
        verb: G::verb(&it.action).to_owned(),
        action: G::print(&it.action),
        is_example: it.is_example,
    });
    pb::ListResponse { actions: legal.collect() }
}

fn answer_for_house<G: Rules>(
    request: &pb::AnswerForHouseRequest,
    chance: &mut dyn Chance,
) -> pb::AnswerForHouseResponse {
    let table = view::<G>(request.view.as_ref());
    let action = house_answer::<G>(&table, seat(request.seat), chance);
    pb::AnswerForHouseResponse { action: action.map(|it| G::print(&it)) }
}

fn name_next_beginner<G: Rules>(
    request: &pb::NameNextBeginnerRequest,
) -> pb::NameNextBeginnerResponse {
    let first = G::begins_next(&view::<G>(request.view.as_ref()));
    pb::NameNextBeginnerResponse { seat: first.map(|it| u8::from(it).into()) }
}

fn choose<G: Rules>(
    request: &pb::ChooseRequest,
    more: &mut dyn FnMut() -> bool,
    chance: &mut dyn Chance,
) -> pb::ChooseResponse {
    let mind = Mind::of::<G>().iter().find(|it| it.name() == request.level);
    let mind = mind.expect("the host names levels of the description");
    let observation = request.observation.as_ref().expect("the host sends an observation");
    let observation = Observation::described(observation, G::layout());
    let observation = observation.expect("the host sends observations of the layout");
    let mut iterations = Iterations(request.iterations);
    let budget = &mut || iterations.allows_another() && more();
    if !(request.advises && mind.searches()) {
        let action = mind.choose::<G>(&observation, budget, chance);
        let action = action.map(|it| G::print(&it));
        return pb::ChooseResponse { action, opinions: Vec::new() };
    }
    let opinions = minds::opinions::<G>(&observation, budget, chance);
    let opinion = |Opinion { action, estimate }: Opinion<G::Action>| pb::Opinion {
        verb: action.as_ref().map(|it| G::verb(it).to_owned()).unwrap_or_default(),
        action: action.map(|it| G::print(&it)),
        estimate,
    };
    let opinions: Vec<pb::Opinion> = opinions.into_iter().map(opinion).collect();
    pb::ChooseResponse { action: opinions.first().and_then(|it| it.action.clone()), opinions }
}
