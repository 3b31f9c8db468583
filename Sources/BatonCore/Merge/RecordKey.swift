/// What a record is about.
///
/// Kinds that a newer version adds are kept and passed on like the others; what they need to be merged, every
/// version reads off the number: its lowest bit is the lane, and the first eight are permanent.
package struct RecordKind: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The largest number of a kind.
    package static let largest = UInt64(Int64.max)

    // MARK: Permanent kinds, whose records can't be deleted

    /// That everything in a scope of the activities lane is deleted; named by the scope.
    package static let activitiesClear = RecordKind(rawValue: 0)
    /// That everything in a scope of the index lane is deleted; named by the scope.
    package static let indexClear = RecordKind(rawValue: 1)
    /// Who belongs to the account, or does no longer; named by a signed statement.
    package static let rosterStatement = RecordKind(rawValue: 2)

    /// That more than one machine wrote in a life; named by the life.
    package static let sharedLife = RecordKind(rawValue: 4)
    /// What a life follows in the activities lane; named by the life.
    package static let activitiesSuccession = RecordKind(rawValue: 6)
    /// What a life follows in the index lane; named by the life.
    package static let indexSuccession = RecordKind(rawValue: 7)

    // MARK: The activities lane

    /// What an app instance is doing now; named by device, app and instance.
    package static let currentActivity = RecordKind(rawValue: 8)
    /// What someone may go back to; named by app and persistent identifier.
    package static let savedActivity = RecordKind(rawValue: 10)
    /// What is told of a device; named by the device.
    package static let device = RecordKind(rawValue: 12)

    // MARK: The index lane

    /// A searchable thing; named by app, index and identifier.
    package static let item = RecordKind(rawValue: 9)
    /// Where an indexing job stands; named by app and index.
    package static let clientState = RecordKind(rawValue: 11)
    /// How often and how recently a thing was opened; named by the thing's kind and name.
    package static let engagement = RecordKind(rawValue: 13)

    // MARK: Queries

    /// The lane in which all records of this kind are.
    package var lane: Lane { rawValue & 1 == 0 ? .activities : .index }

    /// Whether a record of this kind stays for good: only full writes say anything of it, and no clear does.
    ///
    /// Else who saw it before it was taken back would differ from who did not.
    package var isPermanent: Bool { rawValue < 8 }

    /// Whether records of this kind say how far a job came, and so speak of other records.
    package var isCheckpoint: Bool { self == .clientState }

    /// Whether records of this kind are swept once they have expired.
    ///
    /// Of other kinds, which a newer version may add, nobody can say here what counts beside them.
    package var isSwept: Bool { [.currentActivity, .item, .savedActivity].contains(self) }

    /// Whether records of this kind delete what others say.
    package var isClear: Bool { self == .activitiesClear || self == .indexClear }

    /// The kind of clears of a lane.
    package static func clear(in lane: Lane) -> RecordKind {
        switch lane {
        case .activities: .activitiesClear
        case .index: .indexClear
        }
    }

    /// The kind of successions of a lane.
    package static func succession(in lane: Lane) -> RecordKind {
        switch lane {
        case .activities: .activitiesSuccession
        case .index: .indexSuccession
        }
    }

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

    /// The first bytes of a digest.
    init(digest: [UInt8]) {
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
