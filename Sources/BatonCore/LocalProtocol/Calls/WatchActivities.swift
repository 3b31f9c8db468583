/// Waits until the list of current activities changes.
package struct WatchActivities: ConnectionCall {
    package typealias Reply = ActivityChanges
    package static let number = LocalCallNumber.watchActivities

    /// The number of the list that the caller has; nil if it has none.
    ///
    /// A call without a number is answered immediately.
    package var after: UInt64?

    package init(after number: UInt64?) { after = number }

    package func encode(to writer: inout CBORWriter) { writer.value(after) }

    package init(from reader: inout CBORReader) throws(CBORError) { after = try reader.value() }
}

/// The changes of the list of current activities since the caller's list.
package struct ActivityChanges: SimpleReply {
    package static let kind = LocalReplyKind.activityChanges

    /// The number of the list after these changes, which the caller passes in its next call.
    package var number: UInt64
    /// Whether the caller must list all activities again.
    ///
    /// The node has then forgotten some of the changes since the caller's list.
    package var isAnew: Bool
    /// The present states of the activities that began, that changed, or that are no longer hidden.
    package var changed: [ActivitySummary]
    /// The identifiers of the activities that ended or that are now hidden.
    package var gone: [String]

    package init(
        number: UInt64, isAnew: Bool = false, changed: [ActivitySummary] = [], gone: [String] = []
    ) {
        self.number = number
        self.isAnew = isAnew
        self.changed = changed
        self.gone = gone
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.unsigned(number) }
            fields.flag(2, isAnew)
            fields.field(3, changed.isEmpty ? nil : changed) { $0.value($1) }
            fields.field(4, gone.isEmpty ? nil : gone) { $0.value($1) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var number: UInt64?, isAnew = false, changed: [ActivitySummary] = [], gone: [String] = []
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: number = try reader.unsigned()
            case 2: isAnew = try reader.boolean()
            case 3: changed = try reader.value()
            case 4: gone = try reader.value()
            default: break
            }
        }
        self.init(
            number: try number.required(1, in: reader), isAnew: isAnew, changed: changed, gone: gone)
    }
}
