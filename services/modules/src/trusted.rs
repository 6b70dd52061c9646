//! All that is unsafe in this crate.

#![expect(unsafe_code, reason = "loads machine code, and lends what is borrowed to a call")]

use std::{cell::Cell, ptr::NonNull};

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

/// What a call may use while it runs.
pub(crate) trait Lent {
    /// A number below `limit`, which is at least 1.
    fn below(&mut self, limit: usize) -> usize;

    /// Whether a search may make another iteration; `None` if nothing searches.
    fn more(&mut self) -> Option<bool>;
}

thread_local! {
    static LENT: Cell<Option<NonNull<dyn Lent>>> = const { Cell::new(None) };
}

/// Runs a call that may use what is lent to it, by [`with_lent`] on this thread.
pub(crate) fn lend<T>(lent: &mut dyn Lent, call: impl FnOnce() -> T) -> T {
    struct Return(Option<NonNull<dyn Lent>>);
    impl Drop for Return {
        fn drop(&mut self) {
            LENT.set(self.0);
        }
    }
    let lent: NonNull<dyn Lent + '_> = NonNull::from(lent);
    // SAFETY: only the lifetime changes. `Return` takes the pointer back before what it points to,
    // which is borrowed until then, can be used by anybody else.
    let lent: NonNull<dyn Lent> = unsafe { std::mem::transmute(lent) };
    let _return = Return(LENT.replace(Some(lent)));
    call()
}

/// Uses what was lent to this thread, if anything was.
pub(crate) fn with_lent<T>(using: impl FnOnce(&mut dyn Lent) -> T) -> Option<T> {
    // Taken out, so that nobody else has it meanwhile.
    let mut lent = LENT.take()?;
    // SAFETY: `lend` holds the exclusive borrow on this thread, and this is its only use.
    let made = using(unsafe { lent.as_mut() });
    LENT.set(Some(lent));
    Some(made)
}
