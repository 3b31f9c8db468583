/// Asks the store to garbage-collect tombstones that all devices of a roster have durably.
package struct CollectRequest: Equatable, Sendable {
    /// The devices that are waited for, including this device: its writes that are named and not yet stored may be
    /// older than what it claims, but not older than what it reported.
    package var roster: Set<DeviceIdentifier>
    /// The largest number of tombstones to remove at once.
    package var most: Int

    package init(roster: Set<DeviceIdentifier>, most: Int = Limits.collectedTombstones) {
        (self.roster, self.most) = (roster, most)
    }
}

extension Record {
    /// The write that is garbage-collected once every device has it: a deletion or a clear.
    package var tombstone: Write? {
        survivingWrites.first { $0.action == .deletion || (clear != nil && $0.isOpening) }
    }

    /// This record without its tombstone.
    ///
    /// Counters that began later remain.
    package var withoutTombstone: Record {
        let left = survivingWrites.filter { $0 != tombstone }
        return left.isEmpty ? Record(identity) : Record(merging: left)
    }
}

extension Write {
    /// Whether this write begins an incarnation.
    package var isOpening: Bool { !isPartial }
}
