/// Names the current activity of one app instance on one device.
package struct ActivityName: RecordName {
    package let device: DeviceIdentifier
    /// The app, by its bundle identifier.
    package let app: String
    /// The app instance: a connection, or one that was named on purpose, such as a shell.
    package let instance: String

    package static let kind = RecordKind.currentActivity
    package static let partCount = 3

    package init(device: DeviceIdentifier, app: String, instance: String) {
        (self.device, self.app, self.instance) = (device, app, instance)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.identifier(device)
        writer.text(app)
        writer.text(instance)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        self.init(device: try reader.identifier(), app: try reader.text(), instance: try reader.text())
    }
}

/// Names an activity that an app saved, so that someone may go back to it on any device.
package struct SavedActivityName: RecordName {
    /// The app, by its bundle identifier.
    package let app: String
    /// What the app calls the activity: its persistent identifier.
    package let identifier: String

    package static let kind = RecordKind.savedActivity
    package static let partCount = 2

    package init(app: String, identifier: String) { (self.app, self.identifier) = (app, identifier) }

    package func encode(to writer: inout CBORWriter) {
        writer.text(app)
        writer.text(identifier)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        self.init(app: try reader.text(), identifier: try reader.text())
    }
}
