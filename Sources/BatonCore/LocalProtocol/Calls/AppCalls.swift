// The calls by which an app registers and receives events.

/// Registers the app as a handler for types of activities, until the app disconnects.
package struct RegisterApp: ConnectionCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.registerApp

    package var registration: AppRegistration

    package init(_ registration: AppRegistration) { self.registration = registration }

    package func encode(to writer: inout CBORWriter) { writer.value(registration) }

    package init(from reader: inout CBORReader) throws(CBORError) { registration = try reader.value() }
}

/// Lists the registered apps.
package struct ListRegistrations: AccountCall, BareCall {
    package typealias Reply = RegistrationsReply
    package static let number = LocalCallNumber.listRegistrations

    package init() {}
}

/// The registered apps and the types that they continue.
package struct RegistrationsReply: SimpleReply {
    package static let kind = LocalReplyKind.registrations

    package var registrations: [AppRegistration]

    package init(_ registrations: [AppRegistration]) { self.registrations = registrations }

    package func encode(to writer: inout CBORWriter) { writer.value(registrations) }

    package init(from reader: inout CBORReader) throws(CBORError) { registrations = try reader.value() }
}

/// Waits for the next event for the app.
///
/// The event concerns an activity that this connection began, or a type of activities that it registered for.
package struct AwaitEvent: ConnectionCall, BareCall {
    package typealias Reply = AppEvent
    package static let number = LocalCallNumber.awaitEvent

    package init() {}
}

/// Reports that the app has updated its activity; an event requested this (`AppEvent.save`).
package struct ReportSaved: ConnectionCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.reportSaved
    package static var tooLarge: LocalFailure { .activityTooLarge }

    /// The number of the event.
    package var event: UInt64
    /// The change of the activity; nil if the activity was already up to date.
    package var change: ActivityChange?

    package init(_ event: UInt64, _ change: ActivityChange?) { (self.event, self.change) = (event, change) }

    package func encode(to writer: inout CBORWriter) { writer.pair(event, change) }

    package init(from reader: inout CBORReader) throws(CBORError) { (event, change) = try reader.pair() }
}
