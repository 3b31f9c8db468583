/// The earlier lives of a device that one of its lives follows in a lane.
///
/// For each, it has the last transaction that the device had claimed when the new life began.
///
/// The record is in the new life's first transaction. So a device that claims anything of the new life also claims the
/// earlier lives, and a vector that names the new life need not name the earlier ones.
package struct Succession: Equatable, Sendable {
    package let origin: Origin
    /// The last transaction of each earlier life that this life follows, in the order of origins.
    package let follows: [Dot]

    /// Creates the succession of a life that begins when the device has the claims `complete`; nil if the life follows
    /// no other.
    package init?(beginning origin: Origin, after complete: VersionVector, _ lineage: Lineage) {
        let earlier = complete.sorted.filter { Self.mayFollow($0.origin, origin) }
        let least = lineage.reduced(VersionVector(earlier.lazy.map { ($0.origin, $0.sequence) }))
        guard !least.isEmpty else { return nil }
        self.origin = origin
        follows = least.sorted.prefix(Limits.followedOrigins).map {
            Dot(origin: $0.origin, sequence: $0.sequence)
        }
    }

    /// Reads the succession that a life wrote when it began; nil if the record is anything else.
    ///
    /// The author is identified by the record's stamp and not by its dot. If a life is lost, other devices adopt its
    /// writes, including this record, under other dots.
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
            // A life whose succession can't be read follows no life, so vectors must name the earlier lives, too.
            return nil
        }
        guard let vector, vector.count <= Limits.followedOrigins,
            vector.sorted.allSatisfy({ Self.mayFollow($0.origin, origin) })
        else { return nil }
        self.origin = origin
        follows = vector.sorted.map { Dot(origin: $0.origin, sequence: $0.sequence) }
    }

    /// Whether a life may follow another one.
    ///
    /// A life follows only earlier lives of the same device, so no two lives can follow each other.
    private static func mayFollow(_ earlier: Origin, _ later: Origin) -> Bool {
        earlier.lane == later.lane && earlier.life < later.life && earlier.life.isOfDevice(of: later.life)
    }

    /// Returns the key of the record.
    package static func key(of origin: Origin) -> RecordKey {
        RecordKey(kind: .succession(in: origin.lane), parts: 1) { $0.identifier(origin.life) }
    }

    /// Returns the stamp of the succession that a life writes.
    private static func stamp(of life: Life) -> Stamp { Stamp(time: life.birth, life: life) }

    private enum Number {
        static let follows: UInt64 = 1
    }

    /// Returns the write of this record, at the given place of the life's first transaction.
    package func write(at place: Int) -> Write {
        let vector = VersionVector(follows.lazy.map { ($0.origin, $0.sequence) })
        let fields = Fields { fields in fields.field(Number.follows) { vector.encode(to: &$0) } }
        return Write(
            dot: Dot(origin: origin, sequence: 1, place: UInt32(place)), key: Self.key(of: origin),
            stamp: Self.stamp(of: origin.life),
            action: .full(Write.Content(fields: fields)))
    }
}
