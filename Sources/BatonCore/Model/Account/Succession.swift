/// What a life follows in a lane: how far its device had claimed earlier lives of its own when this one began.
///
/// It stands in the life's first transaction, so that whoever claims anything of the life claims those, too, and no
/// vector that names this life needs to name them.
package struct Succession: Equatable, Sendable {
    package let origin: Origin
    /// The last transactions, one of each origin, in the order of origins.
    package let follows: [Dot]

    /// The most origins that a life follows; what is beyond, a later one may.
    package static let originsMost = 1024

    /// A life that begins where that is claimed; nothing if it follows none.
    package init?(beginning origin: Origin, after complete: VersionVector, _ lineage: Lineage) {
        let earlier = complete.sorted.filter { Self.mayFollow($0.origin, origin) }
        let least = lineage.reduced(VersionVector(earlier.lazy.map { ($0.origin, $0.sequence) }))
        guard !least.isEmpty else { return nil }
        self.origin = origin
        follows = least.sorted.prefix(Self.originsMost).map { Dot(origin: $0.origin, sequence: $0.sequence) }
    }

    /// What a record says that the life wrote itself, as it began; nothing if it says something else.
    ///
    /// The stamp tells that, and not the dot: a life that was lost is adopted, and this with it.
    package init?(_ record: Record) {
        let (kind, life) = (record.identity.kind, record.incarnation.life)
        let origin = Origin(life: life, lane: kind.lane)
        guard kind == .succession(in: origin.lane), case .full(_, let content) = record.opening,
            record.incarnation == Self.stamp(of: life), record.identity == Self.key(of: origin).identity
        else { return nil }
        var vector: VersionVector?
        do throws(CBORError) {
            _ = try content.fields.read { (name, reader) throws(CBORError) in
                if name == .number(Number.follows) { vector = try VersionVector(from: &reader) }
            }
        } catch {
            // A form that means nothing: such a life follows none, and is named beside all others.
            return nil
        }
        guard let vector, vector.count <= Self.originsMost,
            vector.sorted.allSatisfy({ Self.mayFollow($0.origin, origin) })
        else { return nil }
        self.origin = origin
        follows = vector.sorted.map { Dot(origin: $0.origin, sequence: $0.sequence) }
    }

    /// Only earlier lives of the same device are followed, so that no two follow each other.
    private static func mayFollow(_ earlier: Origin, _ later: Origin) -> Bool {
        earlier.lane == later.lane && earlier.life < later.life && earlier.life.isOfDevice(of: later.life)
    }

    /// The key of the record.
    package static func key(of origin: Origin) -> RecordKey {
        RecordKey(kind: .succession(in: origin.lane), parts: 1) { $0.identifier(origin.life) }
    }

    /// The stamp that a life gives to what it follows.
    private static func stamp(of life: Life) -> Stamp { Stamp(time: life.birth, life: life) }

    private enum Number {
        static let follows: UInt64 = 1
    }

    /// The write at that place of the life's first transaction.
    package func write(at place: Int) -> Write {
        let vector = VersionVector(follows.lazy.map { ($0.origin, $0.sequence) })
        let fields = Fields { fields in fields.field(Number.follows) { vector.encode(to: &$0) } }
        return Write(
            dot: Dot(origin: origin, sequence: 1, place: UInt32(place)), key: Self.key(of: origin),
            stamp: Self.stamp(of: origin.life),
            action: .full(Write.Content(fields: fields)))
    }
}
