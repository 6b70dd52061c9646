//! The settings of the engine. The compiler includes this file: compiled code loads only into an
//! engine with the same ones.

use wasmtime::Config;

/// The name of these settings. Compiled code is kept under it, the hash of its module, and the
/// version of wasmtime; raise it with any change to [`config`].
pub const ENGINE: &str = "wasmtime-36-2";

/// The stack of a call in bytes.
const STACK_BYTES: usize = 512 << 10;

/// Deterministic: no threads, no vectors whose results differ between processors, and fuel instead
/// of a clock.
pub fn config() -> Config {
    let mut config = Config::new();
    // Threads, exceptions, garbage collection and components are features of wasmtime that neither
    // the host nor the compiler is built with.
    config
        .wasm_simd(false)
        .wasm_relaxed_simd(false)
        .wasm_tail_call(false)
        .wasm_multi_memory(false)
        .wasm_memory64(false)
        .wasm_extended_const(false)
        .consume_fuel(true)
        .max_wasm_stack(STACK_BYTES);
    config
}
