import BatonCore
import Support

/// Two multiplexers with a wire between them, apps that send and take at random, and a judge that knows what was sent.
///
/// Messages on the wire are encoded and decoded again; each direction keeps its order.
struct StreamPair {
    /// The bytes that one app of a stream has sent and received.
    struct App {
        var said: [UInt8] = []
        var isSilent = false
        /// The received bytes, and how many of them the app has taken.
        var heard: [UInt8] = []
        var taken = 0
        var hasHeardEnd = false
        var hasTakenEnd = false
        var isTakenElsewhere = false
        var breakage: StreamBreak?

        var isDone: Bool { isSilent && hasTakenEnd && isTakenElsewhere }
    }

    private var sides = [StreamMultiplexer(isDialler: true), StreamMultiplexer(isDialler: false)]
    private(set) var wires: [[Frame]] = [[], []]
    /// The apps of each side, by the numbers of their streams.
    private(set) var apps: [[UInt64: App]] = [[:], [:]]
    private(set) var refusals: [UInt64: StreamRefusal] = [:]
    private(set) var mostHeld = 0
    /// Streams that an app on that side broke.
    private(set) var broken: Set<UInt64> = []
    var refuses: Set<UInt64> = []
    /// The side whose app calls must all fail, or nil.
    var withheld: Int?

    static let identity = RecordIdentity(kind: .currentActivity, hash: KeyHash(high: 1, low: 2))

    var openCount: Int { sides[0].count + sides[1].count }

    /// Returns the bytes that an app has sent, received and taken.
    func app(_ side: Int, _ number: UInt64) -> App { apps[side][number] ?? App() }

    @discardableResult mutating func open(_ side: Int) -> UInt64? {
        guard let number = sides[side].open(Self.identity) else { return nil }
        drain(side)
        return number
    }

    mutating func say(_ side: Int, _ number: UInt64, _ bytes: [UInt8]) {
        guard maySay(side, number), !sides[side].isFull(number) else { return }
        apps[side][number]?.said += bytes
        sides[side].send(number, bytes)
        drain(side)
    }

    /// A function of its own, so that no copy of the sent bytes exists while they grow.
    private func maySay(_ side: Int, _ number: UInt64) -> Bool {
        guard let app = apps[side][number] else { return false }
        return !app.isSilent && app.breakage == nil
    }

    mutating func end(_ side: Int, _ number: UInt64) {
        guard maySay(side, number) else { return }
        apps[side][number]?.isSilent = true
        sides[side].end(number)
        drain(side)
    }

    mutating func take(_ side: Int, _ number: UInt64, most: Int = .max) {
        guard let app = apps[side][number], app.breakage == nil, !app.hasTakenEnd else { return }
        let count = min(most, app.heard.count - app.taken)
        apps[side][number]?.taken += count
        sides[side].take(number, count: count)
        if app.hasHeardEnd, app.taken + count == app.heard.count {
            apps[side][number]?.hasTakenEnd = true
            sides[side].takeEnd(number)
        }
        drain(side)
    }

    mutating func abort(_ side: Int, _ number: UInt64) {
        guard let app = apps[side][number], app.breakage == nil, !app.isDone else { return }
        broken.insert(number)
        apps[side][number]?.breakage = .appGone
        sides[side].abort(number, .appGone)
        drain(side)
    }

    /// Carries a message to a side.
    mutating func carry(to side: Int) throws {
        guard !wires[side].isEmpty else { return }
        let frame = wires[side].removeFirst()
        guard case .stream(let message) = try PeerMessage(frame) else { return }
        try sides[side].handleMessage(message)
        drain(side)
    }

    /// Sends a piece of bulk.
    mutating func pour(_ side: Int) {
        if let data = sides[side].nextData() { wires[1 - side].append(data.frame) }
        drain(side)
    }

    /// Ends the link on both sides; bytes in transit are lost.
    mutating func cut() {
        wires = [[], []]
        for side in 0...1 {
            sides[side].handleEnd()
            drain(side)
        }
    }

    /// Makes a side private: nothing may leave it any more.
    mutating func withhold(_ side: Int) {
        withheld = side
        sides[side].withhold()
        drain(side)
    }

    /// Handles all outputs except bulk.
    private mutating func drain(_ side: Int) {
        while let event = sides[side].nextEvent() { hear(side, event) }
        while let word = sides[side].nextWord() { wires[1 - side].append(word.frame) }
        mostHeld = max(mostHeld, sides[side].heldBytes)
    }

    private mutating func hear(_ side: Int, _ event: StreamEvent) {
        switch event {
        case .requested(let number, let identity):
            guard identity == Self.identity, !refuses.contains(number), withheld != side else {
                return sides[side].refuse(number, .gone)
            }
            if sides[side].accept(number) { apps[side][number] = App() }
        case .opened(let number): apps[side][number] = App()
        case .refused(let number, let refusal): refusals[number] = refusal
        case .data(let number, let bytes): apps[side][number]?.heard += bytes
        case .ended(let number): apps[side][number]?.hasHeardEnd = true
        case .taken(let number): apps[side][number]?.isTakenElsewhere = true
        case .roomMade: break
        case .broken(let number, let reason): apps[side][number, default: App()].breakage = reason
        }
    }
}
