/// What a node tells an app of the activities that it began, and of those that it is to go on with.
package enum AppEvent: Equatable, Sendable {
    /// The activity of that instance is about to go on elsewhere: bring it up to date, and say so with this number.
    case save(UInt64, instance: String)
    /// It goes on on that device; if that took it over, it has ended here.
    case wasContinued(instance: String, on: DeviceReference, isTaken: Bool)
    /// It was ended by somebody else.
    case ended(instance: String)
    /// The person wants the app to go on with this.
    case continues(ContinuedActivity)
    /// A pair of streams is wanted to the activity of that instance; take it by this number.
    case streamWanted(UInt64, instance: String, from: DeviceReference)
}

extension AppEvent {
    private enum Number {
        static let save: UInt64 = 1
        static let wasContinued: UInt64 = 2
        static let ended: UInt64 = 3
        static let continues: UInt64 = 4
        static let streamWanted: UInt64 = 5
    }

    func encode(to writer: inout CBORWriter) {
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
        case .continues(let continued):
            writer.array(count: 2)
            writer.unsigned(Number.continues)
            continued.encode(to: &writer)
        case .streamWanted(let number, let instance, let device):
            writer.array(count: 4)
            writer.unsigned(Number.streamWanted)
            writer.unsigned(number)
            writer.text(instance)
            device.encode(to: &writer)
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        let count = try reader.arrayCount(upTo: 4)
        switch (try reader.unsigned(), count) {
        case (Number.save, 3): self = .save(try reader.unsigned(), instance: try reader.text())
        case (Number.wasContinued, 4):
            self = .wasContinued(
                instance: try reader.text(), on: try DeviceReference(from: &reader),
                isTaken: try reader.boolean())
        case (Number.ended, 2): self = .ended(instance: try reader.text())
        case (Number.continues, 2): self = .continues(try ContinuedActivity(from: &reader))
        case (Number.streamWanted, 4):
            self = .streamWanted(
                try reader.unsigned(), instance: try reader.text(), from: try DeviceReference(from: &reader))
        default: throw CBORError(.outOfRange, at: start)
        }
    }
}
