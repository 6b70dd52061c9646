//! A running module: its memory, and calls to it.

use std::collections::HashSet;

use prost::Message;
use table::{
    CHOICES_MAX, Chance, Choice,
    contract::{
        ANSWER_BYTES_MAX, ChooseRequest, ChooseResponse, DESCRIPTION_BYTES_MAX, LOG_BYTES_MAX,
        LOGS_MAX, Method, REQUEST_BYTES_MAX, ReleaseRequest, ReleaseResponse,
    },
};
use wasmtime::{
    AsContext, Caller, Extern, InstancePre, Linker, Memory, ResourceLimiter, Store, Trap, TypedFunc,
};

use crate::{
    faults::{Fault, LoadError},
    limits::Limits,
    trusted::{Lent, lend, with_lent},
};

/// The module of all imports.
const IMPORTS: &str = "croupier";

/// Bytes of the buffer for requests at first; most fit.
const REQUEST_BYTES: usize = 8 << 10;

/// What a call leaves with the host.
pub(crate) struct Host {
    limits: Limits,
    /// Whether memory was refused.
    lacks_memory: bool,
    fault: Option<Fault>,
    choices: Vec<Choice>,
    /// Whether choices are recorded, so that an entry may have only so many.
    records: bool,
    /// Since a search asked whether it may go on: the steps that were left.
    left: Option<u64>,
    /// The most steps of an iteration of the search.
    dearest: u64,
    logs: Vec<String>,
}

impl ResourceLimiter for Host {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let fits = desired <= self.limits.memory_bytes;
        self.lacks_memory |= !fits;
        Ok(fits)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let fits = desired <= self.limits.table_elements;
        self.lacks_memory |= !fits;
        Ok(fits)
    }

    fn memories(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        1
    }

    fn instances(&self) -> usize {
        1
    }
}

/// Links a module with the imports that there are.
pub(crate) fn link(module: &wasmtime::Module) -> wasmtime::Result<InstancePre<Host>> {
    let mut linker = Linker::<Host>::new(module.engine());
    linker.func_wrap(IMPORTS, "below", below)?;
    linker.func_wrap(IMPORTS, "more", more)?;
    linker.func_wrap(IMPORTS, "log", log)?;
    linker.instantiate_pre(module)
}

fn below(mut caller: Caller<'_, Host>, limit: u32) -> wasmtime::Result<u32> {
    let host = caller.data_mut();
    if limit == 0 || host.choices.len() == CHOICES_MAX {
        return fail(host, Fault::BadChoice);
    }
    let value = with_lent(|it| it.below(limit as usize));
    let Some(value) = value else { return fail(host, Fault::NoChance) };
    let value = value as u32;
    if host.records {
        host.choices.push(Choice { bound: limit, value });
    } else {
        charge(&mut caller)?;
    }
    Ok(value)
}

/// Whether a search may make another iteration: if there is budget for it, and if the steps suffice
/// for one that takes twice as many as any before.
fn more(mut caller: Caller<'_, Host>) -> wasmtime::Result<u32> {
    charge(&mut caller)?;
    let left = caller.get_fuel()?;
    let host = caller.data_mut();
    let taken = host.left.replace(left).map_or(0, |before| before.saturating_sub(left));
    host.dearest = host.dearest.max(taken);
    let suffices = left / 2 >= host.dearest;
    match with_lent(|it| it.more()).flatten() {
        Some(more) => Ok(u32::from(more && suffices)),
        None => fail(host, Fault::NoBudget),
    }
}

fn fail(host: &mut Host, fault: Fault) -> wasmtime::Result<u32> {
    host.fault = Some(fault);
    Err(wasmtime::Error::msg("the host has no answer"))
}

/// The steps of a call of the host that may be made any number of times.
const STEPS_OF_HOST: u64 = 50;

fn charge(caller: &mut Caller<'_, Host>) -> wasmtime::Result<()> {
    match caller.get_fuel()?.checked_sub(STEPS_OF_HOST) {
        Some(left) => caller.set_fuel(left),
        None => Err(Trap::OutOfFuel.into()),
    }
}

fn log(mut caller: Caller<'_, Host>, address: u32, length: u32) {
    if caller.data().logs.len() >= LOGS_MAX as usize {
        return;
    }
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else { return };
    let length = (length as usize).min(LOG_BYTES_MAX);
    let message = memory.data(&caller).get(address as usize..).and_then(|it| it.get(..length));
    let message = message.map(|it| String::from_utf8_lossy(it).into_owned());
    caller.data_mut().logs.extend(message);
}

pub(crate) struct Instance {
    /// Never the same for two instances of a module.
    pub(crate) generation: u64,
    store: Store<Host>,
    memory: Memory,
    allocate: TypedFunc<u32, u32>,
    free: TypedFunc<u32, ()>,
    call: TypedFunc<(u32, u32, u32), u64>,
    /// In the guest: the buffer for requests.
    address: u32,
    bytes: usize,
    request: Vec<u8>,
    /// The handles of the tables in it.
    tables: HashSet<u32>,
    pub(crate) entries: u64,
    /// The most steps that a call has taken, since whoever uses the instance has set it to 0.
    pub(crate) steps_max: u64,
}

impl Instance {
    pub(crate) fn start(
        pre: &InstancePre<Host>,
        limits: Limits,
        generation: u64,
    ) -> Result<Instance, LoadError> {
        let host = Host {
            limits,
            lacks_memory: false,
            fault: None,
            choices: Vec::new(),
            records: true,
            left: None,
            dearest: 0,
            logs: Vec::new(),
        };
        let mut store = Store::new(pre.module().engine(), host);
        store.limiter(|host| host);
        store.set_fuel(limits.fuel).expect("the engine counts fuel");
        let started = pre.instantiate(&mut store);
        let instance = started.map_err(|error| LoadError::Start(fault_of(&mut store, &error)))?;
        let memory = instance.get_memory(&mut store, "memory");
        let allocate = instance.get_typed_func(&mut store, "croupier_allocate").ok();
        let free = instance.get_typed_func(&mut store, "croupier_free").ok();
        let call = instance.get_typed_func(&mut store, "croupier_call").ok();
        let mut instance = Instance {
            generation,
            store,
            memory: memory.ok_or(LoadError::Exports("memory"))?,
            allocate: allocate.ok_or(LoadError::Exports("croupier_allocate"))?,
            free: free.ok_or(LoadError::Exports("croupier_free"))?,
            call: call.ok_or(LoadError::Exports("croupier_call"))?,
            address: 0,
            bytes: 0,
            request: Vec::new(),
            tables: HashSet::new(),
            entries: 0,
            steps_max: 0,
        };
        instance.make_room(REQUEST_BYTES).map_err(LoadError::Start)?;
        Ok(instance)
    }

    /// The answer to a request. The choices that were made are left in [`choices`]. After a fault
    /// the instance is unusable.
    ///
    /// [`choices`]: Instance::choices
    pub(crate) fn call<A: Message + Default>(
        &mut self,
        method: Method,
        request: &impl Message,
        chance: Option<&mut dyn Chance>,
    ) -> Result<A, Fault> {
        self.store.data_mut().records = true;
        match chance {
            Some(chance) => self.call_lent(method, request, Some(&mut Drawing(chance))),
            None => self.call_lent(method, request, None),
        }
    }

    /// The choice of a bot. What it draws is not recorded, and `more` says whether its search may
    /// go on.
    pub(crate) fn choose(
        &mut self,
        request: &ChooseRequest,
        chance: &mut dyn Chance,
        more: &mut dyn FnMut() -> bool,
        fuel: u64,
    ) -> Result<ChooseResponse, Fault> {
        let host = self.store.data_mut();
        (host.records, host.left, host.dearest) = (false, None, 0);
        let lent = Some(&mut Searching { chance, more } as &mut dyn Lent);
        self.call_with(Method::Choose, request, lent, fuel)
    }

    fn call_lent<A: Message + Default>(
        &mut self,
        method: Method,
        request: &impl Message,
        lent: Option<&mut dyn Lent>,
    ) -> Result<A, Fault> {
        self.call_with(method, request, lent, self.store.data().limits.fuel)
    }

    fn call_with<A: Message + Default>(
        &mut self,
        method: Method,
        request: &impl Message,
        lent: Option<&mut dyn Lent>,
        fuel: u64,
    ) -> Result<A, Fault> {
        let length = request.encoded_len();
        if length > REQUEST_BYTES_MAX {
            return Err(Fault::TooMuchMemory);
        }
        if length > self.bytes {
            self.make_room(length.next_power_of_two())?;
        }
        self.request.clear();
        request.encode(&mut self.request).expect("a vector grows");
        let memory = self.memory.data_mut(&mut self.store);
        let buffer = memory.get_mut(self.address as usize..).and_then(|it| it.get_mut(..length));
        buffer.ok_or(Fault::AnswerOutside)?.copy_from_slice(&self.request);

        let host = self.store.data_mut();
        host.choices.clear();
        host.logs.clear();
        self.store.set_fuel(fuel).expect("the engine counts fuel");
        let arguments = (method as u32, self.address, length as u32);
        let (call, store) = (&self.call, &mut self.store);
        let answered = match lent {
            Some(lent) => lend(lent, || call.call(&mut *store, arguments)),
            None => call.call(&mut *store, arguments),
        };
        let answer = answered.map_err(|error| fault_of(&mut self.store, &error))?;
        let left = self.store.get_fuel().expect("the engine counts fuel");
        self.steps_max = self.steps_max.max(fuel.saturating_sub(left));
        let (address, length) = ((answer >> 32) as usize, answer as u32 as usize);
        let is_description = method == Method::Describe;
        if length > if is_description { DESCRIPTION_BYTES_MAX } else { ANSWER_BYTES_MAX } {
            return Err(Fault::AnswerTooLarge);
        }
        let memory = self.memory.data(self.store.as_context());
        let answer = memory.get(address..).and_then(|it| it.get(..length));
        A::decode(answer.ok_or(Fault::AnswerOutside)?).map_err(|_| Fault::NoMessage)
    }

    /// The random choices of the last call.
    pub(crate) fn choices(&self) -> &[Choice] {
        &self.store.data().choices
    }

    /// The tables in it.
    pub(crate) fn tables(&self) -> usize {
        self.tables.len()
    }

    /// Notes a table that a call left. A handle that is in use would let one match change the table
    /// of another.
    pub(crate) fn keep(&mut self, table: u32) -> Result<(), Fault> {
        if table > 0 && self.tables.insert(table) { Ok(()) } else { Err(Fault::TableNotNew) }
    }

    /// Forgets tables, here and in the guest.
    pub(crate) fn release(&mut self, tables: Vec<u32>) -> Result<(), Fault> {
        for table in &tables {
            self.tables.remove(table);
        }
        let request = ReleaseRequest { tables };
        self.call::<ReleaseResponse>(Method::Release, &request, None).map(drop)
    }

    /// The linear memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.memory.data_size(self.store.as_context())
    }

    fn refuel(&mut self) {
        let fuel = self.store.data().limits.fuel;
        self.store.set_fuel(fuel).expect("the engine counts fuel");
    }

    fn make_room(&mut self, bytes: usize) -> Result<(), Fault> {
        self.refuel();
        if self.bytes > 0 {
            let freed = self.free.call(&mut self.store, self.address);
            freed.map_err(|error| fault_of(&mut self.store, &error))?;
        }
        let allocated = self.allocate.call(&mut self.store, bytes as u32);
        self.address = allocated.map_err(|error| fault_of(&mut self.store, &error))?;
        self.bytes = bytes;
        Ok(())
    }
}

/// What a call is lent that draws chance.
struct Drawing<'a>(&'a mut dyn Chance);

impl Lent for Drawing<'_> {
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    fn more(&mut self) -> Option<bool> {
        None
    }
}

/// What a call is lent that chooses for a bot.
struct Searching<'a> {
    chance: &'a mut dyn Chance,
    more: &'a mut dyn FnMut() -> bool,
}

impl Lent for Searching<'_> {
    fn below(&mut self, limit: usize) -> usize {
        self.chance.below(limit)
    }

    fn more(&mut self) -> Option<bool> {
        Some((self.more)())
    }
}

/// Why a call failed, with what the guest logged last.
fn fault_of(store: &mut Store<Host>, error: &wasmtime::Error) -> Fault {
    let host = store.data_mut();
    if let Some(fault) = host.fault.take() {
        return fault;
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => Fault::TooLong,
        Some(Trap::StackOverflow) => Fault::StackOverflow,
        _ if host.lacks_memory => Fault::TooMuchMemory,
        trap => {
            let trap = trap.map_or_else(|| error.to_string(), Trap::to_string);
            Fault::Trapped(host.logs.pop().unwrap_or(trap))
        }
    }
}
