// The calls by which the command changes the focuses of the person, and by which apps learn of the present one.

/// Returns the focuses of the person, and the one that is on.
package struct ListFocuses: AccountCall, BareCall, ReadingCall {
    package typealias Reply = FocusesReply
    package static let number = LocalCallNumber.listFocuses

    package init() {}
}

/// Switches a focus on, on all devices, or switches the present one off.
package struct SwitchFocus: AccountCall {
    package typealias Reply = FocusesReply
    package static let number = LocalCallNumber.switchFocus

    /// The name of the focus; nil switches off.
    package var name: String?

    package init(_ name: String?) { self.name = name }

    package func encode(to writer: inout CBORWriter) { writer.optional(name) }

    package init(from reader: inout CBORReader) throws(CBORError) { name = try reader.optionalText() }
}

/// Makes, changes or deletes a focus.
package struct ChangeFocus: AccountCall {
    package typealias Reply = FocusesReply
    package static let number = LocalCallNumber.changeFocus

    /// The name of the focus.
    package var name: String
    package var change: Change

    /// A change of a focus.
    package enum Change: Equatable, Sendable {
        /// Makes the focus.
        case add
        /// Deletes the focus; if it is on, it is switched off.
        case remove
        /// Sets the filter of an intent, and makes the focus if there is none.
        case set(FocusFilter)
        /// Removes the filters of an app, or only that of one intent.
        case unset(app: String, intent: String?)
    }

    package init(_ name: String, _ change: Change) { (self.name, self.change) = (name, change) }

    private enum Number {
        static let add: UInt64 = 1
        static let remove: UInt64 = 2
        static let set: UInt64 = 3
        static let unset: UInt64 = 4
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(name) }
            switch change {
            case .add: fields.field(2) { $0.unsigned(Number.add) }
            case .remove: fields.field(2) { $0.unsigned(Number.remove) }
            case .set(let filter):
                fields.field(2) { $0.unsigned(Number.set) }
                fields.field(3) { $0.value(filter) }
            case .unset(let app, let intent):
                fields.field(2) { $0.unsigned(Number.unset) }
                fields.field(4) { $0.text(app) }
                fields.field(5, intent) { $0.text($1) }
            }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        var name: String?, number: UInt64?, filter: FocusFilter?, app: String?, intent: String?
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: name = try reader.text()
            case 2: number = try reader.unsigned()
            case 3: filter = try reader.value()
            case 4: app = try reader.text()
            case 5: intent = try reader.text()
            default: break
            }
        }
        let change: Change
        switch try number.required(2, in: reader) {
        case Number.add: change = .add
        case Number.remove: change = .remove
        case Number.set: change = .set(try filter.required(3, in: reader))
        case Number.unset: change = .unset(app: try app.required(4, in: reader), intent: intent)
        default: throw CBORError(.outOfRange, at: start)
        }
        self.init(try name.required(1, in: reader), change)
    }
}

/// Waits until the focus of the person changes, and returns what it says for an app.
///
/// The call of an app that was not connected is answered at once, so an app never misses a change.
package struct AwaitFocus: ConnectionCall {
    package typealias Reply = FocusNotice
    package static let number = LocalCallNumber.awaitFocus

    /// The app, by its bundle identifier.
    package var app: String
    /// The number of the last answer; nil, or a number that the node does not know, for an answer at once.
    package var after: UInt64?

    package init(of app: String, after: UInt64? = nil) { (self.app, self.after) = (app, after) }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(app) }
            fields.field(2, after) { $0.unsigned($1) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var app: String?, after: UInt64?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: app = try reader.text()
            case 2: after = try reader.unsigned()
            default: break
            }
        }
        self.init(of: try app.required(1, in: reader), after: after)
    }
}

/// The focuses of the person, and the one that is on.
package struct FocusesReply: SimpleReply {
    package static let kind = LocalReplyKind.focuses

    package var settings: FocusSettings

    package init(_ settings: FocusSettings) { self.settings = settings }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.value(settings.focuses) }
            fields.field(2, settings.last?.name) { $0.text($1) }
            fields.field(3, settings.last?.changed) { $1.encode(to: &$0) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var focuses: [Focus]?, name: String?, changed: WallTime?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: focuses = try reader.value()
            case 2: name = try reader.text()
            case 3: changed = try WallTime(from: &reader)
            default: break
            }
        }
        settings = FocusSettings(
            try focuses.required(1, in: reader), last: changed.map { PresentFocus(name, changed: $0) })
    }
}

/// The focus that is on, and its filters for one app.
package struct FocusNotice: SimpleReply {
    package static let kind = LocalReplyKind.focusNotice

    /// The number of this state of the focuses, for the next call.
    package var number: UInt64
    /// The name of the focus that is on; nil if none is.
    package var name: String?
    /// The filters of the app in that focus.
    package var filters: [FocusFilter]

    package init(_ number: UInt64, name: String?, filters: [FocusFilter]) {
        (self.number, self.name, self.filters) = (number, name, filters)
    }

    package func encode(to writer: inout CBORWriter) { writer.triple(number, name, filters) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (number, name, filters) = try reader.triple()
    }
}

extension FocusFilter: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.text(app)
        writer.text(intent)
        encodeValues(to: &writer)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        let (app, intent, start) = (try reader.text(), try reader.text(), reader.offset)
        guard let values = Self.values(try PropertyValue(from: &reader)) else {
            throw CBORError(.outOfRange, at: start)
        }
        self.init(app: app, intent: intent, values: values)
    }
}

extension Focus: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.text(name)
        created.encode(to: &writer)
        writer.value(filters)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        self.init(
            try reader.text(), created: try WallTime(from: &reader), filters: try reader.value())
    }
}
