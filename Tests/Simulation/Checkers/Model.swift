import BatonCore

/// The result of a set of writes, by the plainest reading of the rules and without the product's merging.
///
/// The latest of all full writes and deletions of a key wins. Changes count if they name it; counters count if they
/// were begun later; clears delete older records in their scope.
struct Model {
    /// The visible fields of each record that is there.
    private(set) var visible: [RecordIdentity: [FieldName: [UInt8]]] = [:]
    /// The writes behind the visible fields, and the deletions and clears in force.
    private var standing: Set<Dot> = []
    private var deletions: Set<Dot> = []
    private var clears: [Lane: [Scope: Write]] = [:]

    private let swept: Swept

    /// Treats a record that was swept somewhere as gone, but for counters that were begun later.
    init(_ writes: some Sequence<Write>, _ swept: Swept = Swept()) {
        self.swept = swept
        var byRecord: [RecordIdentity: [Write]] = [:]
        for write in writes {
            byRecord[write.identity, default: []].append(write)
            if write.identity.kind.isClear { take(write) }
        }
        for clear in clears.values.flatMap(\.values) { standing.insert(clear.dot) }
        for (identity, writes) in byRecord where !identity.kind.isClear { take(identity, writes) }
    }

    /// Returns whether a write shows in the result, or is the deletion in force.
    func shows(_ write: Write) -> Bool {
        write.action == .deletion ? deletions.contains(write.dot) : standing.contains(write.dot)
    }

    private mutating func take(_ write: Write) {
        guard let scope = Record(write).clear?.scope else { return }
        let lane = write.identity.kind.lane
        if let other = clears[lane]?[scope], Self.order(write) < Self.order(other) { return }
        clears[lane, default: [:]][scope] = write
    }

    private func isCleared(_ lane: Lane, _ scope: Scope, _ begun: Stamp) -> Bool {
        (clears[lane] ?? [:]).contains { !$0.key.isEmpty && scope.isWithin($0.key) && $0.value.stamp > begun }
    }

    private mutating func take(_ identity: RecordIdentity, _ writes: [Write]) {
        let isPermanent = identity.kind.isPermanent
        let opening = writes.filter { isPermanent ? $0.isFull : $0.isOpening }.max {
            Self.order($0) < Self.order($1)
        }
        let bases = writes.compactMap {
            if case .partial(let base, let fields) = $0.action, !fields.isEmpty { base } else { nil }
        }
        let incarnation = max(opening?.stamp, isPermanent ? nil : bases.max())
        let isSwept = incarnation.map { swept.contains(identity, $0) } ?? false
        var seen: [FieldName: (Write, [UInt8])] = [:]
        var isThere = false
        if !isSwept, let opening, opening.stamp == incarnation {
            switch opening.action {
            case .full(let content)
            where isPermanent || !isCleared(identity.kind.lane, content.scope, opening.stamp):
                isThere = true
                standing.insert(opening.dot)
                for field in content.fields { seen[field.name] = (opening, Array(field.value)) }
                change(
                    &seen,
                    writes.filter { write in
                        if case .partial(let base, _) = write.action {
                            base == incarnation && write.stamp >= base
                        } else {
                            false
                        }
                    })
            case .deletion: deletions.insert(opening.dot)
            default: break
            }
        }
        if !isPermanent, count(&seen, writes, after: incarnation) { isThere = true }
        guard isThere else { return }
        for (write, _) in seen.values { standing.insert(write.dot) }
        visible[identity] = seen.mapValues(\.1)
    }

    /// The latest change of each field.
    private func change(_ seen: inout [FieldName: (Write, [UInt8])], _ writes: [Write]) {
        for write in writes.sorted(by: { ($0.stamp, $0.dot) < ($1.stamp, $1.dot) }) {
            guard case .partial(_, let fields) = write.action else { continue }
            for field in fields { seen[field.name] = (write, Array(field.value)) }
        }
    }

    /// Adds the latest value of each counter that nothing ended, and returns whether there is one.
    private func count(
        _ seen: inout [FieldName: (Write, [UInt8])], _ writes: [Write], after incarnation: Stamp?
    ) -> Bool {
        var living: [(begun: Stamp, write: Write, content: Write.Content)] = []
        for write in writes {
            guard case .count(let begun, let content) = write.action, !content.fields.isEmpty,
                incarnation.map({ begun > $0 }) ?? true,
                !isCleared(write.identity.kind.lane, content.scope, begun)
            else { continue }
            living.append((begun, write, content))
        }
        living.sort { ($0.begun, $0.write.stamp, $0.write.dot) < ($1.begun, $1.write.stamp, $1.write.dot) }
        for (_, write, content) in living {
            for field in content.fields { seen[field.name] = (write, Array(field.value)) }
        }
        return !living.isEmpty
    }

    /// The order in which writes of one key win: the later stamp, a deletion, the later dot.
    private static func order(_ write: Write) -> (Stamp, Int, Dot) {
        (write.stamp, write.action == .deletion ? 1 : 0, write.dot)
    }

    private func max(_ one: Stamp?, _ two: Stamp?) -> Stamp? {
        guard let one, let two else { return one ?? two }
        return Swift.max(one, two)
    }
}

extension Record {
    /// When the record expires, read without the product's way to find and read a date.
    var plainExpiration: WallTime? {
        guard let value = (fields ?? Fields()).first(where: { $0.name == .expiration })?.value else {
            return nil
        }
        do throws(CBORError) {
            return try CBORReader.whole(value) { (reader) throws(CBORError) in
                WallTime(milliseconds: try reader.integer())
            }
        } catch {
            return nil
        }
    }

    /// Whether the record is past that expiration at a time.
    func isPlainlyExpired(at time: WallTime) -> Bool { plainExpiration.map { $0 <= time } ?? false }
}
