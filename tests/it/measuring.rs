//! The bench commands on a small scale: they play, count and check.

use std::process::{Output, Stdio};

use serde_json::Value;
use tokio::process::Command;
use tokio::time::timeout;

use crate::harness::*;

/// Runs a bench against the installation's service and returns its JSON output.
async fn bench(installation: &Installation, arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.args([
        "--address",
        &format!("http://127.0.0.1:{}", installation.service.port()),
        "--data",
    ]);
    command.arg(&installation.service.folder).arg("bench").args(arguments);
    command.args(["--database-url", &installation.postgres().url()]).stdin(Stdio::null());
    let output = timeout(4 * PATIENCE, command.output()).await.expect("it ends in time");
    let Output { status, stdout, stderr } = output.expect("the program runs");
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).expect("an object of JSON")
}

fn count(of: &Value) -> u64 {
    of.as_u64().expect("a count")
}

#[tokio::test]
async fn metrics_count_the_recorded_actions() {
    let installation = Installation::open().await;
    for how in [&[][..], &["--stream", "8"], &["--rate", "200"]] {
        let few = ["actions", "--json", "--matches", "20", "--clients", "4", "--seconds", "1"];
        let measured = bench(&installation, &[&few[..], how].concat()).await;
        let (acknowledged, record) = (count(&measured["acknowledged"]), &measured["record"]);
        assert!(acknowledged > 0, "{measured}");
        assert_eq!(count(&record["acknowledged"]), acknowledged);
        for wrong in ["missing", "doubled", "gaps", "unexplained", "misplaced"] {
            assert_eq!(count(&record[wrong]), 0, "{measured}");
        }
        assert_eq!(measured["refusals"], serde_json::json!({}), "every action is legal");
        assert!(measured["cpu_us_per_action"]["service"].as_f64().expect("it runs here") > 0.0);
        assert!(count(&measured["batches"]["count"]) > 0);
        // One of a second, and more where the last actions take long.
        let part = &measured["parts"][0];
        assert!(count(&part["service_memory_mb"]) > 0);
        assert!(part["batch_entries"].as_f64().expect("entries were written") >= 1.0);
        assert_eq!(part["projections_behind"].as_object().expect("lags").len(), 3);
        assert!(count(&measured["raw_append"]["per_second"]) > 0);
    }
}

#[tokio::test]
async fn watchers_receive_every_entry() {
    let installation = Installation::open().await;
    let few = ["watchers", "--watchers", "20", "--idle", "40", "--rate", "50", "--seconds", "1"];
    let measured = bench(&installation, &few).await;
    assert!(count(&measured["entries"]) > 0, "{measured}");
    assert!(measured["delivery_ms"]["p99"].as_f64().expect("milliseconds") > 0.0);
}

#[tokio::test]
async fn reads_show_the_current_tables() {
    let installation = Installation::open().await;
    let few = ["reads", "--matches", "10", "--clients", "4", "--seconds", "4"];
    let measured = bench(&installation, &few).await;
    assert!(count(&measured["reads"]) > 0, "{measured}");
    assert!(measured["latency_ms"]["p99"].as_f64().expect("milliseconds") > 0.0);
    assert!(measured["cpu_us_per_read"]["service"].as_f64().expect("it runs here") > 0.0);
    let parts = measured["parts"].as_array().expect("parts");
    assert!(parts.len() >= 2, "of two seconds each: {measured}");
    let (mut sum, mut from_s) = (0.0, 0.0);
    for part in parts {
        let until_s = part["until_s"].as_f64().expect("seconds");
        sum += count(&part["per_second"]) as f64 * (until_s - from_s);
        from_s = until_s;
    }
    let reads = count(&measured["reads"]) as f64;
    assert!((sum - reads).abs() <= 10.0 + reads / 10.0, "{measured}");
}
