/// Is answered once the list of current activities differs from how it was at a number.
package struct WatchActivities: ConnectionCall {
    package typealias Reply = ActivityChanges
    package static let number = LocalCallNumber.watchActivities

    /// The number of the list that the asker knows.
    ///
    /// With nil, the answer comes at once.
    package var after: UInt64?

    package init(after number: UInt64?) { after = number }

    package func encode(to writer: inout CBORWriter) {
        if let after { writer.unsigned(after) } else { writer.null() }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        after = try reader.optional { (reader) throws(CBORError) in try reader.unsigned() }
    }
}

/// What has changed in the list of current activities since it had some number.
package struct ActivityChanges: SimpleReply {
    package static let kind: UInt64 = 40

    /// The number that the list has now.
    ///
    /// The next call names it, to be told what changes later.
    package var number: UInt64
    /// Whether the asker is to list the activities anew, because the node does not know what the list was like then.
    package var isAnew: Bool
    /// The activities that began, changed or are shown again, as they are now.
    package var changed: [ActivitySummary]
    /// The identifiers of activities that ended or were hidden.
    package var gone: [String]

    package init(
        number: UInt64, isAnew: Bool = false, changed: [ActivitySummary] = [], gone: [String] = []
    ) {
        (self.number, self.isAnew, self.changed, self.gone) = (number, isAnew, changed, gone)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.unsigned(number) }
            fields.field(2, isAnew ? true : nil) { $0.boolean($1) }
            fields.field(3, changed.isEmpty ? nil : changed) { writer, changed in
                writer.array(count: changed.count)
                for summary in changed { summary.encode(to: &writer) }
            }
            fields.field(4, gone.isEmpty ? nil : gone) { $0.texts($1) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var number: UInt64?, isAnew = false, changed: [ActivitySummary] = [], gone: [String] = []
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: number = try reader.unsigned()
            case 2: isAnew = try reader.boolean()
            case 3:
                changed = try reader.array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in
                    try ActivitySummary(from: &reader)
                }
            case 4: gone = try reader.texts()
            default: break
            }
        }
        self.init(
            number: try number.required(1, in: reader), isAnew: isAnew, changed: changed, gone: gone)
    }
}
