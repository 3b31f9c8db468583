/// The index entry of an activity: enough to find it and to sort it into a list without reading its fields.
package struct ActivityEntry: Equatable, Sendable {
    package let identity: RecordIdentity
    /// Where it is going on, or was; nil if it ended and does not say so.
    package let device: DeviceIdentifier?
    package let changed: WallTime
    package let started: WallTime
    /// When it ended; when it was changed last if it does not say so, or has not ended.
    package let finish: WallTime
    package let expires: WallTime?
    /// Stands for its type.
    package let type: KeyHash
    /// The device to which the person sent it.
    package let sent: DeviceIdentifier?
    /// The hash of the current activity that it was before it ended.
    package let origin: KeyHash?
    /// How many bytes its fields have.
    package let byteCount: Int

    package init(
        identity: RecordIdentity, device: DeviceIdentifier?, changed: WallTime, started: WallTime,
        finish: WallTime, expires: WallTime?, type: KeyHash, sent: DeviceIdentifier?, origin: KeyHash?,
        byteCount: Int
    ) {
        (self.identity, self.device, self.changed, self.started) = (identity, device, changed, started)
        (self.finish, self.expires, self.type, self.sent) = (finish, expires, type, sent)
        (self.origin, self.byteCount) = (origin, byteCount)
    }

    /// The entry of a record; nil if it is no activity that is there and can be read.
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

    /// The hash of a type.
    package static func hash(ofType type: String) -> KeyHash {
        KeyHash(digest: SHA256.digest(Array(type.utf8)))
    }
}

/// A query for activities of a store, in an order.
package enum ActivityQuery: Equatable, Sendable {
    /// Activities that are going on on a device, the one that changed last first.
    case current(on: DeviceIdentifier)
    /// Activities that have ended, the one that changed last first.
    case finished
    /// Activities that were going on on a device, the one that changed last first.
    case finishedOn(DeviceIdentifier)
    /// Activities that have ended and whose hashes are in the range, in the order of hashes.
    case finishedCalled(ClosedRange<KeyHash>)
    /// Activities that have ended and whose origins are in the range, in the order of origins; of one origin, the one
    /// that ended last first.
    case finishedFrom(ClosedRange<KeyHash>)
}

/// How many activities a device has, or had.
package struct ActivityTotal: Equatable, Sendable {
    package let device: DeviceIdentifier
    package var count: Int
    /// How many bytes their fields have.
    package var bytes: Int

    package init(device: DeviceIdentifier, count: Int, bytes: Int) {
        (self.device, self.count, self.bytes) = (device, count, bytes)
    }
}
