/// The kind of thing that a record describes.
///
/// A device also keeps and passes on records of kinds that only a newer version knows. To merge such records, a device
/// needs only the number of the kind. The lowest bit is the lane, and the first eight kinds are permanent.
package struct RecordKind: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The largest number that a kind can have.
    package static let largest = UInt64(Int64.max)

    // MARK: Permanent kinds, whose records can't be deleted

    /// A clear of everything in a scope of the activities lane; its name is the scope.
    package static let activitiesClear = RecordKind(rawValue: 0)
    /// A clear of everything in a scope of the index lane; its name is the scope.
    package static let indexClear = RecordKind(rawValue: 1)
    /// A statement that a device belongs to the account, or that a device or an owner no longer does.
    ///
    /// Its name is the signed statement.
    package static let rosterStatement = RecordKind(rawValue: 2)

    /// A note that more than one machine wrote in a life; its name is the life.
    package static let sharedLife = RecordKind(rawValue: 4)
    /// The earlier lives that a life follows in the activities lane; its name is the life.
    package static let activitiesSuccession = RecordKind(rawValue: 6)
    /// The earlier lives that a life follows in the index lane; its name is the life.
    package static let indexSuccession = RecordKind(rawValue: 7)

    // MARK: The activities lane

    /// The current activity of an app instance; its name consists of the device, the app and the instance.
    package static let currentActivity = RecordKind(rawValue: 8)
    /// A saved activity that a person may go back to; its name consists of the app and the persistent identifier.
    package static let savedActivity = RecordKind(rawValue: 10)
    /// The data of the account about a device; its name is the device.
    package static let device = RecordKind(rawValue: 12)
    /// A focus of the person, with its settings of apps; named by the person's name for it.
    package static let focus = RecordKind(rawValue: 14)
    /// The focus that is on; a single record.
    package static let presentFocus = RecordKind(rawValue: 16)

    // MARK: The index lane

    /// An item that searches find; its name consists of the app, the index and the identifier.
    package static let item = RecordKind(rawValue: 9)
    /// The client state of an indexing job; its name consists of the app and the index.
    package static let clientState = RecordKind(rawValue: 11)
    /// A count of how often and how recently a thing was opened; its name consists of the kind and the name of the
    /// thing.
    package static let engagement = RecordKind(rawValue: 13)
    /// The description of a type of entities that an app indexes; its name consists of the app and the type.
    package static let entityType = RecordKind(rawValue: 15)

    // MARK: Queries

    /// The lane of all records of this kind.
    package var lane: Lane { rawValue & 1 == 0 ? .activities : .index }

    /// Whether a record of this kind is permanent: it is changed only by full writes, and no deletion or clear removes
    /// it.
    ///
    /// If such a record could be removed, devices that saw it before its removal would differ from devices that did
    /// not.
    package var isPermanent: Bool { rawValue < 8 }

    /// Whether a deletion or a clear may end a record of this kind; it may not end the record of a device.
    package var isDeletable: Bool { !isPermanent && self != .device }

    /// Whether a record of this kind is valid only with the signature of an owner or a device.
    package var isSigned: Bool { self == .rosterStatement || self == .device }

    /// Whether records of this kind state the progress of a job, and so depend on other records.
    package var isCheckpoint: Bool { self == .clientState }

    /// Whether records of this kind are swept when they have expired.
    ///
    /// A kind that only a newer version knows is not swept, because its sweep may need conditions that this version
    /// does not know.
    package var isSwept: Bool { [.currentActivity, .item, .savedActivity].contains(self) }

    /// Whether records of this kind delete other records.
    package var isClear: Bool { self == .activitiesClear || self == .indexClear }

    /// Returns the kind of a clear in a lane.
    package static func clear(in lane: Lane) -> RecordKind {
        switch lane {
        case .activities: .activitiesClear
        case .index: .indexClear
        }
    }

    /// Returns the kind of a succession in a lane.
    package static func succession(in lane: Lane) -> RecordKind {
        switch lane {
        case .activities: .activitiesSuccession
        case .index: .indexSuccession
        }
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The key of a record of the account: the kind of the record and its name.
///
/// The kind decides the form of the name.
package struct RecordKey: Hashable, Sendable {
    package let kind: RecordKind
    /// The name, as one value in deterministic CBOR.
    package let name: [UInt8]
    /// The identity, which has the hash of the key; nil if it was not computed yet.
    private let known: RecordIdentity?

    package init(kind: RecordKind, name: [UInt8]) { (self.kind, self.name, known) = (kind, name, nil) }

    /// Creates a key whose hash was computed already.
    package init(_ identity: RecordIdentity, name: [UInt8]) {
        (kind, self.name, known) = (identity.kind, name, identity)
    }

    /// Creates a key; its name is an array of `parts` values, which the closure writes.
    package init(kind: RecordKind, parts: Int, _ write: (inout CBORWriter) -> Void) {
        var writer = CBORWriter()
        writer.array(count: parts)
        write(&writer)
        self.init(kind: kind, name: writer.bytes)
    }

    /// The largest number of bytes that an encoded name can have.
    package static let nameBytes = 4096

    /// The identity of the record, which has the hash of this key and stands for the key in comparisons.
    package var identity: RecordIdentity {
        if let known { return known }
        var hash = SHA256()
        var head = CBORWriter(reserving: 9)
        head.unsigned(kind.rawValue)
        hash.update(head.bytes)
        hash.update(name)
        return RecordIdentity(kind: kind, hash: KeyHash(hash))
    }

    /// The same key, with its identity already computed.
    package var hashed: RecordKey { RecordKey(identity, name: name) }

    package static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.name == right.name
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(name)
    }
}

/// The hash of a key: the first sixteen bytes of the SHA-256 of the encoded kind and the encoded name.
package struct KeyHash: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Creates a key hash from the first sixteen bytes of a hash's digest.
    init(_ hash: consuming SHA256) {
        let words = hash.finishWords()
        self.init(high: words.0, low: words.1)
    }

    /// Creates a key hash from the first sixteen bytes of a digest.
    init(digest: [UInt8]) {
        self.init(
            high: digest[..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) })
    }
}

/// Identifies a record without its name, by its kind and the hash of its key.
///
/// After a deletion, the identity is all that is left of the name. Stores sort records by identity. Nobody can make
/// this order uneven by choosing names.
package struct RecordIdentity: Hashable, Comparable, Sendable {
    package let kind: RecordKind
    package let hash: KeyHash

    package init(kind: RecordKind, hash: KeyHash) { (self.kind, self.hash) = (kind, hash) }

    /// Uses only half of the key's hash, which is enough to tell the records of a lane apart.
    package func hash(into hasher: inout Hasher) { hasher.combine(hash.low) }

    package static func < (left: Self, right: Self) -> Bool {
        (left.kind, left.hash) < (right.kind, right.hash)
    }
}
