import BatonCore
import BatonNode
import Glibc
import Support
import Synchronization
import Testing

/// Filling an index while others search it, in one process and through the node's socket.
///
/// `BATON_FILL_ITEMS` sets the number of items, and `BATON_FILL_SEARCHERS` the number of searchers, to measure larger
/// fills.
@Suite(.serialized) struct `Filling an index beside ten searchers` {
    private static let asked = getenv("BATON_FILL_ITEMS").flatMap { Int(String(cString: $0)) }
    private static let count = asked ?? 6000
    private static let searchers = getenv("BATON_FILL_SEARCHERS").flatMap { Int(String(cString: $0)) } ?? 10
    /// A limit of the log that this number of items reaches.
    private static let logBytes = min(Limits().logBytes, count << 10)

    @Test func `keeps the log short, and searches during it report that they are incomplete`()
        throws
    {
        let node = try RunningNode.first(try TemporaryFolder()) { $0.logBytes = Self.logBytes }
        let searchers = Searchers(of: node, count: Self.searchers)
        defer { searchers.stop() }
        var fill = try Fill(of: node)
        let began = ContinuousClock.now
        try fill.write(Self.count, marked: "quintessential")
        let acknowledged = ContinuousClock.now
        let found = try fill.find("quintessential")
        searchers.stop()
        print(
            "\(Self.count) items in \(acknowledged - began), found after \(found.time);",
            "log \(fill.logMost >> 10) KiB at most; \(searchers.answers) searches")
        #expect(found.whole == 0, "no empty answer says that everything was searched")
        #expect(fill.logMost <= Self.logBytes && fill.logBytes <= Self.logBytes)
        #expect(searchers.answers >= Self.searchers)
    }

    @Test
    func `delays the digest, and meanwhile a request for the digest counts what remains to be cleared`()
        throws
    {
        let node = try RunningNode.first(try TemporaryFolder()) { limits in
            guard Self.asked == nil else { return }
            // Each step takes longer than zero, so the steps do not grow.
            (limits.digestSilence, limits.settlingStep) = (.milliseconds(50), .zero)
        }
        var fill = try Fill(of: node)
        try fill.write(Self.count, marked: "quintessential")
        _ = try fill.find("quintessential")
        try fill.clear("fill")
        let question = GetDigest(at: WallTime(milliseconds: Int64(time(nil)) * 1000))
        let cleared = ContinuousClock.now
        var left: [Int] = []
        try eventually("the digest") {
            switch try node.ask(question).get() {
            case .settling(let unsettled):
                left.append(unsettled.toClear)
                return false
            case .digest(_, let toClear):
                left.append(toClear)
                return true
            }
        }
        print("digest \(ContinuousClock.now - cleared) after a clear of \(Self.count), told \(left)")
        #expect(left.contains { $0 > 0 } && left == left.sorted(by: >), "\(left)")
    }
}

/// Connections that search without a pause.
final class Searchers: Sendable {
    private let isOver = Atomic(false)
    private let running: Atomic<Int>
    private let count = Atomic(0)

    init(of node: RunningNode, count: Int) {
        running = Atomic(count)
        let home = node.home
        for number in 0..<count {
            detach { [self] in
                search(home, number)
                running.subtract(1, ordering: .releasing)
            }
        }
    }

    private func search(_ home: Home, _ number: Int) {
        do {
            var peer = try LocalPeer(home)
            while !isOver.load(ordering: .relaxed) {
                _ = try peer.ask(SearchItems(["w", "note", "word", "no", "wo"][number % 5], most: 10))
                count.add(1, ordering: .relaxed)
            }
        } catch {
            Issue.record("a searcher failed: \(error)")
        }
    }

    /// The number of answered searches.
    var answers: Int { count.load(ordering: .relaxed) }

    /// Stops all searchers, and waits for their end.
    func stop() {
        isOver.store(true, ordering: .relaxed)
        _ = try? eventually("the end of the searchers") { running.load(ordering: .acquiring) == 0 }
    }
}

/// An app that fills its index, in batches of a thousand items.
struct Fill: ~Copyable {
    private static let index = ClientStateName(app: "org.example.notes", index: "notes")
    private let log: String
    private var app: LocalPeer
    private var batch: UInt64 = 0
    /// The greatest length of SQLite's log so far.
    private(set) var logMost = 0

    init(of node: borrowing RunningNode) throws {
        log = node.home.account() + "/index.sqlite-wal"
        app = try node.connect()
    }

    /// The length of SQLite's log now.
    var logBytes: Int {
        var status = stat()
        return stat(log, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Writes this number of items, the last of which contains the word.
    mutating func write(_ count: Int, marked word: String) throws {
        for start in stride(from: 0, to: count, by: 10_000) {
            batch += 1
            let end = min(start + 10_000, count)
            for part in stride(from: start, to: end, by: 250) {
                let changes = (part..<min(part + 250, end)).map { number in
                    Self.note(number, also: number == count - 1 ? word : "")
                }
                let place = BatchPlace(batch, offset: part - start)
                try take(ChangeIndex(Self.index, at: place, changes))
            }
            try take(EndBatch(Self.index, batch: batch, count: end - start, state: Array("\(end)".utf8)))
        }
    }

    /// Clears a domain.
    mutating func clear(_ domain: String) throws {
        try take(ChangeIndex(Self.index, [.clear(domain: domain)]))
    }

    private mutating func take<Call: LocalCall>(_ call: Call) throws where Call.Reply == IndexReply {
        let answer = try app.ask(call)
        guard answer == .success(IndexReply(passedOver: 0)) else {
            throw DeadlinePassed(description: "\(answer)")
        }
        logMost = max(logMost, logBytes)
    }

    /// Searches until the word is found; returns the time, and how many earlier answers claimed to be complete.
    mutating func find(_ word: String) throws -> (time: Duration, whole: Int) {
        let (start, deadline) = (ContinuousClock.now, ContinuousClock.now + .seconds(600))
        var whole = 0
        while ContinuousClock.now < deadline {
            let found = try app.ask(SearchItems(word, most: 5)).get()
            logMost = max(logMost, logBytes)
            if !found.items.isEmpty { return (ContinuousClock.now - start, whole) }
            if found.isWhole { whole += 1 }
        }
        throw DeadlinePassed(description: "\(word) was not found")
    }

    private static func note(_ number: Int, also word: String) -> IndexChange {
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string("Note \(number)"))
        attributes[.contentDescription] = .plain(
            .string(
                (0..<40).map { "word\((number &* 31 &+ $0 &* 7) % 5000)" }.joined(separator: " ") + " " + word
            ))
        return .item("\(number)", Item(domain: "fill.\(number % 7)", attributes: attributes))
    }
}
