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
        name: "library",
        what: "an app with Apple's libraries, against the store, a socket and Foundation alone"
    ) { settings in
        let folder = try TemporaryFolder()
        let home = try AppHome()
        var figures: [Figure] = []
        figures += try indexing(settings.pick(100_000, quick: 5000), in: 500, folder.path)
        // While the node has no other items than the store alone.
        figures += try firstResults(settings.pick(200, quick: 20), folder.path)
        figures += try indexing(settings.pick(100_000, quick: 2000), in: 100, folder.path)
        figures += try indexing(settings.pick(5000, quick: 200), in: 1, folder.path)
        figures += try roundTrips(settings.pick(20_000, quick: 10_000), home.path, folder.path)
        try home.stop()
        return try figures + starts(settings.pick(60, quick: 6), in: folder)
    }

    // MARK: Indexing

    /// The folder of the store alone, and the name of the index, for calls of some size.
    private static func names(_ size: Int, _ folder: String) -> (store: String, index: String) {
        ("\(folder)/alone-\(size)", "items \(size)")
    }

    /// Indexes items in calls of some size through the library and its node, and the same in the store alone.
    private static func indexing(_ count: Int, in size: Int, _ folder: String) throws -> [Figure] {
        let names = names(size, folder)
        try makeFolder(names.store)
        let store = try FilledStore(names.store)
        let index = CSSearchableIndex(name: names.index)
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
                let name = ItemName(app: AppHome.app, index: names.index, identifier: sample.identifier)
                return Journal.Draft(.full(sample.item.content(name)), name.key)
            }
            let turns = [
                {
                    library.add {
                        index.indexSearchableItems(items) { error in
                            if let error { fatalError("the library could not index: \(error)") }
                            answered.signal()
                        }
                        answered.wait()
                    }
                },
                { try alone.add { use(try store.store.commit(try store.transaction(drafts))) } },
            ]
            for turn in first / size % 2 == 0 ? turns : turns.reversed() { try turn() }
        }
        try store.settle(most: 5000)
        let name = "library, \(size) in a call"
        return [
            Figure(name, Double(count) / library.seconds, "items a second"),
            Figure("\(name), store alone", Double(count) / alone.seconds, "items a second"),
            Figure(
                "\(name), ratio", library.seconds / alone.seconds, "×", reach: size == 500 ? .atMost(2) : nil),
        ]
    }

    // MARK: Queries

    /// How long an app waits for the first result of a query, and a reader of the same items in a store alone.
    private static func firstResults(_ count: Int, _ folder: String) throws -> [Figure] {
        let names = names(500, folder)
        let reader = try SearchReader(folder: names.store, stop: SearchStop(questionsMost: .max))
        let scope = SearchScope(filter: SearchFilter(app: AppHome.app, kind: .item))
        let now = WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        let queries = [
            ("range", "InRange(pageCount, 20, 30)"),
            ("type", #"contentType == "net.daringfireball.markdown""#),
        ]
        return try queries.flatMap { name, text in
            let query = try SearchQuery(text, at: PresentTime(now) { _ in 0 })
            var (library, alone): ([Double], [Double]) = ([], [])
            for _ in 0..<count {
                library.append(time { awaitFirstResult(text) })
                alone.append(
                    try time {
                        let search = PagedSearch(
                            words: nil, query: query, order: .found, most: Limits.streamedResults,
                            pageMost: Limits.foundItems)
                        let page = try reader.begin(1, search, at: now, in: scope)
                        guard !page.things.isEmpty else {
                            throw BenchmarkFailure("the store finds nothing for \(text)")
                        }
                    })
            }
            return [
                Figure("library, first result, \(name)", library.median * 1000, "ms"),
                Figure("library, first result, \(name), store alone", alone.median * 1000, "ms"),
                Figure(
                    "library, first result, \(name), ratio", library.median / alone.median, "×",
                    reach: .atMost(1.5)),
            ]
        }
    }

    /// Asks a query through the library until its first result.
    private static func awaitFirstResult(_ text: String) {
        let (found, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let context = CSSearchQueryContext()
        context.fetchAttributes = ["title", "contentDescription"]
        let query = CSSearchQuery(queryString: text, queryContext: context)
        query.foundItemsHandler = { _ in found.signal() }
        query.completionHandler = { _ in
            // A query that finds nothing would end before its first result.
            guard query.foundItemCount > 0 else { fatalError("the library finds nothing for \(text)") }
            ended.signal()
        }
        query.start()
        found.wait()
        query.cancel()
        ended.wait()
    }

    // MARK: Round trips

    /// The time of a call through the library's connection, and of as many bytes through a socket and back: by a thread that
    /// makes the calls of others as the library's does, and by the caller itself.
    ///
    /// The three take turns of some calls each, because the first call after another program's turn takes longer.
    private static func roundTrips(_ count: Int, _ home: String, _ folder: String) throws -> [Figure] {
        let client = NodeClient(try Home(option: home) { _ in nil })
        let answered = DispatchSemaphore(value: 0)
        let call = {
            client.ask(GetSettings()) { result in
                if case .failure(let failure) = result { fatalError("the node does not answer: \(failure)") }
                answered.signal()
            }
            answered.wait()
        }
        let path = folder + "/echo/socket"
        let echo = try Listening(atUnix: path)
        let bytes = try GetSettings().frame(number: 1).encoded
        let bare = try UnixConnection(to: path, deadline: .now + .seconds(10))
        let bounce = {
            try bare.send(bytes, deadline: .now + .seconds(10))
            use(try bare.receive(upTo: 4096, deadline: .now + .seconds(10)))
        }
        let thread = try BareCaller(at: path, bytes)
        // Each connection is served on a thread of its own.
        for _ in 0..<2 {
            guard let connection = echo.accept() else { throw BenchmarkFailure("nobody connects") }
            Thread.detachNewThread {
                while let bytes = connection.read(), !bytes.isEmpty { connection.write(bytes) }
            }
        }
        defer { thread.end() }
        var times: [[Double]] = [[], [], []]
        for round in 0...count / turnCalls {
            for place in times.indices {
                let spent = try (0..<turnCalls).map { _ in
                    switch place {
                    case 0: time { call() }
                    case 1: time { thread.call() }
                    default: try time { try bounce() }
                    }
                }
                // The first turns also connect.
                if round > 0 { times[place].append(spent.median) }
            }
        }
        let medians = times.map(\.median)
        return [
            Figure("library, a call", medians[0] * 1e6, "µs"),
            Figure("library, bytes through a socket, by a thread", medians[1] * 1e6, "µs"),
            Figure("library, bytes through a socket", medians[2] * 1e6, "µs"),
            Figure("library, a call, ratio", medians[0] / medians[1], "×", reach: .atMost(2)),
            Figure("library, a call, to the caller's own socket", medians[0] / medians[2], "×"),
        ]
    }

    /// How many calls a turn has.
    private static let turnCalls = 50

    /// A thread that writes bytes to a socket and reads the answer, whenever another thread wants it.
    private final class BareCaller: Sendable {
        private let bell: Bell
        private let answered = DispatchSemaphore(value: 0)
        private let isOver = Monitor(false)

        init(at path: String, _ bytes: [UInt8]) throws {
            bell = try Bell()
            Thread.detachNewThread { [self] in
                do {
                    try serve(path, bytes)
                } catch {
                    fatalError("the socket failed: \(error)")
                }
            }
        }

        private func serve(_ path: String, _ bytes: [UInt8]) throws {
            let connection = try UnixConnection(to: path, deadline: .now + .seconds(10))
            while true {
                let ready = Waiting.forOne(
                    of: [(bell.descriptor, Int16(POLLIN)), (connection.descriptor, Int16(POLLIN))])
                if ready[0] {
                    bell.clear()
                    if isOver.change({ $0 }) { return }
                    guard try connection.sendNow(bytes[...]) == bytes.count else {
                        throw BenchmarkFailure("the socket is full")
                    }
                }
                guard ready[1] else { continue }
                use(try connection.receiveNow(upTo: 64 << 10))
                answered.signal()
            }
        }

        func call() {
            bell.ring()
            answered.wait()
        }

        func end() {
            isOver.change { $0 = true }
            bell.ring()
        }
    }

    private static func time(_ body: () throws -> Void) rethrows -> Double {
        let started = ContinuousClock.now
        try body()
        return (ContinuousClock.now - started).seconds
    }

    // MARK: Starting

    /// The time and memory that a program needs to start and end, with CoreSpotlight and with Foundation alone.
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
        let (bare, full) = (times.map(\.median), memories.map(\.median))
        return [
            Figure("library, start with Foundation", bare[0] * 1000, "ms"),
            Figure("library, start, added", (bare[1] - bare[0]) * 1000, "ms", reach: .atMost(5)),
            Figure("library, memory with Foundation", full[0] / 1024, "MiB"),
            Figure("library, memory, added", (full[1] - full[0]) / 1024, "MiB", reach: .atMost(3)),
        ]
    }
}
