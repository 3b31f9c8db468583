// swift-tools-version: 6.2
// The house, from the ground up: a target may import only what stands above it in this list.

import CompilerPluginSupport
import Glibc
import PackageDescription

/// Whether another package uses this one: SwiftPM keeps its copies in `checkouts`, beside `repositories`.
///
/// Then only the libraries are there, and no flag that SwiftPM calls unsafe: it refuses a dependency that sets one.
let isDependency =
    Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"
    && access(Context.packageDirectory + "/../../repositories", F_OK) == 0

// MARK: C libraries: a module map and a shim of inline functions each, no logic

let linuxModule = Target.systemLibrary(name: "CLinux")  // epoll, timerfd, eventfd, pidfd, sockets
let opensslModule = Target.systemLibrary(
    name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])])
let sqliteModule = Target.systemLibrary(
    name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])])
// The message bus of libsystemd, which is loaded when it is first used: programs are not linked with it.
let systemdModule = Target.systemLibrary(name: "CSystemd")
// The name `os.log`, which a module of Swift can't have; nothing in C.
let logModule = Target.systemLibrary(name: "COSLog")

// MARK: The product

/// The folders of libraries for apps that no app needs, and that are not built for other packages.
///
/// `make tidy` holds the libraries for apps to the folders below these (`Scripts/tidy/folders.txt`), and `make client`
/// builds them without these.
let foldersForPrograms = [
    "BatonCore": ["Account", "Activities", "Replication", "Streams"],
    "BatonNetwork": ["Interfaces", "Loop", "Service", "Streams"],
]

let libraries: [Target] = [
    // Pure values and pure logic: no I/O, no threads, no clock or randomness of its own.
    .target(name: "BatonCore"),
    // A node's durable state, in SQLite.
    .target(
        name: "BatonStore", dependencies: ["BatonCore", "CSQLite"],
        resources: [.embedInCode("Schema")]),
    // Account authority, device identity, pairing, TLS sessions that never see a socket.
    .target(name: "BatonSecurity", dependencies: ["BatonCore", "COpenSSL"]),
    // The event loop, sockets and timers.
    .target(name: "BatonNetwork", dependencies: ["CLinux"]),
    // Services of other machines on the same networks, by multicast DNS.
    .target(name: "BatonDiscovery", dependencies: ["BatonNetwork"]),
    // Drives the core with the four above and the login below, and serves the local socket.
    .target(
        name: "BatonNode",
        dependencies: [
            "BatonCore", "BatonStore", "BatonSecurity", "BatonNetwork", "BatonDiscovery", "BatonLogin",
        ]),
    // What an app or the command uses to talk to its node.
    .target(name: "BatonClient", dependencies: ["BatonCore", "BatonNetwork"]),
    // A terminal: its output, its keys, and the lists in which a person chooses. Apps without a command need none of it.
    .target(name: "BatonTerminal", dependencies: ["BatonCore", "BatonClient", "BatonNetwork"]),
    // The command without its subcommands: screens, shells, editors, browsers, the service. No app needs any of it.
    .target(
        name: "BatonCommand",
        dependencies: ["BatonCore", "BatonClient", "BatonNetwork", "BatonDiscovery", "BatonTerminal"]),
    // Types of content, by Apple's names.
    .target(name: "UniformTypeIdentifiers"),
    // Names of types that came before `UTType`, for code that still imports these modules.
    .target(name: "CoreServices", dependencies: ["UniformTypeIdentifiers"]),
    .target(name: "MobileCoreServices", dependencies: ["CoreServices"]),
    // Texts that are translated, by the names that Apple's Foundation has for them.
    .target(name: "LocalizedStrings"),
    // The log of the machine, by Apple's names.
    .target(name: "os", dependencies: ["COSLog"]),
    .target(name: "OSLog", dependencies: ["os"]),
    // The session of the person and their password, asked of logind and polkit.
    .target(name: "BatonLogin", dependencies: ["CSystemd"]),
    // Activities and the search index, by Apple's names.
    .target(
        name: "CoreSpotlight",
        dependencies: [
            "BatonCore", "BatonClient", "BatonNetwork", "CoreServices", "LocalizedStrings",
            "UniformTypeIdentifiers",
        ]),
    // The macros of AppIntents: a program that the compiler asks.
    .macro(name: "AppIntentsMacros"),
    // Entities, queries and actions of apps, by Apple's names.
    .target(
        name: "AppIntents",
        dependencies: [
            "AppIntentsMacros", "BatonClient", "BatonCore", "BatonLogin", "BatonNetwork", "BatonTerminal",
            "CoreSpotlight", "LocalizedStrings", "UniformTypeIdentifiers",
        ]),
    // As much of Intents as code needs that donates actions; no system on Linux suggests them.
    .target(name: "Intents", dependencies: ["CoreSpotlight"]),
    // Machines with nodes of their own, for the tests of apps; they run the installed programs.
    .target(name: "CoreSpotlightTesting"),
]

/// The libraries that no product for other packages stands on.
let librariesForPrograms = ["BatonStore", "BatonSecurity", "BatonDiscovery", "BatonNode", "BatonCommand"]

/// The targets that are built for other packages.
let librariesForApps = libraries.filter { !librariesForPrograms.contains($0.name) }

let executables: [Target] = [
    // The node's executable; `baton node` starts it.
    .executableTarget(
        name: "baton-node",
        dependencies: ["BatonCore", "BatonSecurity", "BatonNetwork", "BatonNode"]),
    // The command: one file a subcommand.
    .executableTarget(
        name: "baton", dependencies: ["BatonCore", "BatonClient", "BatonCommand", "BatonTerminal"],
        // Started at every prompt: finding and relocating shared libraries would take longer than all else it does.
        linkerSettings: [.unsafeFlags(["-static-executable", "-use-ld=lld"], .when(configuration: .release))]),
]

// MARK: Tests

let tests: [Target] = [
    // Clocks, generators, an in-memory store, and processes that tests start.
    .target(
        name: "Support", dependencies: ["BatonCore"], path: "Tests/Support",
        exclude: ["Client", "Command", "Discovery", "Disk", "Login", "Security"]),
    // Pairings without wires, and what a fuzzer feeds to TLS and to certificates.
    .target(
        name: "SecuritySupport", dependencies: ["BatonCore", "BatonSecurity", "Support"],
        path: "Tests/Support/Security"),
    // Messages that fuzzers make up for multicast DNS, and the limits to which its machines are held.
    .target(
        name: "DiscoverySupport", dependencies: ["BatonDiscovery", "BatonNetwork", "Support"],
        path: "Tests/Support/Discovery"),
    // A node that is acted, for its clients.
    .target(name: "ClientSupport", dependencies: ["BatonCore", "Support"], path: "Tests/Support/Client"),
    // A message bus with services that are acted, in the place of logind and polkit.
    .target(
        name: "LoginSupport", dependencies: ["BatonLogin", "CSystemd", "Support"], path: "Tests/Support/Login"
    ),
    // Bytes that fuzzers make up for the command's own reader.
    .target(
        name: "CommandSupport", dependencies: ["BatonClient", "BatonCommand", "Support"],
        path: "Tests/Support/Command"),
    // A disk in memory under SQLite's files, which loses power and fails.
    .target(
        name: "Disks", dependencies: ["BatonCore", "BatonStore", "CSQLite", "Support"],
        path: "Tests/Support/Disk"),
    // A few nodes and all that happens to them, in virtual time.
    .target(
        name: "Simulation", dependencies: ["BatonClient", "BatonCore", "BatonStore", "Disks", "Support"],
        path: "Tests/Simulation"),
    .testTarget(name: "SimulationTests", dependencies: ["BatonCore", "Simulation", "Support"]),
    .testTarget(
        name: "BatonCoreTests",
        dependencies: ["BatonCore", "CommandSupport", "DiscoverySupport", "SecuritySupport", "Support"],
        exclude: ["Prediction/timetable", "Query/naive-queries"]),
    .testTarget(
        name: "BatonStoreTests", dependencies: ["BatonCore", "BatonStore", "CSQLite", "Disks", "Support"]),
    .testTarget(
        name: "BatonSecurityTests",
        dependencies: ["BatonCore", "BatonSecurity", "COpenSSL", "SecuritySupport", "Support"]),
    .testTarget(name: "BatonNetworkTests", dependencies: ["BatonNetwork", "Support"]),
    .testTarget(
        name: "BatonDiscoveryTests",
        dependencies: ["BatonDiscovery", "BatonNetwork", "DiscoverySupport", "Support"]),
    .testTarget(
        name: "BatonNodeTests",
        dependencies: [
            "BatonCore", "BatonDiscovery", "BatonNetwork", "BatonNode", "BatonSecurity", "BatonStore",
            "CSQLite",
            "Disks", "LoginSupport", "Support",
        ]),
    .testTarget(name: "BatonLoginTests", dependencies: ["BatonLogin", "LoginSupport", "Support"]),
    // The client with a node that is acted.
    .testTarget(
        name: "BatonClientTests",
        dependencies: ["BatonClient", "BatonCore", "BatonNetwork", "ClientSupport", "Support"]),
    .testTarget(name: "BatonTerminalTests", dependencies: ["BatonCore", "BatonTerminal"]),
    // The command as a function, with a node that is acted.
    .testTarget(
        name: "BatonCommandTests",
        dependencies: [
            "BatonClient", "BatonCommand", "BatonCore", "BatonNetwork", "BatonTerminal", "ClientSupport",
            "Support", "baton",
        ],
        exclude: ["Snapshots"]),
    .testTarget(
        name: "UniformTypeIdentifiersTests",
        dependencies: ["MobileCoreServices", "Support", "UniformTypeIdentifiers"]),
    .testTarget(name: "LocalizedStringsTests", dependencies: ["LocalizedStrings", "Support"]),
    .testTarget(name: "OSLogTests", dependencies: ["OSLog", "Support", "os"]),
    // Apple's names for activities and the index, with a node that is acted and with real ones.
    .testTarget(
        name: "CoreSpotlightTests",
        dependencies: [
            "BatonClient", "BatonCore", "BatonNetwork", "CoreSpotlight", "Intents", "MobileCoreServices",
            "Support",
        ],
        exclude: ["Compatibility/real-files.tsv", "Compatibility/symbols.txt", "Fixtures"]),
    .testTarget(
        name: "AppIntentsTests",
        dependencies: [
            "AppIntents", "BatonClient", "BatonCore", "BatonNetwork", "BatonTerminal", "CoreSpotlight",
            "CoreSpotlightTesting", "LoginSupport", "Support", "baton", "baton-node",
        ],
        exclude: ["Compatibility/OlderCode.swift"]),
    .testTarget(name: "IntentsTests", dependencies: ["CoreSpotlight", "Intents", "Support"]),
    .testTarget(
        name: "CoreSpotlightTestingTests", dependencies: ["baton", "baton-node", "CoreSpotlightTesting"]),
    // A program that uses activities, as a test says.
    .executableTarget(
        name: "ActivityProgram", dependencies: ["CoreSpotlight", "Intents"], path: "Tests/ActivityProgram",
        // The usual linker complains about what Foundation calls in the C library.
        linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))]),
    // An app that indexes and ends at once.
    .executableTarget(
        name: "EndingApp", dependencies: ["CoreSpotlight"], path: "Tests/EndingApp",
        // The usual linker complains about what Foundation calls in the C library.
        linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))]),
    // An app that indexes by Apple's names, as a test says.
    .executableTarget(
        name: "IndexingApp", dependencies: ["CoreSpotlight"], path: "Tests/IndexingApp",
        // The usual linker complains about what Foundation calls in the C library.
        linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))]),
    // An app with intents, which are found in the program although the linker drops unused sections.
    .executableTarget(
        name: "IntentApp", dependencies: ["AppIntents"], path: "Tests/IntentApp",
        linkerSettings: [
            .unsafeFlags(["-Xlinker", "--gc-sections"]),
            // The usual linker complains about what Foundation calls in the C library.
            .unsafeFlags(["-use-ld=lld"], .when(configuration: .release)),
        ]),
    // Real processes, as a person starts them.
    .testTarget(
        name: "CommandTests",
        dependencies: [
            "ActivityProgram", "BatonClient", "BatonCore", "BatonSecurity", "BatonStore", "EndingApp",
            "IndexingApp", "IntentApp", "LoginSupport", "Notes", "baton", "baton-node", "Support",
        ]),
]

/// An app with Apple's libraries, for the tests; it is also a package of its own.
let notes = Target.executableTarget(
    name: "Notes", dependencies: ["AppIntents", "CoreSpotlight"], path: "Examples/Notes/Sources")

/// Orders of merging, for as long as wanted; `make merges` runs it.
let hunt = Target.executableTarget(
    name: "Hunt", dependencies: ["Support"], path: "Tests/Hunt")

/// Worlds from seeds, any number of them; `make simulate` runs it.
let simulate = Target.executableTarget(
    name: "Simulate", dependencies: ["BatonCore", "Simulation"], path: "Tests/Simulate",
    // The usual linker complains about what Foundation calls in the C library.
    linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))])

// MARK: Benchmarks

let benchmarks: [Target] = [
    // Counts how often memory is taken, between a program and the C library.
    .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
    // OpenSSL and nothing else: the floor of what TLS costs.
    .executableTarget(name: "BareTLS", dependencies: ["COpenSSL"], path: "Benchmarks/BareTLS"),
    // The floor of what a program costs that imports CoreSpotlight, and such a program.
    .executableTarget(
        name: "StartFoundation", path: "Benchmarks/LibraryStart/Foundation",
        linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))]),
    .executableTarget(
        name: "StartCoreSpotlight", dependencies: ["CoreSpotlight"],
        path: "Benchmarks/LibraryStart/CoreSpotlight",
        linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))]),
    // What is measured, and against what; `make bench` runs it.
    .executableTarget(
        name: "Benchmarks",
        dependencies: [
            "AppIntents", "BatonClient", "BatonCore", "BatonNetwork", "BatonNode", "BatonSecurity",
            "BatonStore", "CAllocations", "CSQLite", "CoreSpotlight", "Simulation", "Support",
        ],
        path: "Benchmarks",
        exclude: ["BareTLS", "CAllocations", "LibraryStart", "Python", "README.md"],
        // The usual linker complains about what Foundation calls in the C library.
        linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))]),
]

// MARK: Fuzzing

/// A fuzzer for each `FuzzTarget` of Support, SecuritySupport, DiscoverySupport and CommandSupport; only `Scripts/fuzz`,
/// which brings libFuzzer, can link them.
let fuzzers: [Target] =
    Context.environment["BATON_FUZZ"] == nil
    ? []
    : [
        "frames", "values", "peer-messages", "local-messages", "pairing-messages", "records", "session",
        "queries", "query-matching",
    ].map {
        .executableTarget(name: "fuzz-\($0)", dependencies: ["Support"], path: "Fuzzing/\($0)")
    }
        + ["pairing", "statements", "tls-server"].map {
            .executableTarget(
                name: "fuzz-\($0)", dependencies: ["SecuritySupport", "Support"], path: "Fuzzing/\($0)")
        }
        + ["dns-messages", "multicast-dns"].map {
            .executableTarget(
                name: "fuzz-\($0)", dependencies: ["DiscoverySupport", "Support"], path: "Fuzzing/\($0)")
        }
        + [
            .executableTarget(
                name: "fuzz-configuration", dependencies: ["CommandSupport", "Support"],
                path: "Fuzzing/configuration")
        ]

/// What only this package builds.
let development = executables + tests + [notes, hunt, simulate] + benchmarks + fuzzers

for target in libraries where isDependency { target.exclude = foldersForPrograms[target.name, default: []] }
for target in libraries + development where !["BareTLS", "CAllocations"].contains(target.name) {
    // A newer compiler may warn of more; that must not break the packages that use this one.
    target.swiftSettings =
        (isDependency ? [] : [.treatAllWarnings(as: .error)]) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
/// The libraries that are optimized in a build for debugging, too.
///
/// Without that worlds, stores and codecs are six times slower, and the tests with them. Assertions are checked as in any
/// build for debugging. Other targets are not optimized: that takes longer than their tests wait for them.
let optimized = [
    "BatonCore", "BatonDiscovery", "BatonNetwork", "BatonNode", "BatonSecurity", "BatonStore",
]
for target in libraries + tests where target.type == .regular && !isDependency {
    let isForTests = target.path != nil
    guard isForTests || optimized.contains(target.name) else { continue }
    target.swiftSettings?.append(
        .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
}
/// libFuzzer brings the main function.
for target in fuzzers { target.swiftSettings?.append(.unsafeFlags(["-parse-as-library"])) }
/// Targets that call C say so at each call, with the word `unsafe`.
let callingC = ["BatonLogin", "BatonNetwork", "BatonSecurity", "BatonStore", "os"]
for target in libraries where callingC.contains(target.name) {
    target.swiftSettings?.append(.strictMemorySafety())
}

let package = Package(
    name: "baton",
    products: [
        .library(name: "CoreSpotlight", targets: ["CoreSpotlight"]),
        .library(name: "CoreSpotlightTesting", targets: ["CoreSpotlightTesting"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
        .library(name: "MobileCoreServices", targets: ["MobileCoreServices"]),
        .library(name: "CoreServices", targets: ["CoreServices"]),
        .library(name: "AppIntents", targets: ["AppIntents"]),
        .library(name: "Intents", targets: ["Intents"]),
        .library(name: "LocalizedStrings", targets: ["LocalizedStrings"]),
        .library(name: "OSLog", targets: ["OSLog", "os"]),
    ],
    targets: [linuxModule, systemdModule, logModule]
        + (isDependency ? librariesForApps : [opensslModule, sqliteModule] + libraries + development),
    swiftLanguageModes: [.v6]
)
