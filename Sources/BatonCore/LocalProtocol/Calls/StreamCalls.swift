/// Opens a pair of streams, one in each direction, to the app of an activity.
///
/// After the reply, the connection carries only the streams.
package struct OpenStream: ConnectionCall {
    package typealias Reply = StreamReply
    package static let number = LocalCallNumber.openStream

    package var selection: ActivitySelection

    package init(_ selection: ActivitySelection) { self.selection = selection }

    package func encode(to writer: inout CBORWriter) { writer.optional(selection.text) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        selection = try reader.optionalText().map { .named($0) } ?? .last
    }
}

/// The activity whose app is at the other end of the streams.
package struct StreamReply: SimpleReply {
    package static let kind = LocalReplyKind.stream

    package var continued: ContinuedActivity

    package init(_ continued: ContinuedActivity) { self.continued = continued }

    package func encode(to writer: inout CBORWriter) { writer.value(continued) }

    package init(from reader: inout CBORReader) throws(CBORError) { continued = try reader.value() }
}

/// Accepts a pair of streams that an event announced.
///
/// After the reply, the connection carries only the streams.
package struct AcceptStream: ConnectionCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.acceptStream

    /// The number of the event.
    package var event: UInt64

    package init(_ event: UInt64) { self.event = event }

    package func encode(to writer: inout CBORWriter) { writer.value(event) }

    package init(from reader: inout CBORReader) throws(CBORError) { event = try reader.value() }
}
