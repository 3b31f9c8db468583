/// What a record is about.
///
/// Kinds that a newer version adds are kept and passed on like the others.
package struct RecordKind: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// What an app instance is doing now; named by device, app and instance.
    package static let currentActivity = RecordKind(rawValue: 1)
    /// What someone may go back to; named by app and persistent identifier.
    package static let savedActivity = RecordKind(rawValue: 2)
    /// A searchable thing; named by app, index and identifier.
    package static let item = RecordKind(rawValue: 3)
    /// Where an indexing job stands; named by app and index.
    package static let clientState = RecordKind(rawValue: 4)
    /// A device of the account; named by the device.
    package static let device = RecordKind(rawValue: 5)
    /// That everything in a scope is deleted; named by the scope.
    package static let clear = RecordKind(rawValue: 6)
    /// How often and how recently a thing was opened; named as the thing is.
    package static let engagement = RecordKind(rawValue: 7)

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Names one record of the account: its kind, and a name that the kind gives a form to.
package struct RecordKey: Hashable, Sendable {
    package let kind: RecordKind
    /// One deterministic CBOR value.
    package let name: [UInt8]

    package init(kind: RecordKind, name: [UInt8]) { (self.kind, self.name) = (kind, name) }

    /// A key whose name is an array that the closure writes.
    package init(kind: RecordKind, parts: Int, _ write: (inout CBORWriter) -> Void) {
        var writer = CBORWriter()
        writer.array(count: parts)
        write(&writer)
        self.init(kind: kind, name: writer.bytes)
    }

    /// The longest name that a key may have, encoded.
    package static let nameBytes = 4096

    /// What stands for this key where it is only compared.
    package var identity: RecordIdentity {
        var hash = SHA256()
        var writer = CBORWriter()
        writer.unsigned(kind.rawValue)
        hash.update(writer.bytes)
        hash.update(name)
        return RecordIdentity(kind: kind, hash: KeyHash(digest: hash.finish()))
    }
}

/// The first sixteen bytes of the SHA-256 of a key's kind and name, both encoded.
package struct KeyHash: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    fileprivate init(digest: [UInt8]) {
        self.init(
            high: digest[..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) })
    }
}

/// Tells one record from all others without its name.
///
/// It is all that is left of a name once its record is deleted; and records stand in its order, which no
/// choice of names can make uneven.
package struct RecordIdentity: Hashable, Comparable, Sendable {
    package let kind: RecordKind
    package let hash: KeyHash

    package init(kind: RecordKind, hash: KeyHash) { (self.kind, self.hash) = (kind, hash) }

    package static func < (left: Self, right: Self) -> Bool {
        (left.kind, left.hash) < (right.kind, right.hash)
    }
}
