//! The functions that a module exports and imports, as `docs/modules.md` specifies them.

use std::{cell::RefCell, collections::BTreeMap, sync::Once};

use table::{Chance, Rules};

use crate::{About, Guest};

/// A guest behind the exported functions: the buffers in which requests arrive, and the last
/// answer.
pub struct Module<G> {
    guest: RefCell<Guest<G>>,
    /// By address.
    buffers: RefCell<BTreeMap<u32, Vec<u8>>>,
    answer: RefCell<Vec<u8>>,
}

impl<G: Rules> Module<G> {
    pub fn new(about: About) -> Self {
        Module {
            guest: RefCell::new(Guest::new(about)),
            buffers: RefCell::default(),
            answer: RefCell::default(),
        }
    }

    pub fn allocate(&self, length: u32) -> u32 {
        let mut buffer = vec![0; length as usize];
        let address = buffer.as_mut_ptr() as usize as u32;
        self.buffers.borrow_mut().insert(address, buffer);
        address
    }

    pub fn free(&self, address: u32) {
        let freed = self.buffers.borrow_mut().remove(&address);
        freed.expect("the host frees a buffer once");
    }

    /// The address of the answer in the upper half, its length in the lower one.
    pub fn call(&self, method: u32, address: u32, length: u32) -> u64 {
        tell_panics();
        let buffers = self.buffers.borrow();
        let buffer = buffers.get(&address).expect("a request is in a buffer");
        let mut answer = self.answer.borrow_mut();
        answer.clear();
        let request = &buffer[..length as usize];
        let more = &mut imports::more;
        self.guest.borrow_mut().answer(method, request, &mut HostChance, more, &mut answer);
        (answer.as_ptr() as usize as u64) << 32 | answer.len() as u64
    }
}

/// The chance of the host.
struct HostChance;

impl Chance for HostChance {
    fn below(&mut self, limit: usize) -> usize {
        imports::below(limit as u32) as usize
    }
}

/// Logs what a panic says, before it ends the module.
fn tell_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| imports::log(&panic.to_string())));
    });
}

#[cfg(target_arch = "wasm32")]
mod imports {
    #![expect(unsafe_code, reason = "imports of the host are declared as foreign functions")]

    #[link(wasm_import_module = "croupier")]
    unsafe extern "C" {
        #[link_name = "below"]
        safe fn croupier_below(limit: u32) -> u32;
        #[link_name = "more"]
        safe fn croupier_more() -> u32;
        #[link_name = "log"]
        safe fn croupier_log(address: u32, length: u32);
    }

    pub(super) fn below(limit: u32) -> u32 {
        croupier_below(limit)
    }

    pub(super) fn more() -> bool {
        croupier_more() != 0
    }

    pub(super) fn log(message: &str) {
        croupier_log(message.as_ptr() as usize as u32, message.len() as u32);
    }
}

/// Elsewhere nothing calls a module.
#[cfg(not(target_arch = "wasm32"))]
mod imports {
    pub(super) fn below(_limit: u32) -> u32 {
        unreachable!("only a module has this chance")
    }

    pub(super) fn more() -> bool {
        unreachable!("only a module has this budget")
    }

    pub(super) fn log(message: &str) {
        eprintln!("{message}");
    }
}

/// Exports rules as a module: `croupier_game::module!(MyRules, About { … })`. Compiles to nothing
/// elsewhere than in WebAssembly.
#[macro_export]
macro_rules! module {
    ($Rules:ty, $about:expr) => {
        #[cfg(target_arch = "wasm32")]
        #[allow(unsafe_code, reason = "a module exports its functions by name")]
        const _: () = {
            thread_local! {
                static MODULE: $crate::exports::Module<$Rules> =
                    $crate::exports::Module::new($about);
            }

            #[unsafe(no_mangle)]
            extern "C" fn croupier_allocate(length: u32) -> u32 {
                MODULE.with(|module| module.allocate(length))
            }

            #[unsafe(no_mangle)]
            extern "C" fn croupier_free(address: u32) {
                MODULE.with(|module| module.free(address))
            }

            #[unsafe(no_mangle)]
            extern "C" fn croupier_call(method: u32, address: u32, length: u32) -> u64 {
                MODULE.with(|module| module.call(method, address, length))
            }
        };
    };
}
