# Each target installs its missing requirements, then does its job. Rust is the only prerequisite: https://rustup.rs

# rustup and cargo install programs here; a shell started earlier may not have it on its PATH.
export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin
target := $(or $(CARGO_TARGET_DIR),target)
in_memory := TMPDIR=$$($(CURDIR)/.ci/memory)
built := $(in_memory) CROUPIER_BIN=$${CROUPIER_BIN:-$(abspath $(target))/debug/croupier}
python_made := cd clients/python && ../../.tools/venv/bin/python setup.py -q generate
# Tests through the wire wait much of their time, so there are more threads than processors.
threads := $(shell expr 2 \* $$(nproc))
# The program comes with the tests: built without them it would lack features of theirs, and be compiled again.
tests_built := cargo test --workspace --locked --no-run

# The web pages, which are part of the program, and their sources.
pages := clients/web/dist/index.html
page_sources := $(shell find proto docs clients/typescript clients/rules clients/web -type f -not -path '*/node_modules/*' \
	-not -path '*/dist/*' -not -path 'clients/typescript/src/gen/*' -not -path '*/test/*') package.json \
	$(wildcard $(target)/rules/rules.wasm)

# Builds for release have the version that tags give. BINARY names a program to take instead of building one.
versioned := version=$$(.ci/version) && CROUPIER_VERSION=$$version
optimized := $(versioned) cargo build --features croupier/jemalloc --locked
release := $(optimized) --release
program := $(or $(BINARY),$(target)/release/croupier)
program_made := $(if $(BINARY),,$(release) --package croupier)
# The program of a package is compiled as a whole: that takes longer, and it is smaller and faster.
packed := $(or $(BINARY),$(target)/packed/croupier)
packed_made := $(if $(BINARY),,$(optimized) --profile packed --package croupier)

.DEFAULT_GOAL := help
.PHONY: help run pages test beside-web python chats gym typescript web guides torture drills citus capacity attribute umadb fuzz mutants lint contract manifests alerts baseline build deb image \
	installs packages languages modules tutorial rules made-rules wasm build-cost clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(pages) ## Build and start the service; ARGS="--listen 0.0.0.0:7710" adds options
	@.ci/install compiler postgres
	$(release) --package croupier
	exec $(target)/release/croupier serve $(ARGS)

# The pages of releases come with the rules of the games, which take minutes to compile.
made-rules: $(pages)
	@.ci/install compiler wasm_sources binaryen
	.ci/rules
	npm run --silent build
	@touch $(pages)

pages: $(pages) ## Build the TypeScript client and the web pages, unless they are up to date

$(pages): node_modules/.package-lock.json $(page_sources)
	npm run --silent build
	@touch $@

node_modules/.package-lock.json: package-lock.json
	@.ci/install node
	npm ci --no-audit --no-fund
	@touch $@

test: $(pages) ## Run every test
	@.ci/install compiler postgres nextest python ngircd nats nginx chromium
	cargo test --workspace --locked --doc --quiet
	$(in_memory) cargo nextest run --workspace --locked --test-threads $(threads)
	$(MAKE) --jobs=2 --output-sync=target web beside-web

# The browser's tests take as long as all of these.
beside-web:
	@$(MAKE) --no-print-directory --jobs=1 typescript python guides

python: ## Check and test the Python client, with the service that was built last
	@.ci/install python ngircd
	$(python_made) && ../../.tools/venv/bin/python -m mypy && \
		$(built) ../../.tools/venv/bin/python -m unittest discover -q -t . -s tests

chats: ## Play in IRC, in Discord's formats and in Matrix, with a server of its own that PyPI has, and the service that was built last
	@.ci/install python ngircd synapse
	$(python_made) && $(built) ../../.tools/venv/bin/python -m unittest -q tests.test_chats

gym: ## Build, lint and test the package for research, which is no part of the workspace; BENCH=1 measures it, too
	@.ci/install compiler python gym
	$(python_made)
	.ci/gym $(if $(BENCH),--bench)

typescript: $(pages) ## Test the TypeScript client, with the service that was built last
	$(built) npm test --silent --workspace clients/typescript
	$(built) npm test --silent --workspace clients/rules

web: $(pages) ## Test the web components and pages in a browser, with the service that was built last
	@.ci/install chromium
	$(built) npm test --silent --workspace clients/web

guides: $(pages) ## Run what the guides tell to run, and the examples, with the service that was built last
	@.ci/install compiler python
	$(python_made)
	$(built) node docs/check.mjs code
	$(built) npm test --silent --workspace examples

torture: ## Inject faults while matches are played; options: SEED=7 SECONDS=600 OPERATIONS=100000 FAULTS=fill-wal,overload
	@.ci/install compiler postgres nextest nats faketime
	$(versioned) SEED=$(SEED) SECONDS=$(SECONDS) OPERATIONS=$(OPERATIONS) FAULTS=$(FAULTS) cargo nextest run --release \
		--features jemalloc,drills --locked --package croupier --test it --run-ignored only --no-capture -E 'test(/^torture::/)'

drills: ## Fail over, restore, upgrade, revoke under load, set clocks wrong and fire every alert, and print a line of JSON for each; PREVIOUS=path of the last release
	@.ci/install compiler postgres nextest patroni faketime prometheus
	@mkdir -p $(target)/tmp && rm -f $(target)/tmp/drills.jsonl
	@previous="$$(PREVIOUS=$(PREVIOUS) .ci/previous)" || exit; \
		PREVIOUS="$$previous" cargo nextest run --workspace --locked --run-ignored only \
			--test-threads 1 --no-fail-fast -E 'test(/^drills::/)'; \
		status=$$?; cat $(target)/tmp/drills.jsonl; exit $$status

citus: ## Migrate a cluster with the extension Citus, run every statement on it, play every game, and let nodes fail, hang, move and come, if it is installed
	@.ci/install compiler postgres nextest
	@mkdir -p $(target)/tmp && rm -f $(target)/tmp/drills.jsonl
	cargo nextest run --workspace --locked --run-ignored only --no-capture --no-fail-fast \
		-E 'binary(citus) or test(/citus::/)'
	@cat $(target)/tmp/drills.jsonl

capacity: ## Load MATCHES=100000, and compare what depends on the size with the same at a tenth; FOLDER=a folder on the disk to use
	@.ci/install compiler postgres python
	$(program_made)
	.ci/capacity --matches $(or $(MATCHES),100000) --binary $(program) $(if $(FOLDER),--folder $(FOLDER))

attribute: ## Count the instructions that the service executes for an action, by part; ARGS="--postgres", "--stream --functions 8"
	@.ci/install compiler postgres python valgrind
	$(program_made)
	.ci/attribute --binary $(program) $(ARGS)

umadb: ## Compare the rate of actions with that of appends to UmaDB, a bare event store; ARGS="--clients 64 --rounds 9"
	@.ci/install compiler postgres python umadb
	$(program_made)
	.ci/umadb --binary $(program) $(ARGS)

fuzz: ## Give every decoder random input, each for SECONDS=60
	@.ci/install compiler nextest
	BOLERO_RANDOM_TEST_TIME_MS=$$(( $(or $(SECONDS),60) * 1000 )) cargo nextest run --workspace --lib --locked -E 'test(fuzz)'

mutants: ## Mutate the code in FOLDER=services/clocks, and list what no test notices; SHARD=0/8 takes an eighth
	@.ci/install compiler postgres nextest mutants
	SHARD=$(SHARD) .ci/mutants $(or $(FOLDER),services/clocks)

lint: contract manifests wasm node_modules/.package-lock.json ## Check formatting, the contract, the dependencies and clippy
	@.ci/install compiler buf deny machete
	cargo fmt --all --check
	.ci/comments
	.ci/layers
	.ci/promises
	node docs/check.mjs links
	.tools/buf lint proto
	.tools/buf format proto --diff --exit-code
	.tools/buf breaking proto --against proto/baseline.binpb
	.ci/rest
	# What is built outside the workspace depends on its crates.
	cargo update --quiet --workspace --locked --manifest-path clients/gym/Cargo.toml
	cargo update --quiet --workspace --locked --manifest-path services/modules/compiler/Cargo.toml
	cargo machete
	cargo deny --locked check licenses bans sources
	cargo clippy --workspace --all-targets --locked -- --deny warnings
	.ci/package --no-verify
	tests/packages/version

modules: ## Make the built-in games as modules, play ENTRIES=1000000 entries of each as a module and natively, compare every byte, print the costs, and end MATCHES=4 matches of each under earlier rules
	@.ci/install compiler nextest wasm zig
	.ci/modules
	ENTRIES=$(or $(ENTRIES),1000000) cargo nextest run --release --locked --package modules --test built --run-ignored only \
		--test-threads 1 --no-capture
	@.ci/install postgres
	MATCHES=$(or $(MATCHES),4) cargo nextest run --locked --workspace -E 'binary(it) and test(/^(modules|module_bots|kept_rules)::/)' \
		--run-ignored only --no-capture

tutorial: ## Make a game as the tutorial in docs/add-a-game.md tells, with the program that was built last
	@.ci/install compiler wasm
	.ci/modules --compiler
	CROUPIER_BIN=$${CROUPIER_BIN:-$(abspath $(target))/debug/croupier} tests/tutorial

rules: made-rules ## Make the rules of the games for browsers, build the pages with them, and test both with the service that was built last
	@.ci/install chromium
	$(built) npm test --silent --workspace clients/rules
	cd clients/web && $(built) node --test test/browser/check.test.js

wasm: ## Compile the crates for WebAssembly that must run there
	@.ci/install compiler wasm
	.ci/wasm

contract: $(pages) ## Check the OpenAPI document, and compile a TypeScript client of it
	@.ci/install compiler openapi
	$(tests_built)
	.ci/openapi $(target)/debug/croupier

manifests: $(pages) ## Check the Kubernetes manifests, and the settings in deploy
	@.ci/install compiler kubernetes
	$(tests_built)
	.tools/kubernetes/bin/python tests/packages/manifests $(target)/debug/croupier

build-cost: $(pages) ## Build the program from nothing, and print the time by crate, its size, and what a change of one line costs
	@.ci/install compiler
	.ci/build-cost $(ARGS)

alerts: ## Test the alert rules
	@.ci/install promtool
	PATH="$(PATH):.tools" promtool check config deploy/prometheus.yml
	PATH="$(PATH):.tools" promtool test rules deploy/alerts_test.yml

baseline: ## Release the contract: from now on `make lint` refuses changes that break its clients
	@.ci/install buf
	.tools/buf build proto --exclude-source-info --output proto/baseline.binpb

build: $(pages) ## Build everything for release
	@.ci/install compiler
	$(release) --workspace

deb: $(if $(BINARY),,made-rules) ## Make a Debian package; BINARY=path packs a program that there is
	@.ci/install compiler deb wasm
	$(packed_made)
	.ci/deb $(packed)

image: $(if $(BINARY),,made-rules) ## Make an OCI image; BINARY=path packs a program that there is
	@.ci/install compiler image wasm
	$(packed_made)
	.ci/image $(packed)

installs: $(if $(BINARY),,made-rules) ## Make the Debian package and the image, and try both as root in a clean Debian
	@.ci/install compiler deb image clean_root postgres wasm
	$(packed_made)
	tests/packages/image "$$(.ci/image $(packed))"
	tests/packages/deb "$$(.ci/deb $(packed))"

packages: made-rules ## Make what npm, PyPI and crates.io take, check it, and run the guides with it, with the service that was built last
	@.ci/install compiler python registries
	.ci/registries
	tests/packages/registries
	$(built) node docs/check.mjs outside

languages: ## Generate clients of the contract in Go and C#, and compile them where their compilers are
	@.ci/install buf go
	.ci/languages

clean: ## Remove build products and the tools installed in .tools
	cargo clean
	rm -rf .tools node_modules clients/*/dist
