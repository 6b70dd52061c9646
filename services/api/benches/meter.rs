//! What counting costs each call: `cargo bench -p api`. The difference between the two is the
//! meter's; it is to stay below a microsecond.

use std::convert::Infallible;

use divan::Bencher;
use futures::FutureExt;
use futures::future::BoxFuture;
use http::{Request, Response};
use metrics_exporter_prometheus::PrometheusBuilder;
use tonic::body::Body;
use tower::Service;
use tower_layer::Layer;

const PATH: &str = "/croupier.v1.MatchService/SubmitAction";

fn main() {
    let recorder = PrometheusBuilder::new()
        .set_buckets(&[0.001, 0.01, 0.1])
        .expect("there are buckets")
        .build_recorder();
    let told = recorder.handle();
    metrics::set_global_recorder(recorder).expect("there is no other");
    // As a process that serves does, so that samples do not pile up.
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
            told.run_upkeep();
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
    bencher
        .with_inputs(request)
        .bench_local_values(|request| service.call(request).now_or_never().expect("it is ready"));
}

#[divan::bench(sample_size = 1000)]
fn bare(bencher: Bencher) {
    calls(bencher, tower::service_fn(answer));
}

#[divan::bench(sample_size = 1000)]
fn metered(bencher: Bencher) {
    calls(bencher, api::meter::layer(api::descriptors()).layer(tower::service_fn(answer)));
}
