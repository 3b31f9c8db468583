# Each target is a script or one call of swift; `make` alone lists them.

.DEFAULT_GOAL := help
# A check builds what the next one uses.
.NOTPARALLEL:
.PHONY: help build release install uninstall deb demo picture test fuzz merges simulate worlds coverage mutants mistakes vectors interop client examples sanitize bench path browser-test lan-test docker-test packages-test lint format tidy linkage startup prompt \
	check clean

help: ## list what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name does; do \
	    printf '  make %-13s %s\n' "$$name" "$$does"; done

build: ## build everything for debugging
	Scripts/install-dependencies build
	swift build

release: ## build baton and baton-node as they are shipped
	Scripts/build-release

PREFIX ?= /usr/local
install: ## put what `make release` built below PREFIX=/usr/local, with the manual page, completions for shells, plugins for editors, and the handler of links
	Scripts/install "$(PREFIX)" "$(DESTDIR)"

uninstall: ## delete what `make install` has put below PREFIX=/usr/local
	Scripts/uninstall "$(PREFIX)" "$(DESTDIR)"

deb: ## build Debian packages of the command, the plugin for Emacs and the extension for browsers in .build/packages
	Scripts/install-dependencies packages
	Scripts/make-deb

demo: ## pair two nodes on this machine and hand an activity from one to the other
	Scripts/demo

picture: ## take the picture of the README from a real run
	Scripts/picture

test: ## build and run all tests but those in Docker
	Scripts/test

MINUTES ?= 1
fuzz: ## feed the decoders what a fuzzer makes up: MINUTES=1 for each, ONLY=name, SANITIZER=address
	Scripts/fuzz --minutes "$(MINUTES)" $(if $(ONLY),--only "$(ONLY)") $(if $(SANITIZER),--sanitizer "$(SANITIZER)")

merges: ## merge writes in all orders, COUNT=100000000 times or as often as said, from seed SEED=1 on
	Scripts/install-dependencies build
	swift build -c release --static-swift-stdlib --product Hunt
	"$$(swift build -c release --show-bin-path)/Hunt" $(or $(COUNT),100000000) $(or $(SEED),1)

simulate: ## play worlds of simulated nodes: SEED=n tells the story of one, SEEDS=a-b plays many, PROFILE=name, STORE=sqlite|both
	Scripts/install-dependencies build
	swift build -c release --static-swift-stdlib --product Simulate
	"$$(swift build -c release --show-bin-path)/Simulate" $(or $(SEED),$(SEEDS),1-1000) $(PROFILE) $(STORE)

worlds: ## play worlds of every profile on every store: SEED=first, COUNT=worlds of each
	SEED="$(SEED)" COUNT="$(COUNT)" Scripts/play-worlds

coverage: ## say what of replication and merging no world and no unit test reaches: SEEDS=a-b, PROFILES="name name"
	SEEDS="$(SEEDS)" PROFILES="$(PROFILES)" TESTS="$(TESTS)" Scripts/measure-coverage

mistakes: ## plant typical mistakes in a copy of the sources, and play worlds that must find them: ONLY="name name", SEED=n and ONLY=name tell the story of one world
	Scripts/install-dependencies build mistakes
	Scripts/mistakes $(SEED) $(ONLY)

mutants: ## change the core and the store mechanically and list the changes that nothing finds: COUNT=100 SEED=1 PARTS="folder file"
	COUNT="$(COUNT)" SEED="$(SEED)" SECONDS_SURVEY="$(SECONDS_SURVEY)" SECONDS_EACH="$(SECONDS_EACH)" JOBS="$(JOBS)" UNIT_TESTS="$(UNIT_TESTS)" Scripts/mutants $(PARTS)

vectors: ## read the test vectors of the protocol with a decoder that is not ours, and hold them against the schema
	Scripts/install-dependencies vectors
	python="$$(Scripts/python-environment pycddl==0.6.4)" && "$$python" Tests/Vectors/check

bench: ## measure, against others on this machine (ONLY=name,name for some, QUICK=1 for a short form, ITEMS=number for smaller indexes)
	Scripts/bench

path: ## count what two nodes execute for one change of an activity (QUICK=1 for fewer changes), and list the functions in .build/path.txt
	ONLY=path Scripts/bench; status=$$?; \
	swift demangle --simplified <.build/path.txt >.build/path.names && mv .build/path.names .build/path.txt; exit $$status

client: ## build and run a package that uses the libraries for apps, as other packages do
	Scripts/install-dependencies build
	Scripts/check-client

sanitize: ## run an app of eight threads, built with the thread sanitizer
	Scripts/sanitize

interop: ## let a peer in another language talk to a node, by the protocol's page alone
	Scripts/install-dependencies build interop
	swift build
	Tests/Interop/check

browser-test: ## let real browsers hand pages to each other: installs Chromium and Firefox
	Scripts/install-dependencies build browsers
	swift build --product baton
	swift build --product baton-node
	Tests/Browsers/check
	Tests/Browsers/check-packaged

lan-test: ## have machines find each other on networks that the tests make, also beside Avahi: takes root, and is a part of `make test`, too
	Scripts/test --filter 'Machines on |machines on a local network|listener on a bridge|peer whose packets are lost'

docker-test: ## hand an activity from one container to another, and back
	Scripts/docker-test

packages-test: ## check the Debian packages, and install, upgrade and purge them in containers
	Scripts/install-dependencies build packages-test
	Scripts/check-packages

examples: ## build the examples that are packages of their own
	Scripts/check-examples

lint: ## say where the layout of the code is not as agreed
	swift format lint --strict --parallel --recursive Sources Tests Fuzzing Benchmarks Mutants Examples Package.swift

format: ## lay out the code as agreed
	swift format --in-place --parallel --recursive Sources Tests Fuzzing Benchmarks Mutants Examples Package.swift

tidy: ## check rules of the house that the compiler does not know, and that each rule finds a mistake
	Scripts/install-dependencies build tidy
	swift build
	Scripts/check-tidy --self-test
	Scripts/check-tidy
	Scripts/mistakes --self-test
	Scripts/mistakes --check

linkage: ## check which libraries the shipped executables need
	Scripts/build-release
	Scripts/check-linkage

startup: ## measure how much longer a local command takes than /bin/true
	Scripts/build-release
	Scripts/measure-startup

prompt: ## measure how much longer a prompt takes in a shell that tells what it does, and how soon the picker draws: TOLERANCE=3 on a shared machine
	Scripts/install-dependencies test
	Scripts/build-release
	TOLERANCE="$(or $(TOLERANCE),1)" Scripts/measure-prompt 300

check: test mistakes vectors interop client examples lint tidy linkage startup demo ## all of the above but Docker and browsers; what to run before a commit

clean: ## remove everything that was built
	swift package clean
	rm -rf .build
