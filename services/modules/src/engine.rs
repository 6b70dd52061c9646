//! The settings of the engine. The compiler includes this file: compiled code loads only into an
//! engine with the same ones.

use wasmtime::{Config, WasmFeatures};

/// The name of these settings. Compiled code is kept under it, the hash of its module, and the
/// version of wasmtime; raise it with any change to [`config`].
pub const ENGINE: &str = "wasmtime-48-1";

/// The stack of a call in bytes.
const STACK_BYTES: usize = 512 << 10;

/// Deterministic: no threads, no vectors whose results differ between processors, and fuel instead
/// of a clock.
pub fn config() -> Config {
    let mut config = Config::new();
    let features = WasmFeatures::SIMD
        | WasmFeatures::RELAXED_SIMD
        | WasmFeatures::THREADS
        | WasmFeatures::TAIL_CALL
        | WasmFeatures::MULTI_MEMORY
        | WasmFeatures::MEMORY64
        | WasmFeatures::EXTENDED_CONST;
    config.wasm_features(features, false).consume_fuel(true).max_wasm_stack(STACK_BYTES);
    config
}
