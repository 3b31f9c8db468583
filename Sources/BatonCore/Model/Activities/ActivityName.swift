/// Names the current activity of one app instance on one device.
///
/// It is looked up at every change, so it computes its key and the key's hash when it is created.
package struct ActivityName: RecordName {
    package let device: DeviceIdentifier
    /// The app, by its bundle identifier.
    package let app: String
    /// The app instance: a connection, or an instance with a chosen name, such as a shell.
    package let instance: String
    /// Distinguishes the names of one instance.
    ///
    /// The epoch is zero until some device writes at the name with a time that no clock reaches; the instance then
    /// continues under a new name.
    package let epoch: UInt64
    package let key: RecordKey

    package static let kind = RecordKind.currentActivity
    package static let partCount = 3

    package init(device: DeviceIdentifier, app: String, instance: String, epoch: UInt64 = 0) {
        (self.device, self.app, self.instance, self.epoch) = (device, app, instance, epoch)
        let parts = epoch == 0 ? Self.partCount : Self.partCount + 1
        key =
            RecordKey(kind: Self.kind, parts: parts) { writer in
                writer.identifier(device)
                writer.text(app)
                writer.text(instance)
                if epoch > 0 { writer.unsigned(epoch) }
            }.hashed
    }

    /// Reads the name from the key of a record.
    package init(_ key: RecordKey) throws(CBORError) {
        guard key.kind == Self.kind else { throw CBORError(.outOfRange, at: 0) }
        (device, app, instance, epoch) = try CBORReader.whole(key.name[...]) { (reader) throws(CBORError) in
            let count = try reader.arrayCount(upTo: Self.partCount + 1)
            guard count >= Self.partCount else { throw CBORError(.outOfRange, at: 0) }
            let (device, app, instance): (DeviceIdentifier, String, String) = (
                try reader.identifier(), try reader.text(), try reader.text()
            )
            guard count > Self.partCount else { return (device, app, instance, 0) }
            let epoch = try reader.unsigned(upTo: Self.largestEpoch)
            guard epoch > 0 else { throw CBORError(.outOfRange, at: 0) }
            return (device, app, instance, epoch)
        }
        self.key = key.hashed
    }

    /// The hash that stands for the key.
    package var identity: RecordIdentity { key.identity }

    private static let largestEpoch = UInt64(Int64.max)

    /// The instance's first name.
    package var first: ActivityName {
        epoch == 0 ? self : ActivityName(device: device, app: app, instance: instance)
    }

    /// Returns a later name of the instance, which nobody can foresee.
    func next(at instant: Instant) -> ActivityName {
        let epoch = min(max(instant.nanoseconds, epoch &+ 1), Self.largestEpoch)
        return ActivityName(device: device, app: app, instance: instance, epoch: epoch)
    }

    package static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    package func encode(to writer: inout CBORWriter) {
        writer.identifier(device)
        writer.text(app)
        writer.text(instance)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        self.init(device: try reader.identifier(), app: try reader.text(), instance: try reader.text())
    }
}

/// Names an activity that an app saved, so that a person may go back to it on any device.
package struct SavedActivityName: RecordName {
    /// The app, by its bundle identifier.
    package let app: String
    /// The app's identifier for the activity: its persistent identifier.
    package let identifier: String

    package static let kind = RecordKind.savedActivity
    package static let partCount = 2

    package init(app: String, identifier: String) { (self.app, self.identifier) = (app, identifier) }

    /// Creates the name of an activity without a persistent identifier, from the hash of its subject.
    init(app: String, subject: KeyHash) { self.init(app: app, identifier: "~" + subject.description) }

    /// Whether the name fits a key.
    package var hasRoom: Bool { key.name.count <= RecordKey.nameBytes }

    /// Whether a name without a persistent identifier fits a key; all such names of an app have the same length.
    package static func hasRoom(for app: String) -> Bool {
        SavedActivityName(app: app, identifier: anySubject).hasRoom
    }

    private static let anySubject = SavedActivityName(app: "", subject: KeyHash(high: 0, low: 0)).identifier

    package func encode(to writer: inout CBORWriter) {
        writer.text(app)
        writer.text(identifier)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        self.init(app: try reader.text(), identifier: try reader.text())
    }
}
