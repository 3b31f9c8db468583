/// The earlier lives of a device that a life follows in a lane, as far as the device had claimed them when it began.
///
/// The record is in the life's first transaction, so a device that claims anything of the life claims the earlier lives
/// too, and a vector that names this life need not name them.
package struct Succession: Equatable, Sendable {
    package let origin: Origin
    /// The last transactions that the life follows, one for each origin, in the order of origins.
    package let follows: [Dot]

    /// Creates the succession of a life that begins with these claims; nil if it follows no life.
    package init?(beginning origin: Origin, after complete: VersionVector, _ lineage: Lineage) {
        let earlier = complete.sorted.filter { Self.mayFollow($0.origin, origin) }
        let least = lineage.reduced(VersionVector(earlier.lazy.map { ($0.origin, $0.sequence) }))
        guard !least.isEmpty else { return nil }
        self.origin = origin
        follows = least.sorted.prefix(Limits.followedOrigins).map {
            Dot(origin: $0.origin, sequence: $0.sequence)
        }
    }

    /// Reads the succession that a life wrote when it began; nil if the record says something else.
    ///
    /// The stamp identifies the author, not the dot: a lost life's writes are adopted under other dots, and this record
    /// with them.
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
            // A life with an unreadable succession follows no life, so vectors name it beside all others.
            return nil
        }
        guard let vector, vector.count <= Limits.followedOrigins,
            vector.sorted.allSatisfy({ Self.mayFollow($0.origin, origin) })
        else { return nil }
        self.origin = origin
        follows = vector.sorted.map { Dot(origin: $0.origin, sequence: $0.sequence) }
    }

    /// Whether a life may follow another: only earlier lives of the same device, so that no two lives follow each
    /// other.
    private static func mayFollow(_ earlier: Origin, _ later: Origin) -> Bool {
        earlier.lane == later.lane && earlier.life < later.life && earlier.life.isOfDevice(of: later.life)
    }

    /// Returns the key of the record.
    package static func key(of origin: Origin) -> RecordKey {
        RecordKey(kind: .succession(in: origin.lane), parts: 1) { $0.identifier(origin.life) }
    }

    /// Returns the stamp that a life gives to its succession.
    private static func stamp(of life: Life) -> Stamp { Stamp(time: life.birth, life: life) }

    private enum Number {
        static let follows: UInt64 = 1
    }

    /// Returns the write of this record at that place of the life's first transaction.
    package func write(at place: Int) -> Write {
        let vector = VersionVector(follows.lazy.map { ($0.origin, $0.sequence) })
        let fields = Fields { fields in fields.field(Number.follows) { vector.encode(to: &$0) } }
        return Write(
            dot: Dot(origin: origin, sequence: 1, place: UInt32(place)), key: Self.key(of: origin),
            stamp: Self.stamp(of: origin.life),
            action: .full(Write.Content(fields: fields)))
    }
}
