//! The cost of the meter per call: `cargo bench -p transcoder`. It is the difference between the
//! two benchmarks, and must stay below a microsecond.

use std::convert::Infallible;

use divan::Bencher;
use futures::FutureExt;
use futures::future::BoxFuture;
use http::{Request, Response};
use metrics_exporter_prometheus::PrometheusBuilder;
use prost_reflect::DescriptorPool;
use tonic::body::Body;
use tower::Service;
use tower_layer::Layer;
use transcoder::meter;

const PATH: &str = "/grpc.health.v1.Health/Check";

const NAMES: meter::Names = meter::Names {
    requests: "toy_requests_total",
    request_duration: "toy_request_duration_seconds",
    streams_open: "toy_streams_open",
};

fn main() {
    let recorder = PrometheusBuilder::new()
        .set_buckets(&[0.001, 0.01, 0.1])
        .expect("the list is not empty")
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).expect("it is the only recorder");
    // Like a serving process, so that samples do not accumulate.
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
            handle.run_upkeep();
        }
    });
    divan::main();
}

fn answer(_: Request<Body>) -> BoxFuture<'static, Result<Response<Body>, Infallible>> {
    Box::pin(std::future::ready(Ok(Response::new(Body::empty()))))
}

fn calls<S>(bencher: Bencher, mut service: S)
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    let request = || Request::get(PATH).body(Body::empty()).expect("a request");
    bencher.with_inputs(request).bench_local_values(|request| {
        service.call(request).now_or_never().expect("the service answers at once")
    });
}

#[divan::bench(sample_size = 1000)]
fn bare(bencher: Bencher) {
    calls(bencher, tower::service_fn(answer));
}

#[divan::bench(sample_size = 1000)]
fn metered(bencher: Bencher) {
    let pool = DescriptorPool::decode(tonic_health::pb::FILE_DESCRIPTOR_SET);
    let layer = meter::layer(&pool.expect("tonic-health carries a valid descriptor set"), NAMES);
    calls(bencher, layer.layer(tower::service_fn(answer)));
}
