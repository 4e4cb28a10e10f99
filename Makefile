# Entry points for everyone who builds, tests or runs guardengine. Every target can be repeated, installs what it needs,
# and fails with one line that names the cause.

.DEFAULT_GOAL := help
.PHONY: help serve dev build check test-fast test test-disruptions test-whisper test-peers test-container test-fresh-machine format lint generate \
	docs hooks bench bench-endurance bench-gateway bench-media bench-replicas fuzz train train-linear train-encoder train-multilingual \
	eval-multilingual calibrate-multilingual test-multilingual eval release

help: ## list the targets
	@cat $(MAKEFILE_LIST) | grep -E '^[a-z-]+:.*## ' | sed -E 's/:.*## /\t/' | expand -t 20

# ---- run

serve: ## build and run the service on http://127.0.0.1:8080, with console, images and audio (MODELS=no fetches no models)
	@scripts/install-deps build console media
	@scripts/fetch-models --optional "$${GUARDENGINE_DATA_DIR:-data}/models" ocr speech faces nsfw
	@$(MAKE) --no-print-directory build
	@echo "==> starting guardengine (Ctrl-C drains and stops)"
	@exec "$$(scripts/target-dir)/release/guardengine" serve $(ARGS)

build: ## build the release binary with the web console
	@scripts/install-deps build console
	@scripts/build-console
	@echo "==> building the release binary (a first build takes some minutes)"
	@cargo build --release --locked -p guardengine
	@scripts/build-console --report

# ---- develop

dev: ## run a debug build without heavy features; restarts on changes when cargo-watch or watchexec is installed
	@scripts/install-deps build
	@scripts/dev $(ARGS)

check: ## formatting, spelling, wording, lints, documentation, unused dependencies, licenses
	@scripts/install-deps build
	@scripts/check

format: ## format every source file
	@cargo fmt --all
	@rustfmt --edition 2024 crates/engine/src/detectors/*.rs crates/engine/src/pii/*/*.rs

test-fast: ## tests on SQLite, without databases, brokers, OCR or speech
	@scripts/install-deps build
	@scripts/test --fast

test: ## every test, with the programs that they need
	@scripts/install-deps build console
	@scripts/test

test-disruptions: ## let the service suffer 200 random disruptions on each store (10 minutes)
	@scripts/install-deps build test
	@scripts/test-disruptions

lint: ## check, then generated files, advisories and deploy/
	@scripts/install-deps build console
	@scripts/lint

generate: ## write every generated file: openapi.json, console types, tables of the documentation
	@scripts/generate

docs: ## build the documentation
	@scripts/docs

hooks: ## install the git hooks: formatting, spelling, commit messages
	@git config core.hooksPath .githooks && echo "==> git runs the hooks in .githooks"

# ---- package

release: ## build a release: make release VERSION=1.2.3 (binaries, Debian package, SBOM, checksums)
	@scripts/install-deps build console
	@scripts/release $(VERSION)

test-container: build ## build the container image without a container engine and run it
	@scripts/install-deps container
	@scripts/test-container

test-fresh-machine: ## run `make serve` in an empty Debian root and call the service (15 minutes)
	@scripts/install-deps fresh-machine
	@scripts/test-fresh-machine

test-whisper: ## lint and test transcription with whisper.cpp; compiles it with cmake and a C++ compiler
	@scripts/install-deps build test whisper
	@scripts/test-whisper

test-peers: build ## call the surfaces with the clients of other products, from the Python package index
	@scripts/install-deps build
	@scripts/test-peers

# ---- measure and train

bench: build ## measure throughput and latency of the release binary
	@scripts/bench

bench-replicas: build ## measure one and two replicas on PostgreSQL and Redis, and simulate more
	@scripts/install-deps test
	@scripts/bench replicas

bench-endurance: build ## watch the memory over a million mixed requests and under attacks (two hours)
	@scripts/bench endurance

bench-gateway: build ## measure the gateway next to nginx, and the memory of a thousand streams
	@scripts/bench gateway

bench-media: ## measure OCR and speech recognition on generated images and voices (half an hour)
	@scripts/install-deps build test
	@scripts/bench media

fuzz: ## run every fuzz target for ten minutes (FUZZ_SECONDS=n for less)
	@scripts/fuzz

eval: build ## measure detection: make eval DATA=DIR
	@test -n "$(DATA)" || { echo "eval: name a folder of labelled suites: make eval DATA=DIR"; exit 2; }
	@"$$(scripts/target-dir)/release/guardengine" eval $(DATA)

train: ## train both models (hours): make train DATA="DIR ..."
	@$(MAKE) --no-print-directory train-linear
	@$(MAKE) --no-print-directory train-encoder

train-linear: ## train the linear model (minutes): make train-linear DATA="DIR ..."
	@test -n "$(DATA)" || { echo "train-linear: name the folders of labelled texts: make train-linear DATA=\"DIR ...\""; exit 2; }
	@cargo run --release --locked -p guardengine-training -- train $(foreach dir,$(DATA),--data $(dir)) --data training/corpora --data "$$(scripts/technical-corpus)" --grammars training/grammars --out models

train-encoder: ## train the encoder, after train-linear (hours): make train-encoder DATA="DIR ..."
	@test -n "$(DATA)" || { echo "train-encoder: name the folders of labelled texts: make train-encoder DATA=\"DIR ...\""; exit 2; }
	@scripts/train-encoder $(DATA)

include training/multilingual/Makefile.inc
