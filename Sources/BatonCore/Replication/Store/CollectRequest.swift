/// A request to the store to garbage-collect the tombstones that all devices of a roster have durably.
package struct CollectRequest: Equatable, Sendable {
    /// The devices that are waited for, including this device.
    ///
    /// This device may have named writes that are not stored yet. These may be older than what it claims, but not older
    /// than what it reported.
    package var roster: Set<DeviceIdentifier>
    /// The largest number of tombstones to remove at once.
    package var most: Int

    package init(roster: Set<DeviceIdentifier>, most: Int = Limits.collectedTombstones) {
        (self.roster, self.most) = (roster, most)
    }
}

extension Record {
    /// The write of this record that can be garbage-collected when every device has it: a deletion or a clear.
    package var tombstone: Write? {
        survivingWrites.first { $0.action == .deletion || (clear != nil && $0.isOpening) }
    }

    /// This record without its tombstone.
    ///
    /// Counters that began after the tombstone remain.
    package var withoutTombstone: Record {
        let left = survivingWrites.filter { $0 != tombstone }
        return left.isEmpty ? Record(identity) : Record(merging: left)
    }
}

extension Write {
    /// Whether this write begins an incarnation of its record.
    package var isOpening: Bool { !isPartial }
}
