/// An activity that was continued, and its latest state.
package struct ContinuedActivity: SimpleReply, LocalValue {
    package static let kind = LocalReplyKind.continuedActivity

    package var summary: ActivitySummary
    package var source: Source
    /// Whether the activity was taken over, so that it has ended on its device.
    package var isTaken: Bool

    /// The place from which the state of the activity came.
    package enum Source: UInt64, Equatable, Sendable, CaseIterable {
        /// The node of the activity's device sent the state, because the app was not connected or did not answer in
        /// time.
        case node = 1
        /// This device used its own copy of the activity, because the activity's device could not be reached.
        case replica = 2
        /// The app was asked to update the activity, and sent the state.
        case app = 3
        /// The state was saved when the activity ended.
        case finished = 4
    }

    package init(summary: ActivitySummary, source: Source, isTaken: Bool = false) {
        (self.summary, self.source, self.isTaken) = (summary, source, isTaken)
    }

    /// Returns the outcome of the second step of a continuation, which confirms the first step (`self`).
    ///
    /// If the app sent the state in the first step, the source stays `.app`. The second step does not ask the app
    /// again, so it reports `.node`.
    package func confirmed(as outcome: ContinuedActivity) -> ContinuedActivity {
        var confirmed = outcome
        if source == .app, outcome.source == .node { confirmed.source = .app }
        return confirmed
    }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        summary.encode(to: &writer)
        writer.unsigned(source.rawValue)
        writer.boolean(isTaken)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        let summary = try ActivitySummary(from: &reader)
        let start = reader.offset
        guard let source = Source(rawValue: try reader.unsigned()) else {
            throw CBORError(.outOfRange, at: start)
        }
        self.init(summary: summary, source: source, isTaken: try reader.boolean())
    }
}
