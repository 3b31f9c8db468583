// The calls that change a current activity of this device. `StartActivity` begins one.

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
/// The ended activity can still be found and continued for a while.
package struct FinishActivity: AccountCall {
    package typealias Reply = ActivitySummary
    package static let number = LocalCallNumber.finishActivity

    package var target: ActivityTarget

    package init(_ target: ActivityTarget) { self.target = target }

    package func encode(to writer: inout CBORWriter) { writer.value(target) }

    package init(from reader: inout CBORReader) throws(CBORError) { target = try reader.value() }
}

/// Stops offering a current activity of this device.
///
/// The app may make the activity current again.
package struct ResignActivity: AccountCall {
    package typealias Reply = ActivitySummary
    package static let number = LocalCallNumber.resignActivity

    package var target: ActivityTarget

    package init(_ target: ActivityTarget) { self.target = target }

    package func encode(to writer: inout CBORWriter) { writer.value(target) }

    package init(from reader: inout CBORReader) throws(CBORError) { target = try reader.value() }
}

/// Sends a current activity of this device to another device, which then offers it before all other activities.
package struct SendActivity: AccountCall {
    package typealias Reply = ActivitySummary
    package static let number = LocalCallNumber.sendActivity

    package var target: ActivityTarget
    /// The name of the other device, or the beginning of its identifier.
    package var device: String

    package init(_ target: ActivityTarget, to device: String) {
        (self.target, self.device) = (target, device)
    }

    package func encode(to writer: inout CBORWriter) { writer.pair(target, device) }

    package init(from reader: inout CBORReader) throws(CBORError) { (target, device) = try reader.pair() }
}

/// Deletes saved activities of an app, given their persistent identifiers.
package struct DeleteSavedActivities: AccountCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.deleteSavedActivities

    package var app: String
    /// The persistent identifiers; nil means all saved activities of the app.
    package var identifiers: [String]?

    package init(app: String, identifiers: [String]?) { (self.app, self.identifiers) = (app, identifiers) }

    package func encode(to writer: inout CBORWriter) { writer.pair(app, identifiers) }

    package init(from reader: inout CBORReader) throws(CBORError) { (app, identifiers) = try reader.pair() }
}
