# Each target installs what the machine lacks, then does its job. Only Rust is taken for granted: https://rustup.rs

# Where rustup and cargo put their programs, also for a shell that has not heard of them yet.
export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin
target := $(or $(CARGO_TARGET_DIR),target)

.DEFAULT_GOAL := help
.PHONY: help run test torture lint build clean

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build the service and serve; ARGS="--listen 0.0.0.0:7710" is handed on
	@.ci/install compiler postgres
	cargo build --release --locked --package croupier
	exec $(target)/release/croupier serve $(ARGS)

test: ## Run every test
	@.ci/install compiler postgres nextest
	cargo test --workspace --locked --doc --quiet
	cargo nextest run --workspace --locked

torture: ## Break everything while matches are played; SEED=7 SECONDS=600 OPERATIONS=100000 FAULTS=fill-wal,overload say what
	@.ci/install compiler postgres nextest
	SEED=$(SEED) SECONDS=$(SECONDS) OPERATIONS=$(OPERATIONS) FAULTS=$(FAULTS) cargo nextest run --release --locked \
		--package croupier --test it --run-ignored only --no-capture -E 'test(/^torture::/)'

lint: ## Check formatting, clippy and the contract
	@.ci/install compiler buf
	cargo fmt --all --check
	.tools/buf lint proto
	.tools/buf format proto --diff --exit-code
	cargo clippy --workspace --all-targets --locked -- --deny warnings

build: ## Build everything for release
	@.ci/install compiler
	cargo build --release --locked --workspace

clean: ## Remove what was built and the tools that were installed here
	cargo clean
	rm -rf .tools
