import BatonClient
import BatonCore
import BatonNetwork
import BatonStore
import CoreSpotlight
import Dispatch
import Foundation
import Glibc
import Support

extension Benchmark {
    static let library = Benchmark(
        name: "library", what: "an app that indexes by Apple's names, against the store, a socket and Foundation alone"
    ) { settings in
        let folder = try TemporaryFolder()
        let home = try NodeHome(folder.path + "/home")
        try home.start()
        setenv("BATON_HOME", home.path, 1)
        setenv("BATON_APP", "org.example.library", 1)
        setenv("XDG_STATE_HOME", folder.path + "/state", 1)
        var figures: [Figure] = []
        for (size, count) in [(500, settings.pick(100_000, quick: 5000)), (100, settings.pick(100_000, quick: 2000)), (1, settings.pick(20_000, quick: 200))] {
            figures += try indexing(count, in: size, folder.path)
        }
        figures += try roundTrips(settings.pick(20_000, quick: 500), home.path, folder.path)
        try home.stop()
        return figures + (try starts(settings.pick(60, quick: 6), in: folder))
    }

    // MARK: Indexing

    /// Indexes items in calls of some size through the library and its node, and the same in the store alone.
    private static func indexing(_ count: Int, in size: Int, _ folder: String) throws -> [Figure] {
        let path = "\(folder)/alone-\(size)"
        try makeFolder(path)
        let store = try FilledStore(path)
        let index = CSSearchableIndex(name: "items \(size)")
        let answered = DispatchSemaphore(value: 0)
        var words = Words(seed: 7)
        var (library, alone) = (Spent(), Spent())
        for first in stride(from: 0, to: count, by: size) {
            let samples = (first..<first + size).map { SampleItem(&words, number: $0) }
            let items = samples.map { sample in
                let attributes = CSSearchableItemAttributeSet()
                (attributes.title, attributes.keywords) = (sample.title, sample.keywords)
                attributes.contentURL = URL(string: sample.contentURL)
                attributes.contentType = sample.contentType
                attributes.contentDescription = sample.contentDescription
                attributes.pageCount = NSNumber(value: sample.pageCount)
                attributes.authorNames = sample.authorNames
                attributes.contentCreationDate = sample.contentCreationDate
                attributes.contentModificationDate = sample.contentModificationDate
                return CSSearchableItem(
                    uniqueIdentifier: sample.identifier, domainIdentifier: sample.domain,
                    attributeSet: attributes)
            }
            let drafts = samples.map { sample in
                Journal.Draft(.full(sample.item.content(sample.name)), sample.name.key)
            }
            let turns = [
                {
                    library.add {
                        index.indexSearchableItems(items) { _ in answered.signal() }
                        answered.wait()
                    }
                },
                { try alone.add { use(try store.store.commit(try store.transaction(drafts))) } },
            ]
            for turn in first / size % 2 == 0 ? turns : turns.reversed() { try turn() }
        }
        let name = "library, \(size) in a call"
        return [
            Figure(name, Double(count) / library.seconds, "items a second"),
            Figure("\(name), store alone", Double(count) / alone.seconds, "items a second"),
            Figure(
                "\(name), ratio", library.seconds / alone.seconds, "×", reach: size == 500 ? .atMost(2) : nil),
        ]
    }

    // MARK: Round trips

    /// The time of a call through the library's connection, and of as many bytes through a socket and back.
    private static func roundTrips(_ count: Int, _ home: String, _ folder: String) throws -> [Figure] {
        let client = NodeClient(try Home(option: home) { _ in nil })
        let index = ClientStateName(app: "org.example.library", index: "none")
        let answered = DispatchSemaphore(value: 0)
        let call = {
            client.ask(GetSettings()) { _ in answered.signal() }
            answered.wait()
        }
        let echo = try Listening(atUnix: folder + "/echo/socket")
        echo.serve { connection in
            while let bytes = connection.read(), !bytes.isEmpty { connection.write(bytes) }
        }
        let bare = try UnixConnection(to: folder + "/echo/socket", deadline: .now + .seconds(10))
        let bytes = try GetClientState(index).frame(number: 1).encoded
        let bounce = {
            try bare.send(bytes, deadline: .now + .seconds(10))
            use(try bare.receive(upTo: 4096, deadline: .now + .seconds(10)))
        }
        var (calls, bounces): ([Double], [Double]) = ([], [])
        for _ in 0..<count {
            calls.append(try time { call() })
            bounces.append(try time { try bounce() })
        }
        let (one, other) = (median(calls), median(bounces))
        return [
            Figure("library, a call", one * 1e6, "µs"),
            Figure("library, bytes through a socket", other * 1e6, "µs"),
            Figure("library, a call, ratio", one / other, "×", reach: .atMost(2)),
        ]
    }

    private static func time(_ body: () throws -> Void) rethrows -> Double {
        let started = ContinuousClock.now
        try body()
        return (ContinuousClock.now - started).seconds
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    // MARK: Starting

    /// What a program takes to start and end that imports CoreSpotlight, and one that imports Foundation alone.
    private static func starts(_ count: Int, in folder: TemporaryFolder) throws -> [Figure] {
        var (times, memories): ([[Double]], [[Double]]) = ([[], []], [[], []])
        for round in 0..<count {
            for place in round % 2 == 0 ? [0, 1] : [1, 0] {
                let program = try NodeHome.program(["StartFoundation", "StartCoreSpotlight"][place])
                let started = ContinuousClock.now
                let process = try ChildProcess(
                    [program], environment: [:], files: folder.path + "/start-\(place)-\(round)")
                guard try process.wait() == 0 else {
                    throw BenchmarkFailure("\(program): \(process.errors)")
                }
                times[place].append((ContinuousClock.now - started).seconds)
                memories[place].append(Double(process.output.filter(\.isNumber)) ?? .nan)
            }
        }
        let (bare, full) = (times.map(median), memories.map(median))
        return [
            Figure("library, start with Foundation", bare[0] * 1000, "ms"),
            Figure("library, start, added", (bare[1] - bare[0]) * 1000, "ms", reach: .atMost(5)),
            Figure("library, memory with Foundation", full[0] / 1024, "MiB"),
            Figure("library, memory, added", (full[1] - full[0]) / 1024, "MiB", reach: .atMost(3)),
        ]
    }
}
