//! All that is unsafe in this crate.

#![expect(unsafe_code, reason = "loads machine code, and lends a borrowed chance to a call")]

use std::{cell::Cell, ptr::NonNull};

use table::Chance;

/// Machine code of our own compiler. It is run without further checks, so it must come from
/// [`compiling`](crate::compiling), or from where its output was kept and nobody else writes.
pub struct Compiled(Vec<u8>);

impl Compiled {
    /// Trusts bytes to be an output of the compiler, unaltered.
    pub fn trust(bytes: Vec<u8>) -> Compiled {
        Compiled(bytes)
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Fails if the code was compiled with other settings.
    pub(crate) fn load(&self, engine: &wasmtime::Engine) -> wasmtime::Result<wasmtime::Module> {
        // SAFETY: the bytes are an output of the compiler, as `Compiled` promises.
        unsafe { wasmtime::Module::deserialize(engine, &self.0) }
    }
}

thread_local! {
    static LENT: Cell<Option<NonNull<dyn Chance>>> = const { Cell::new(None) };
}

/// Runs a call that may [`draw`] from `chance` on this thread.
pub(crate) fn lend<T>(chance: &mut dyn Chance, call: impl FnOnce() -> T) -> T {
    struct Return(Option<NonNull<dyn Chance>>);
    impl Drop for Return {
        fn drop(&mut self) {
            LENT.set(self.0);
        }
    }
    let lent: NonNull<dyn Chance + '_> = NonNull::from(chance);
    // SAFETY: only the lifetime changes. `Return` takes the pointer back before `chance`, which is
    // borrowed until then, can be used by anybody else.
    let lent: NonNull<dyn Chance> = unsafe { std::mem::transmute(lent) };
    let _return = Return(LENT.replace(Some(lent)));
    call()
}

/// A number below `limit` from the chance that was lent to this thread, if any.
pub(crate) fn draw(limit: usize) -> Option<usize> {
    // Taken out, so that nobody else has it meanwhile.
    let mut lent = LENT.take()?;
    // SAFETY: `lend` holds the exclusive borrow on this thread, and this is its only use.
    let value = unsafe { lent.as_mut() }.below(limit);
    LENT.set(Some(lent));
    Some(value)
}
