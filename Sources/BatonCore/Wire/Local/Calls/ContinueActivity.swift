/// What an app or a command asks when it goes on with an activity.
package struct ContinueActivity: Equatable, Sendable {
    package var selection: ActivitySelection
    /// Whether the activity is to end where it is going on.
    package var takes: Bool
    /// Which app instance is to go on with it, of those that registered; nothing for the one that asks.
    package var handler: AppName?

    package init(_ selection: ActivitySelection, takes: Bool = false, handler: AppName? = nil) {
        (self.selection, self.takes, self.handler) = (selection, takes, handler)
    }
}

/// Which activity of any device is meant.
package enum ActivitySelection: Equatable, Sendable {
    /// The one that was sent here last, else the one that another device changed last.
    case last
    /// The one whose identifier begins so, or the last one of that type.
    case named(String)
}

extension ContinueActivity {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1, selection.text) { $0.text($1) }
            fields.field(2, takes ? true : nil) { $0.boolean($1) }
            fields.field(3, handler) { $1.encode(to: &$0) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        self.init(.last)
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: selection = .named(try reader.text())
            case 2: takes = try reader.boolean()
            case 3: handler = try AppName(from: &reader)
            default: break
            }
        }
    }
}

extension ActivitySelection {
    /// What was named, if something was.
    var text: String? { if case .named(let text) = self { text } else { nil } }
}
