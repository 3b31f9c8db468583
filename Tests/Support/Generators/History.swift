package import BatonCore

/// Several devices that write to a few keys, each naming its writes with a journal of its own, as real devices do.
package struct History {
    private var generator: SeededGenerator
    private var journals: [Journal] = []
    private let lane: Lane
    private let keys: Int
    private var now = WallTime(milliseconds: 1_000_000)
    private var incarnations: [RecordIdentity: [Stamp]] = [:]
    /// All transactions, in order.
    package private(set) var transactions: [StoreTransaction] = []

    package init(seed: UInt64, lane: Lane = .activities, authors: Int = 3, keys: Int = 4, length: Int) {
        (generator, self.lane, self.keys) = (SeededGenerator(seed: seed), lane, keys)
        for _ in 0..<authors { journals.append(Journal(life: generator.identifier(), latest: .zero)) }
        for _ in 0..<length { write() }
    }

    /// All writes, in order.
    package var writes: [Write] { transactions.flatMap(\.writes) }

    /// A vector that covers all of it.
    package var complete: VersionVector {
        transactions.reduce(into: VersionVector()) { $0.join($1.completing) }
    }

    private mutating func write() {
        let author = generator.number(0...journals.count - 1)
        let count = generator.number(1...3)
        let drafts = (0..<count).map { _ in
            generator.draft(lane, keys: keys, by: journals[author]) { incarnations[$0.identity]?.last }
        }
        now = now.advanced(by: .milliseconds(generator.number(0...5)))
        // Some authors have seen what others wrote, and some have not.
        if generator.chance(50), let latest = transactions.last?.clock { journals[author].witness(latest) }
        guard let transaction = journals[author].transaction(lane, drafts, now: now) else { return }
        for write in transaction.writes where !write.isPartial {
            incarnations[write.identity, default: []].append(write.stamp)
        }
        transactions.append(transaction)
    }
}

extension SeededGenerator {
    /// Returns one of few keys of a lane; some are of kinds without a meaning in any version.
    package mutating func key(_ lane: Lane, of count: Int) -> RecordKey {
        let kind = (chance(80) ? 8 : 900) + UInt64(lane.rawValue)
        return RecordKey(kind: RecordKind(rawValue: kind), parts: 1) {
            $0.unsigned(UInt64(number(1...count)))
        }
    }

    /// Returns a draft for the owner of a journal: a full write, a deletion, a clear, a count, or a change to a known
    /// incarnation.
    package mutating func draft(
        _ lane: Lane, keys: Int, by journal: Journal, incarnation: (RecordKey) -> Stamp?,
        counted: ((RecordKey) -> (begun: Stamp, scope: Scope)?)? = nil
    ) -> Journal.Draft {
        if chance(8) {
            return Journal.Draft(.full(Write.Content(fields: Fields())), scope().clearKey(in: lane))
        }
        let key = key(lane, of: keys)
        if chance(12) { return Journal.Draft(.deletion, key) }
        if chance(20) {
            let action = count(by: journal)
            guard let counted, case .count(_, let content) = action else { return Journal.Draft(action, key) }
            // A device that knows its counter continues it, or begins a new one.
            guard let (begun, scope) = counted(key) else { return Journal.Draft(counting: content, key) }
            return Journal.Draft(
                .count(begun: begun, Write.Content(scope: scope, fields: content.fields)), key)
        }
        guard chance(45), let base = incarnation(key) else {
            return Journal.Draft(.full(Write.Content(scope: scope(), fields: smallFields(0...3))), key)
        }
        return Journal.Draft(.partial(of: base, smallFields(1...3)), key)
    }

    /// Returns a count that begins now, or began some time ago.
    private mutating func count(by journal: Journal) -> Write.Action {
        let (latest, earlier) = (journal.clock.latest.value + 1, UInt64(number(0...30)) << 16)
        let time = chance(50) ? latest : latest - min(latest, earlier)
        let device = DeviceIdentifier(high: journal.life.high, low: journal.life.low)
        var fields = Fields()
        let value = bytes(1...4)
        for part in UInt64(1)...UInt64(number(1...2)) {
            fields[.part(part, device)] = encoded { $0.data(value) }
        }
        let begun = Stamp(time: HybridTime(value: time), life: journal.life)
        return .count(begun: begun, Write.Content(scope: scope(), fields: fields))
    }

    private func encoded(_ write: (inout CBORWriter) -> Void) -> [UInt8] {
        var writer = CBORWriter()
        write(&writer)
        return writer.bytes
    }

    private mutating func smallFields(_ count: ClosedRange<Int>) -> Fields {
        var fields = Fields()
        let (count, size) = (number(count), chance(10) ? 400 : 10)
        if count > 0, chance(15) { fields[.expiration] = encoded { $0.integer(Int64(number(0...3))) } }
        while fields.count < count {
            let value = bytes(1...size)
            fields.set(UInt64(number(1...5))) { $0.data(value) }
        }
        return fields
    }
}
