/// An activity in a list, which is current on some device or has ended.
package struct ActivitySummary: SimpleReply, LocalValue, ActivityRow {
    package static let kind = LocalReplyKind.activity

    /// The identifier by which a person names the activity in commands.
    ///
    /// Commands accept any unambiguous beginning of the identifier.
    package var identifier: String
    /// The device on which the activity is current, or on which it was current before it ended.
    package var device: DeviceReference
    package var app: String
    /// The instance of the app; empty if the activity has ended.
    package var instance: String
    package var activity: Activity
    /// The name of the device that last continued the activity.
    package var continuedOn: String?
    /// Whether a person sent the activity to the answering device, and the activity has not been continued there since.
    package var isSentHere = false
    /// Whether the activity is hidden on the answering device.
    package var isForgotten = false
    /// Whether the activity is kept on its device and not sent to other devices.
    package var isPrivate = false
    /// The reason why the device of the activity left the account.
    ///
    /// The reason is nil if the device did not leave, or if the activity has ended.
    package var departure: DeviceDeparture?
    /// The last donation of the activity, if the activity is an action that its app has donated.
    ///
    /// No other app gets the donation.
    package var donation: Donation?

    package init(
        identifier: String, device: DeviceReference, app: String, instance: String, activity: Activity,
        continuedOn: String?
    ) {
        self.identifier = identifier
        self.device = device
        self.app = app
        self.instance = instance
        (self.activity, self.continuedOn) = (activity, continuedOn)
    }

    package var rowDevice: DeviceIdentifier { device.identifier }
    package var rowInstance: String { instance }

    /// The activity's place in the list.
    package var place: ListPlace { ListPlace(changed: activity.changed, identifier: identifier) }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(identifier) }
            fields.field(2) { device.encode(to: &$0) }
            fields.field(3) { $0.text(app) }
            fields.field(4) { $0.text(instance) }
            fields.field(5) { activity.fields.encode(to: &$0) }
            fields.field(6, continuedOn) { $0.text($1) }
            fields.flag(7, isSentHere)
            fields.flag(8, isForgotten)
            fields.flag(9, isPrivate)
            fields.field(10, departure) { $0.unsigned($1.rawValue) }
            fields.field(11, donation) { $1.encode(to: &$0) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var identifier: String?, device: DeviceReference?, app: String?, instance: String?
        var activity: Activity?, continuedOn: String?
        var (isSentHere, isForgotten, isPrivate) = (false, false, false)
        var departure: DeviceDeparture?, donation: Donation?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: identifier = try reader.text()
            case 2: device = try DeviceReference(from: &reader)
            case 3: app = try reader.text()
            case 4: instance = try reader.text()
            case 5: activity = try Activity(from: &reader)
            case 6: continuedOn = try reader.text()
            case 7: isSentHere = try reader.boolean()
            case 8: isForgotten = try reader.boolean()
            case 9: isPrivate = try reader.boolean()
            case 10:
                let start = reader.offset
                departure = DeviceDeparture(rawValue: try reader.unsigned())
                guard departure != nil else { throw CBORError(.outOfRange, at: start) }
            case 11: donation = try Donation(from: &reader)
            default: break
            }
        }
        self.init(
            identifier: try identifier.required(1, in: reader), device: try device.required(2, in: reader),
            app: try app.required(3, in: reader), instance: try instance.required(4, in: reader),
            activity: try activity.required(5, in: reader), continuedOn: continuedOn)
        (self.isSentHere, self.isForgotten, self.isPrivate) = (isSentHere, isForgotten, isPrivate)
        (self.departure, self.donation) = (departure, donation)
    }
}
