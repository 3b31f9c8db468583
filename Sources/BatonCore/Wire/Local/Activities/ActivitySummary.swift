/// An activity that is going on somewhere, or did.
package struct ActivitySummary: Equatable, Sendable {
    /// Stands for the activity in commands; any beginning that is unambiguous will do.
    package var identifier: String
    /// Where it is going on, or did.
    package var device: DeviceReference
    package var app: String
    /// The app instance; empty if it has ended.
    package var instance: String
    package var activity: Activity { didSet { fields = activity.fields } }
    /// The fields that spell the activity.
    private var fields: Fields
    /// The name of the device where it was continued last.
    package var continuedOn: String?
    /// Whether the person sent it to the answering device, and it was not continued there since.
    package var isSentHere = false
    /// Whether it is to be shown on the answering device no more.
    package var isForgotten = false
    /// Whether it stays on the answering device.
    package var isPrivate = false
    /// Why the device where it was going on is no part of the account now; nil if it is, or the activity has ended.
    package var departure: DeviceDeparture?

    package init(
        identifier: String, device: DeviceReference, app: String, instance: String, activity: Activity,
        spelledBy fields: Fields? = nil, continuedOn: String?
    ) {
        (self.identifier, self.device, self.app, self.instance) = (identifier, device, app, instance)
        (self.activity, self.fields, self.continuedOn) = (activity, fields ?? activity.fields, continuedOn)
    }

    /// Where this activity stands in the list.
    package var place: ListPlace { ListPlace(changed: activity.changed, identifier: identifier) }

    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(identifier) }
            fields.field(2) { device.encode(to: &$0) }
            fields.field(3) { $0.text(app) }
            fields.field(4) { $0.text(instance) }
            fields.field(5) { self.fields.encode(to: &$0) }
            fields.field(6, continuedOn) { $0.text($1) }
            fields.field(7, isSentHere ? true : nil) { $0.boolean($1) }
            fields.field(8, isForgotten ? true : nil) { $0.boolean($1) }
            fields.field(9, isPrivate ? true : nil) { $0.boolean($1) }
            fields.field(10, departure) { $0.unsigned($1.rawValue) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var identifier: String?, device: DeviceReference?, app: String?, instance: String?
        var spelled: Fields?, continuedOn: String?
        var (isSentHere, isForgotten, isPrivate) = (false, false, false)
        var departure: DeviceDeparture?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: identifier = try reader.text()
            case 2: device = try DeviceReference(from: &reader)
            case 3: app = try reader.text()
            case 4: instance = try reader.text()
            case 5: spelled = try Fields(from: &reader)
            case 6: continuedOn = try reader.text()
            case 7: isSentHere = try reader.boolean()
            case 8: isForgotten = try reader.boolean()
            case 9: isPrivate = try reader.boolean()
            case 10:
                let start = reader.offset
                departure = DeviceDeparture(rawValue: try reader.unsigned())
                guard departure != nil else { throw CBORError(.outOfRange, at: start) }
            default: break
            }
        }
        let fields = try spelled.required(5, in: reader)
        self.init(
            identifier: try identifier.required(1, in: reader), device: try device.required(2, in: reader),
            app: try app.required(3, in: reader), instance: try instance.required(4, in: reader),
            activity: try Activity(fields),
            spelledBy: fields, continuedOn: continuedOn)
        (self.isSentHere, self.isForgotten, self.isPrivate) = (isSentHere, isForgotten, isPrivate)
        self.departure = departure
    }
}
