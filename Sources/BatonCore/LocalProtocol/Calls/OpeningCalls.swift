// The calls by which a person opens something in an app.

/// Asks a connected app to open an item or to continue a search.
///
/// The node answers when the app has confirmed that it does.
package struct OpenInApp: AccountCall {
    package typealias Reply = OpenedReply
    package static let number = LocalCallNumber.openInApp

    package var opening: AppOpening

    package init(_ opening: AppOpening) { self.opening = opening }

    package func encode(to writer: inout CBORWriter) { writer.value(opening) }

    package init(from reader: inout CBORReader) throws(CBORError) { opening = try reader.value() }
}

/// The app that has opened the item or continued the search.
package struct OpenedReply: SimpleReply {
    package static let kind = LocalReplyKind.opened

    package var registration: AppRegistration

    package init(_ registration: AppRegistration) { self.registration = registration }

    package func encode(to writer: inout CBORWriter) { writer.value(registration) }

    package init(from reader: inout CBORReader) throws(CBORError) { registration = try reader.value() }
}

/// Confirms that the app opens or continues the thing that an event named (`AppEvent.opens`, `.continues`).
///
/// The call fails with `notFound` if it comes too late, or if the node has sent no event with this number.
package struct ReportOpened: ConnectionCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.reportOpened

    /// The number of the event.
    package var event: UInt64

    package init(_ event: UInt64) { self.event = event }

    package func encode(to writer: inout CBORWriter) { writer.value(event) }

    package init(from reader: inout CBORReader) throws(CBORError) { event = try reader.value() }
}
