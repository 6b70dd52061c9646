//! The functions that the file of WebAssembly exports. Addresses and lengths are of its memory.

/// Exports the functions of a session. Compiles to nothing elsewhere than in WebAssembly.
#[macro_export]
macro_rules! export {
    () => {
        #[cfg(target_arch = "wasm32")]
        #[allow(unsafe_code, reason = "a file of WebAssembly exports its functions by name")]
        const _: () = {
            thread_local! {
                static SESSION: $crate::Session = $crate::Session::default();
            }

            #[unsafe(no_mangle)]
            extern "C" fn croupier_allocate(length: usize) -> usize {
                SESSION.with(|session| session.allocate(length))
            }

            #[unsafe(no_mangle)]
            extern "C" fn croupier_free(address: usize) {
                SESSION.with(|session| session.free(address))
            }

            #[unsafe(no_mangle)]
            extern "C" fn croupier_begin(address: usize, length: usize) -> usize {
                SESSION.with(|session| session.begin(address, length))
            }

            #[unsafe(no_mangle)]
            extern "C" fn croupier_take(address: usize, length: usize) -> u64 {
                SESSION.with(|session| session.take(address, length))
            }

            #[unsafe(no_mangle)]
            extern "C" fn croupier_finish() -> usize {
                SESSION.with(|session| session.finish())
            }

            #[unsafe(no_mangle)]
            extern "C" fn croupier_compare(address: usize, length: usize) -> isize {
                SESSION.with(|session| session.compare(address, length))
            }

            #[unsafe(no_mangle)]
            extern "C" fn croupier_look(address: usize, length: usize) -> isize {
                SESSION.with(|session| session.look(address, length))
            }

            #[unsafe(no_mangle)]
            extern "C" fn croupier_ask(address: usize, length: usize) -> isize {
                SESSION.with(|session| session.ask(address, length))
            }

            #[unsafe(no_mangle)]
            extern "C" fn croupier_answer() -> usize {
                SESSION.with(|session| session.answer())
            }
        };
    };
}
