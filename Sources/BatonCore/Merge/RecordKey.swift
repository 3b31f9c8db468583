/// The kind of thing that a record describes.
///
/// Kinds that a newer version adds are kept and passed on like the others. The number alone says what every version
/// needs to merge them: the lowest bit is the lane, and the first eight kinds are permanent.
package struct RecordKind: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The largest number that a kind can have.
    package static let largest = UInt64(Int64.max)

    // MARK: Permanent kinds, whose records can't be deleted

    /// A clear of everything in a scope of the activities lane; named by the scope.
    package static let activitiesClear = RecordKind(rawValue: 0)
    /// A clear of everything in a scope of the index lane; named by the scope.
    package static let indexClear = RecordKind(rawValue: 1)
    /// A statement of who belongs to the account or no longer does; named by the signed statement.
    package static let rosterStatement = RecordKind(rawValue: 2)

    /// A note that more than one machine wrote in a life; named by the life.
    package static let sharedLife = RecordKind(rawValue: 4)
    /// The earlier lives that a life follows in the activities lane; named by the life.
    package static let activitiesSuccession = RecordKind(rawValue: 6)
    /// The earlier lives that a life follows in the index lane; named by the life.
    package static let indexSuccession = RecordKind(rawValue: 7)

    // MARK: The activities lane

    /// The current activity of an app instance; named by device, app and instance.
    package static let currentActivity = RecordKind(rawValue: 8)
    /// A saved activity that a person may go back to; named by app and persistent identifier.
    package static let savedActivity = RecordKind(rawValue: 10)
    /// The account's data about a device; named by the device.
    package static let device = RecordKind(rawValue: 12)

    // MARK: The index lane

    /// A searchable thing; named by app, index and identifier.
    package static let item = RecordKind(rawValue: 9)
    /// The client state of an indexing job; named by app and index.
    package static let clientState = RecordKind(rawValue: 11)
    /// A count of how often and how recently a thing was opened; named by the thing's kind and name.
    package static let engagement = RecordKind(rawValue: 13)

    // MARK: Queries

    /// The lane of all records of this kind.
    package var lane: Lane { rawValue & 1 == 0 ? .activities : .index }

    /// Whether a record of this kind is permanent: only full writes change it, and no deletion or clear removes it.
    ///
    /// Otherwise devices that saw the record before its removal would differ from devices that did not.
    package var isPermanent: Bool { rawValue < 8 }

    /// Whether a deletion or a clear may end a record of this kind: nobody deletes the record of a device.
    package var isDeletable: Bool { !isPermanent && self != .device }

    /// Whether a record of this kind counts only with the signature of an owner or a device.
    package var isSigned: Bool { self == .rosterStatement || self == .device }

    /// Whether records of this kind state the progress of a job, and so refer to other records.
    package var isCheckpoint: Bool { self == .clientState }

    /// Whether records of this kind are swept once they have expired.
    ///
    /// Sweeping a kind that a newer version adds may need conditions that this version does not know.
    package var isSwept: Bool { [.currentActivity, .item, .savedActivity].contains(self) }

    /// Whether records of this kind delete other records.
    package var isClear: Bool { self == .activitiesClear || self == .indexClear }

    /// Returns the kind of the clears of a lane.
    package static func clear(in lane: Lane) -> RecordKind {
        switch lane {
        case .activities: .activitiesClear
        case .index: .indexClear
        }
    }

    /// Returns the kind of the successions of a lane.
    package static func succession(in lane: Lane) -> RecordKind {
        switch lane {
        case .activities: .activitiesSuccession
        case .index: .indexSuccession
        }
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Names one record of the account by its kind and a name whose form the kind decides.
package struct RecordKey: Hashable, Sendable {
    package let kind: RecordKind
    /// The name: one deterministic CBOR value.
    package let name: [UInt8]
    /// The hash that stands for the key, if it was computed already.
    private let known: RecordIdentity?

    package init(kind: RecordKind, name: [UInt8]) { (self.kind, self.name, known) = (kind, name, nil) }

    /// Creates a key whose hash was computed already.
    package init(_ identity: RecordIdentity, name: [UInt8]) {
        (kind, self.name, known) = (identity.kind, name, identity)
    }

    /// Creates a key whose name is an array that the closure writes.
    package init(kind: RecordKind, parts: Int, _ write: (inout CBORWriter) -> Void) {
        var writer = CBORWriter()
        writer.array(count: parts)
        write(&writer)
        self.init(kind: kind, name: writer.bytes)
    }

    /// The most bytes of a key's encoded name.
    package static let nameBytes = 4096

    /// The hash that stands for this key in comparisons.
    package var identity: RecordIdentity {
        if let known { return known }
        var hash = SHA256()
        var head = CBORWriter(reserving: 9)
        head.unsigned(kind.rawValue)
        hash.update(head.bytes)
        hash.update(name)
        return RecordIdentity(kind: kind, hash: KeyHash(hash))
    }

    /// The same key with its hash already computed.
    package var hashed: RecordKey { RecordKey(identity, name: name) }

    package static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.name == right.name
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(name)
    }
}

/// The first sixteen bytes of the SHA-256 of a key's kind and name, both encoded.
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

/// Identifies a record without its name.
///
/// After a deletion, only the identity remains of the name. Records are stored in the order of identities, which no
/// choice of names can make uneven.
package struct RecordIdentity: Hashable, Comparable, Sendable {
    package let kind: RecordKind
    package let hash: KeyHash

    package init(kind: RecordKind, hash: KeyHash) { (self.kind, self.hash) = (kind, hash) }

    /// Half of the hash is enough to tell the records of a lane apart.
    package func hash(into hasher: inout Hasher) { hasher.combine(hash.low) }

    package static func < (left: Self, right: Self) -> Bool {
        (left.kind, left.hash) < (right.kind, right.hash)
    }
}
