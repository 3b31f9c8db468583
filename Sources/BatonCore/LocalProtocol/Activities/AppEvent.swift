/// An event that the node sends to an app.
///
/// An event concerns activities that the app began, or something that the app should continue or open.
package enum AppEvent: SimpleReply {
    package static let kind = LocalReplyKind.appEvent

    /// The activity of the instance is about to be continued on another device.
    ///
    /// The app updates the activity, and then confirms the update with this number (`ReportSaved`).
    case save(UInt64, instance: String)
    /// The activity was continued on another device; if `isTaken` is true, it has ended here.
    case wasContinued(instance: String, on: DeviceReference, isTaken: Bool)
    /// Something else than the app ended the activity.
    case ended(instance: String)
    /// A person wants the app to continue this activity; the app confirms that it does with this number
    /// (`ReportOpened`).
    case continues(UInt64, ContinuedActivity)
    /// Another device requests a pair of streams to the activity of the instance; the app accepts with this number
    /// (`AcceptStream`).
    case streamWanted(UInt64, instance: String, from: DeviceReference)
    /// A person wants to open something in the instance of the app; the app confirms that it does with this number
    /// (`ReportOpened`).
    case opens(UInt64, instance: String, AppOpening)
}

extension AppEvent {
    private enum Number {
        static let save: UInt64 = 1
        static let wasContinued: UInt64 = 2
        static let ended: UInt64 = 3
        static let continues: UInt64 = 4
        static let streamWanted: UInt64 = 5
        static let opens: UInt64 = 6
    }

    package func encode(to writer: inout CBORWriter) {
        switch self {
        case .save(let number, let instance):
            writer.array(count: 3)
            writer.unsigned(Number.save)
            writer.unsigned(number)
            writer.text(instance)
        case .wasContinued(let instance, let device, let isTaken):
            writer.array(count: 4)
            writer.unsigned(Number.wasContinued)
            writer.text(instance)
            device.encode(to: &writer)
            writer.boolean(isTaken)
        case .ended(let instance):
            writer.array(count: 2)
            writer.unsigned(Number.ended)
            writer.text(instance)
        case .continues(let number, let continued):
            writer.array(count: 3)
            writer.unsigned(Number.continues)
            writer.unsigned(number)
            continued.encode(to: &writer)
        case .streamWanted(let number, let instance, let device):
            writer.array(count: 4)
            writer.unsigned(Number.streamWanted)
            writer.unsigned(number)
            writer.text(instance)
            device.encode(to: &writer)
        case .opens(let number, let instance, let opening):
            writer.array(count: 4)
            writer.unsigned(Number.opens)
            writer.unsigned(number)
            writer.text(instance)
            writer.value(opening)
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        let count = try reader.arrayCount(upTo: 4)
        switch (try reader.unsigned(), count) {
        case (Number.save, 3): self = .save(try reader.unsigned(), instance: try reader.text())
        case (Number.wasContinued, 4):
            self = .wasContinued(
                instance: try reader.text(), on: try DeviceReference(from: &reader),
                isTaken: try reader.boolean())
        case (Number.ended, 2): self = .ended(instance: try reader.text())
        case (Number.continues, 3):
            self = .continues(try reader.unsigned(), try ContinuedActivity(from: &reader))
        case (Number.streamWanted, 4):
            self = .streamWanted(
                try reader.unsigned(), instance: try reader.text(), from: try DeviceReference(from: &reader))
        case (Number.opens, 4):
            self = .opens(try reader.unsigned(), instance: try reader.text(), try reader.value())
        default: throw CBORError(.outOfRange, at: start)
        }
    }
}
