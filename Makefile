# What a newcomer types. Every target says what it does, can be repeated, and fails with one clear line.

.DEFAULT_GOAL := help
.PHONY: help serve test test-whisper build packages bench replicas format fuzz lint weights train encoder eval openapi

help: ## say what there is
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

serve: build ## bring this machine to a running service on http://127.0.0.1:8080
	@echo "==> starting guardengine (Ctrl-C drains and stops)"
	@exec "$$(scripts/target-dir)/release/guardengine" serve $(ARGS)

build: packages ## build the release binary, with the web console where there is Node.js
	@scripts/console
	@echo "==> building the release binary (a first build takes some minutes)"
	@cargo build --release --locked -p guardengine

packages:
	@scripts/packages build

test: ## run every test, with what that needs
	@scripts/packages build test
	@scripts/packages browser || echo "==> no browser: the web console will not be tested"
	@scripts/test

test-whisper: ## lint and test what hears by whisper.cpp, which takes cmake and a C++ compiler
	@scripts/packages build test whisper
	@scripts/test-whisper

format: ## format every source file
	@cargo fmt --all && rustfmt --edition 2024 crates/engine/src/detectors/*.rs crates/engine/src/pii/kinds/*.rs

lint: ## formatting, lints, licences and advisories
	@scripts/lint

bench: build ## load the release binary, beside a bare handler of the same framework
	@scripts/bench

replicas: build ## load one replica and two on PostgreSQL and Redis, and simulate more
	@scripts/packages test
	@scripts/bench replicas

fuzz: ## run every fuzz target for ten minutes (FUZZ_SECONDS=n for less)
	@scripts/fuzz

weights: ## make every weight of both models again: make weights DATA="DIR ..."
	@$(MAKE) --no-print-directory train
	@$(MAKE) --no-print-directory encoder

train: ## fit the linear model again (minutes): make train DATA="DIR ..."
	@test -n "$(DATA)" || { echo "train: name the folders of labelled texts: make train DATA=\"DIR ...\""; exit 2; }
	@cargo run --release --locked -p guardengine-training -- train $(foreach dir,$(DATA),--data $(dir)) --data training/corpora --data "$$(scripts/technical)" --grammars training/grammars --out models

encoder: ## fine-tune the encoder again, after train (hours): make encoder DATA="DIR ..."
	@test -n "$(DATA)" || { echo "encoder: name the folders of labelled texts: make encoder DATA=\"DIR ...\""; exit 2; }
	@scripts/train-encoder $(DATA)

eval: build ## measure detection: make eval DATA=DIR
	@test -n "$(DATA)" || { echo "eval: name a folder of labelled suites: make eval DATA=DIR"; exit 2; }
	@"$$(scripts/target-dir)/release/guardengine" eval $(DATA)

openapi: ## write openapi.json anew
	@cargo run --locked -q -p guardengine -- openapi > openapi.json.new && mv openapi.json.new openapi.json
