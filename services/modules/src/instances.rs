//! The instances of a module, and the tables in them.
//!
//! An instance runs on one thread at a time, and holds tables of many matches under handles. A
//! table of the host has the handle of the same table attached to it, and lets it go when it is
//! dropped. An instance that failed, or is full, is thrown away: its tables are restored in another
//! one, from those of the host, when they are needed.

use std::{
    any::Any,
    panic::AssertUnwindSafe,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use table::{
    Table, Viewer,
    contract::{self as pb, Method},
};
use wasmtime::InstancePre;

use crate::{
    faults::{Fault, LoadError},
    instance::{Host, Instance},
    limits::Limits,
    suspicion::Suspicion,
};

/// So many tables are released in one call.
const RELEASED: usize = 32;

pub(crate) struct Instances {
    pre: AssertUnwindSafe<InstancePre<Host>>,
    limits: Limits,
    slots: Vec<Slot>,
    /// Where the next table without an instance goes.
    next: AtomicUsize,
    generations: AtomicU64,
    steps_max: AtomicU64,
    suspicion: Arc<Suspicion>,
}

#[derive(Default)]
struct Slot {
    /// `None` before the first call, and after a fault.
    instance: Mutex<Option<Instance>>,
    /// Generation and handle of tables that were dropped.
    dropped: Mutex<Vec<(u64, u32)>>,
}

/// Attached to a table of the host: where the guest has the same table.
struct Held {
    instances: Arc<Instances>,
    at: Mutex<At>,
}

#[derive(Clone, Copy)]
struct At {
    slot: usize,
    generation: u64,
    table: u32,
}

/// Where a call left a new table.
#[derive(Clone, Copy)]
pub(crate) struct Left(At);

impl Instances {
    pub(crate) fn new(pre: InstancePre<Host>, limits: Limits) -> Arc<Instances> {
        Instances::with(pre, limits, Arc::default())
    }

    fn with(pre: InstancePre<Host>, limits: Limits, suspicion: Arc<Suspicion>) -> Arc<Instances> {
        Arc::new(Instances {
            pre: AssertUnwindSafe(pre),
            limits,
            slots: (0..limits.instances.max(1)).map(|_| Slot::default()).collect(),
            next: AtomicUsize::default(),
            generations: AtomicU64::default(),
            steps_max: AtomicU64::default(),
            suspicion,
        })
    }

    /// Other instances of the same module.
    pub(crate) fn afresh(&self, limits: Limits) -> Arc<Instances> {
        Instances::new(self.pre.0.clone(), limits)
    }

    /// Instances beside these in which bots think, so that no match waits for a bot of another one.
    /// A choice may take long without any suspicion. A fault raises it.
    pub(crate) fn thinking(&self) -> Arc<Instances> {
        let limits = Limits { long: u64::MAX, ..self.limits };
        Instances::with(self.pre.0.clone(), limits, self.suspicion.clone())
    }

    /// An instance beside these for tables that are imagined, so that those of matches stay in
    /// theirs. A fault on such a table raises a suspicion of its own.
    pub(crate) fn imagining(&self) -> Arc<Instances> {
        self.afresh(Limits { instances: 1, fuel: self.limits.long, ..self.limits })
    }

    /// The most steps that a call has taken.
    pub(crate) fn steps_max(&self) -> u64 {
        self.steps_max.load(Ordering::Relaxed)
    }

    /// Whether a call failed lately, or took long.
    pub(crate) fn is_suspect(&self) -> bool {
        self.suspicion.is_raised()
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    pub(crate) fn start(&self) -> Result<Instance, LoadError> {
        let generation = self.generations.fetch_add(1, Ordering::Relaxed);
        Instance::start(&self.pre, self.limits, generation)
    }

    /// Makes calls that need no table.
    pub(crate) fn call<T>(
        &self,
        calls: impl FnOnce(&mut Instance) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let (_, mut slot) = self.any();
        self.within(&mut slot, calls)
    }

    /// Makes calls in an instance that knows of no calls before, and is thrown away after them.
    pub(crate) fn call_afresh<T>(
        &self,
        calls: impl FnOnce(&mut Instance) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let (_, mut slot) = self.any();
        *slot = None;
        let made = self.within(&mut slot, calls);
        *slot = None;
        made
    }

    /// Makes calls that leave a new table.
    pub(crate) fn leaving<T>(
        &self,
        calls: impl FnOnce(&mut Instance) -> Result<(T, u32), Fault>,
    ) -> Result<(T, Left), Fault> {
        let (slot, mut locked) = self.any();
        self.renew(slot, &mut locked);
        self.within(&mut locked, |instance| {
            let (made, table) = calls(instance)?;
            instance.keep(table)?;
            Ok((made, Left(At { slot, generation: instance.generation, table })))
        })
    }

    /// Makes calls about a table of the house, which the guest is given first if it does not have
    /// it. They may leave a new table.
    pub(crate) fn on_table<T>(
        self: &Arc<Self>,
        table: &Table,
        calls: impl FnOnce(&mut Instance, u32) -> Result<(T, Option<u32>), Fault>,
    ) -> Result<(T, Option<Left>), Fault> {
        let held = table.attached().and_then(|it| {
            let it: &dyn Any = &**it;
            it.downcast_ref::<Held>()
        });
        let held = held.filter(|it| Arc::ptr_eq(&it.instances, self));
        let at = held.map(|it| *locked(&it.at));
        let (slot, mut guard) = match at {
            Some(at) => (at.slot, locked(&self.slots[at.slot].instance)),
            None => self.any(),
        };
        self.renew(slot, &mut guard);
        self.within(&mut guard, |instance| {
            let generation = instance.generation;
            let known = at.filter(|it| it.generation == generation);
            let handle = match known {
                Some(at) => at.table,
                None => {
                    let handle = restore(instance, table)?;
                    let at = At { slot, generation, table: handle };
                    match held {
                        Some(held) => *locked(&held.at) = at,
                        None => self.attach(table, Left(at)),
                    }
                    handle
                }
            };
            let (made, left) = calls(instance, handle)?;
            if let Some(left) = left {
                instance.keep(left)?;
            }
            Ok((made, left.map(|table| Left(At { slot, generation, table }))))
        })
    }

    /// Notes where the guest has a table of the host.
    pub(crate) fn attach(self: &Arc<Self>, table: &Table, left: Left) {
        let held = Held { instances: self.clone(), at: Mutex::new(left.0) };
        // If another thread attached its own meanwhile, this one is dropped, and the guest's table
        // with it.
        table.attach(Arc::new(held));
    }

    /// The linear memory of all instances.
    pub(crate) fn memory_bytes(&self) -> usize {
        let instances = self.slots.iter().map(|it| locked(&it.instance));
        instances.filter_map(|it| it.as_ref().map(Instance::memory_bytes)).sum()
    }

    /// A free instance, or the next one.
    fn any(&self) -> (usize, MutexGuard<'_, Option<Instance>>) {
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let nth = |n: usize| (first + n) % self.slots.len();
        for slot in (0..self.slots.len()).map(nth) {
            if let Ok(guard) = self.slots[slot].instance.try_lock() {
                return (slot, guard);
            }
        }
        (nth(0), locked(&self.slots[nth(0)].instance))
    }

    /// Throws away an instance that is full, and releases what was dropped in the others.
    fn renew(&self, slot: usize, guard: &mut Option<Instance>) {
        let Some(instance) = guard else { return };
        let mut dropped = locked(&self.slots[slot].dropped);
        if dropped.len() >= RELEASED {
            dropped.retain(|it| it.0 == instance.generation);
            let tables = dropped.drain(..).map(|it| it.1).collect();
            if instance.release(tables).is_err() {
                *guard = None;
                return;
            }
        }
        // So every call has half of the memory at least, whatever else is in the instance.
        let is_full = instance.memory_bytes() > self.limits.memory_bytes / 2;
        if is_full || instance.tables() >= self.limits.tables {
            *guard = None;
        }
    }

    /// Runs calls in an instance, which is thrown away if one fails.
    fn within<T>(
        &self,
        guard: &mut Option<Instance>,
        calls: impl FnOnce(&mut Instance) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let made = self.run(guard, calls);
        let long = |it: &Instance| it.steps_max > self.limits.long;
        if made.is_err() || guard.as_ref().is_some_and(long) {
            self.suspicion.raise();
        }
        made
    }

    fn run<T>(
        &self,
        guard: &mut Option<Instance>,
        calls: impl FnOnce(&mut Instance) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        // Taken out, so that it is gone if a call panics.
        let mut instance = match guard.take() {
            Some(instance) => instance,
            None => self.start().map_err(|error| match error {
                LoadError::Start(fault) => fault,
                other => Fault::Trapped(other.to_string()),
            })?,
        };
        instance.steps_max = 0;
        let made = calls(&mut instance)?;
        self.steps_max.fetch_max(instance.steps_max, Ordering::Relaxed);
        *guard = Some(instance);
        Ok(made)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let At { slot, generation, table } = *locked(&self.at);
        locked(&self.instances.slots[slot].dropped).push((generation, table));
    }
}

fn restore(instance: &mut Instance, table: &Table) -> Result<u32, Fault> {
    debug_assert_eq!(table.viewer(), Viewer::House, "rules decide on the house's table");
    let view = view(table);
    let answer: pb::RestoreResponse =
        instance.call(Method::Restore, &pb::RestoreRequest { view: Some(view) }, None)?;
    instance.keep(answer.table)?;
    Ok(answer.table)
}

/// A table as it travels.
pub(crate) fn view(table: &Table) -> pb::View {
    pb::View { seats: table.seat_count() as u32, table: table.encode_view() }
}

/// A thread that panicked left nothing half done: an instance is taken out while it is used.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
