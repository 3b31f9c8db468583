/// An activity to go on with.
package struct ContinuedActivity: Equatable, Sendable {
    package var summary: ActivitySummary
    package var source: Source
    /// Whether it ended where it was going on, because it was taken over.
    package var isTaken: Bool

    /// Where the state came from.
    package enum Source: UInt64, Equatable, Sendable, CaseIterable {
        /// The node of the device where it is going on: no app stands behind it there, or it did not answer in time.
        case node = 1
        /// What was replicated last; that device could not be asked.
        case replica = 2
        /// The app, which was asked to bring it up to date.
        case app = 3
        /// What was kept of it when it ended.
        case finished = 4
    }

    package init(summary: ActivitySummary, source: Source, isTaken: Bool = false) {
        (self.summary, self.source, self.isTaken) = (summary, source, isTaken)
    }

    func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        summary.encode(to: &writer)
        writer.unsigned(source.rawValue)
        writer.boolean(isTaken)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        let summary = try ActivitySummary(from: &reader)
        let start = reader.offset
        guard let source = Source(rawValue: try reader.unsigned()) else {
            throw CBORError(.outOfRange, at: start)
        }
        self.init(summary: summary, source: source, isTaken: try reader.boolean())
    }
}
