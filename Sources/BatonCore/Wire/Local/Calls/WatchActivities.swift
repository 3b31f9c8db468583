/// What has changed in the list of what is going on, since it had some number.
package struct ActivityChanges: Equatable, Sendable {
    /// The number that the list has now; what changes later is asked for with it.
    package var number: UInt64
    /// Whether the list is to be asked for anew, because nobody knows any more what it was like.
    package var isAnew: Bool
    /// The activities that began or changed, or are to be shown again, as they are now.
    package var changed: [ActivitySummary]
    /// The identifiers of those that ended, or are to be shown no more.
    package var gone: [String]

    package init(
        number: UInt64, isAnew: Bool = false, changed: [ActivitySummary] = [], gone: [String] = []
    ) {
        (self.number, self.isAnew, self.changed, self.gone) = (number, isAnew, changed, gone)
    }

    func encode(to writer: inout CBORWriter) {
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

    init(from reader: inout CBORReader) throws(CBORError) {
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
