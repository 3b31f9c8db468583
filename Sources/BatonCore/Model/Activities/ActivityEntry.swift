/// The index entry of an activity.
///
/// With the entry alone, the store can find the activity and sort it into a list, without reading the activity's
/// fields.
package struct ActivityEntry: Equatable, Sendable {
    package let identity: RecordIdentity
    /// The device on which the activity is or was current; nil if a saved activity does not name this device.
    package let device: DeviceIdentifier?
    package var changed: WallTime
    package let started: WallTime
    /// The time when the activity ended.
    ///
    /// It is the time of the last change if the record has no such time, for example because the activity is current.
    package let finish: WallTime
    package let expires: WallTime?
    /// The hash of the activity's type.
    package let type: KeyHash
    /// The device to which the person sent the activity.
    package let sent: DeviceIdentifier?
    /// The hash of the record that the activity had while it was current; nil if the activity has not ended.
    package let origin: KeyHash?
    /// The number of bytes of the activity's fields.
    package let byteCount: Int

    package init(
        identity: RecordIdentity, device: DeviceIdentifier?, changed: WallTime, started: WallTime,
        finish: WallTime, expires: WallTime?, type: KeyHash, sent: DeviceIdentifier?, origin: KeyHash?,
        byteCount: Int
    ) {
        self.identity = identity
        self.device = device
        self.changed = changed
        self.started = started
        self.finish = finish
        self.expires = expires
        self.type = type
        self.sent = sent
        (self.origin, self.byteCount) = (origin, byteCount)
    }

    /// Creates the entry of a record; nil if the record is deleted, is no activity, or can't be read.
    package init?(_ record: Record) {
        let found: (device: DeviceIdentifier?, activity: Activity)
        if let (name, activity) = record.activity {
            found = (name.device, activity)
        } else if let activity = record.savedActivity {
            found = (activity.origin?.device, activity)
        } else {
            return nil
        }
        let activity = found.activity
        self.init(
            identity: record.identity, device: found.device, changed: activity.changed,
            started: activity.started, finish: activity.end.time, expires: activity.expiration,
            type: Self.hash(ofType: activity.type), sent: activity.sent?.device,
            origin: activity.origin?.identity.hash, byteCount: record.fields?.encodedCount ?? 0)
    }

    /// Returns the hash of a type.
    package static func hash(ofType type: String) -> KeyHash {
        var hash = SHA256()
        hash.update(type.utf8)
        return KeyHash(hash)
    }
}

/// A query for activities in a store.
///
/// It also decides the order of the results.
package enum ActivityQuery: Equatable, Sendable {
    /// The current activities of a device, the most recently changed first.
    case current(on: DeviceIdentifier)
    /// The ended activities, the most recently changed first.
    case finished
    /// The ended activities of a device, the most recently changed first.
    case finishedOn(DeviceIdentifier)
    /// The ended activities whose own hashes are in the range, in ascending order.
    case finishedCalled(ClosedRange<KeyHash>)
    /// The ended activities whose origins are in the range, in ascending order.
    ///
    /// Activities with the same origin are sorted by their ends, the latest first.
    case finishedFrom(ClosedRange<KeyHash>)
}

/// The number and size of a device's activities, either its current or its ended ones.
package struct ActivityTotal: Equatable, Sendable {
    package let device: DeviceIdentifier
    package var count: Int
    /// The total size of the activities' fields in bytes.
    package var bytes: Int

    package init(device: DeviceIdentifier, count: Int, bytes: Int) {
        (self.device, self.count, self.bytes) = (device, count, bytes)
    }
}
