// What an app or a person does to a current activity of this device; `StartActivity` begins one.

/// Changes a current activity of this device.
package struct UpdateActivity: AccountCall {
    package typealias Reply = ActivitySummary
    package static let number = LocalCallNumber.updateActivity
    package static var tooLarge: LocalFailure { .activityTooLarge }

    package var target: ActivityTarget
    package var change: ActivityChange

    package init(_ target: ActivityTarget, _ change: ActivityChange) {
        (self.target, self.change) = (target, change)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { target.encode(to: &$0) }
            fields.field(2) { change.encode(to: &$0) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var target: ActivityTarget?, change: ActivityChange?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: target = try ActivityTarget(from: &reader)
            case 2: change = try ActivityChange(from: &reader)
            default: break
            }
        }
        self.init(try target.required(1, in: reader), try change.required(2, in: reader))
    }
}

/// Ends a current activity of this device.
///
/// It stays findable for a while.
package struct FinishActivity: AccountCall {
    package typealias Reply = ActivitySummary
    package static let number = LocalCallNumber.finishActivity

    package var target: ActivityTarget

    package init(_ target: ActivityTarget) { self.target = target }

    package func encode(to writer: inout CBORWriter) { target.encode(to: &writer) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        target = try ActivityTarget(from: &reader)
    }
}

/// Stops offering a current activity of this device.
///
/// Its app may make it current again.
package struct ResignActivity: AccountCall {
    package typealias Reply = ActivitySummary
    package static let number = LocalCallNumber.resignActivity

    package var target: ActivityTarget

    package init(_ target: ActivityTarget) { self.target = target }

    package func encode(to writer: inout CBORWriter) { target.encode(to: &writer) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        target = try ActivityTarget(from: &reader)
    }
}

/// Offers a current activity of this device on another one before all others.
package struct SendActivity: AccountCall {
    package typealias Reply = ActivitySummary
    package static let number = LocalCallNumber.sendActivity

    package var target: ActivityTarget
    /// The name of the other device, or the beginning of its identifier.
    package var device: String

    package init(_ target: ActivityTarget, to device: String) {
        (self.target, self.device) = (target, device)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        target.encode(to: &writer)
        writer.text(device)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(try ActivityTarget(from: &reader), to: try reader.text())
    }
}

/// Deletes what an app saved, by its persistent identifiers.
package struct DeleteSavedActivities: AccountCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.deleteSavedActivities

    package var app: String
    /// The identifiers of what to delete; nil means all that the app saved.
    package var identifiers: [String]?

    package init(app: String, identifiers: [String]?) { (self.app, self.identifiers) = (app, identifiers) }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.text(app)
        if let identifiers { writer.texts(identifiers) } else { writer.null() }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(
            app: try reader.text(),
            identifiers: try reader.optional { (reader) throws(CBORError) in try reader.texts() })
    }
}
