/// Continues an activity on this device.
package struct ContinueActivity: AccountCall {
    package typealias Reply = ContinuedActivity
    package static let number = LocalCallNumber.continueActivity

    package var selection: ActivitySelection
    /// Whether to take over the activity, so that it ends on the device where it is current.
    package var takes: Bool
    /// The registered app instance that should continue the activity; nil means the caller.
    ///
    /// The handler gets the latest state, and must confirm that it continues the activity. Only then does the activity
    /// count as continued.
    package var handler: AppName?
    /// The step of the continuation, if the caller continues the activity.
    ///
    /// A handler always continues an activity in one call.
    package var step: ContinuationStep
    /// The type that the activity must have when it is continued; nil for any type.
    package var type: String?

    package init(
        _ selection: ActivitySelection, takes: Bool = false, handler: AppName? = nil,
        step: ContinuationStep = .whole, type: String? = nil
    ) {
        self.selection = selection
        self.takes = takes
        self.handler = handler
        self.step = step
        self.type = type
    }
}

/// Selects an activity of any device.
package enum ActivitySelection: Equatable, Sendable {
    /// The activity that a person last sent to this device; if there is none, the activity that another device changed
    /// last.
    case last
    /// The activity whose identifier begins with this text; if there is none, the latest activity that has this type.
    case named(String)
}

extension ContinueActivity {
    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1, selection.text) { $0.text($1) }
            fields.flag(2, takes)
            fields.field(3, handler) { $1.encode(to: &$0) }
            fields.field(4, step.encoded) { $0.unsigned($1) }
            fields.field(5, type) { $0.text($1) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        self.init(.last)
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: selection = .named(try reader.text())
            case 2: takes = try reader.boolean()
            case 3: handler = try AppName(from: &reader)
            case 4: step = try ContinuationStep(from: &reader)
            case 5: type = try reader.text()
            default: break
            }
        }
    }
}

extension ActivitySelection {
    /// The text of `named`; nil for `last`.
    var text: String? { if case .named(let text) = self { text } else { nil } }
}
