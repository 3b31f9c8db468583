/// Names the current activity of one app instance on one device.
///
/// A name is looked up at every change. So the key and its hash are computed once, when the name is created.
package struct ActivityName: RecordName {
    /// The parts of the name, which are stored behind one reference.
    ///
    /// A name is copied at each step of a change.
    @Boxed private var parts: Parts

    package var device: DeviceIdentifier { parts.device }
    /// The bundle identifier of the app.
    package var app: String { parts.app }
    /// The app instance: either a connection, or an instance with a chosen name, such as a shell.
    package var instance: String { parts.instance }
    /// Distinguishes several names of the same instance.
    ///
    /// The epoch is usually zero. Another device may overwrite the record of a name with a time that no clock will
    /// reach. Then the instance continues under a name with another epoch.
    package var epoch: UInt64 { parts.epoch }
    package var key: RecordKey { parts.key }

    private struct Parts {
        let device: DeviceIdentifier
        let app: String
        let instance: String
        let epoch: UInt64
        let key: RecordKey
    }

    package static let kind = RecordKind.currentActivity
    package static let partCount = 3

    package init(device: DeviceIdentifier, app: String, instance: String, epoch: UInt64 = 0) {
        let count = epoch == 0 ? Self.partCount : Self.partCount + 1
        let key = RecordKey(kind: Self.kind, parts: count) { writer in
            writer.identifier(device)
            writer.text(app)
            writer.text(instance)
            if epoch > 0 { writer.unsigned(epoch) }
        }
        parts = Parts(device: device, app: app, instance: instance, epoch: epoch, key: key.hashed)
    }

    /// Reads the name from the key of a record.
    package init(_ key: RecordKey) throws(CBORError) {
        guard key.kind == Self.kind else { throw CBORError(.outOfRange, at: 0) }
        parts = try CBORReader.whole(key.name[...]) { (reader) throws(CBORError) in
            let count = try reader.arrayCount(upTo: Self.partCount + 1)
            guard count >= Self.partCount else { throw CBORError(.outOfRange, at: 0) }
            let (device, app, instance): (DeviceIdentifier, String, String) = (
                try reader.identifier(), try reader.text(), try reader.text()
            )
            var epoch: UInt64 = 0
            if count > Self.partCount {
                epoch = try reader.unsigned(upTo: Self.largestEpoch)
                guard epoch > 0 else { throw CBORError(.outOfRange, at: 0) }
            }
            return Parts(device: device, app: app, instance: instance, epoch: epoch, key: key.hashed)
        }
    }

    /// Returns the device that is named in the key of a current activity; nil if there is none.
    ///
    /// The rest of the key may have any form.
    package static func device(in key: RecordKey) -> DeviceIdentifier? {
        guard key.kind == kind else { return nil }
        var reader = CBORReader(key.name)
        do throws(CBORError) {
            _ = try reader.arrayCount(upTo: partCount + 1)
            return try reader.identifier()
        } catch {
            return nil
        }
    }

    /// The kind and the hash of the key.
    package var identity: RecordIdentity { parts.key.identity }

    private static let largestEpoch = UInt64(Int64.max)

    /// The name of the instance with epoch zero.
    package var first: ActivityName {
        epoch == 0 ? self : ActivityName(device: device, app: app, instance: instance)
    }

    /// Returns a name of the instance with a larger epoch.
    ///
    /// No other device can predict the epoch.
    func next(at instant: Instant) -> ActivityName {
        let epoch = min(max(instant.nanoseconds, epoch &+ 1), Self.largestEpoch)
        return ActivityName(device: device, app: app, instance: instance, epoch: epoch)
    }

    package static func == (left: Self, right: Self) -> Bool { left.parts.key == right.parts.key }

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

/// Names a saved activity, to which a person may return on any device.
package struct SavedActivityName: RecordName {
    /// The bundle identifier of the app.
    package let app: String
    /// The app's persistent identifier for the activity, or `~` and a hash of the activity's subject.
    package let identifier: String

    package static let kind = RecordKind.savedActivity
    package static let partCount = 2

    package init(app: String, identifier: String) { (self.app, self.identifier) = (app, identifier) }

    /// Creates the name of an activity without a persistent identifier.
    ///
    /// The name contains the hash of the activity's subject.
    package init(app: String, subject: KeyHash) { self.init(app: app, identifier: "~" + subject.description) }

    /// Whether the name is short enough for a key.
    package var hasRoom: Bool {
        Self.nameCount(app, identifierCount: identifier.utf8.count) <= RecordKey.nameBytes
    }

    /// Whether a name without a persistent identifier is short enough for a key.
    ///
    /// All such names of one app have the same length.
    package static func hasRoom(for app: String) -> Bool {
        nameCount(app, identifierCount: anySubjectCount) <= RecordKey.nameBytes
    }

    /// Returns the length in bytes of the name in a key.
    private static func nameCount(_ app: String, identifierCount: Int) -> Int {
        CBORWriter.headCount(UInt64(partCount)) + CBORWriter.count(ofBytes: app.utf8.count)
            + CBORWriter.count(ofBytes: identifierCount)
    }

    private static let anySubjectCount =
        SavedActivityName(app: "", subject: KeyHash(high: 0, low: 0)).identifier.utf8.count

    package func encode(to writer: inout CBORWriter) {
        writer.text(app)
        writer.text(identifier)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        self.init(app: try reader.text(), identifier: try reader.text())
    }
}
