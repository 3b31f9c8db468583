// What an app says of itself over its connection, and what it hears of its activities.

/// Says that the app at this connection continues activities of some types, for as long as it is connected.
package struct RegisterApp: ConnectionCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.registerApp

    package var registration: AppRegistration

    package init(_ registration: AppRegistration) { self.registration = registration }

    package func encode(to writer: inout CBORWriter) { registration.encode(to: &writer) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        registration = try AppRegistration(from: &reader)
    }
}

/// Lists the apps that are registered.
package struct ListRegistrations: AccountCall, BareCall {
    package typealias Reply = RegistrationsReply
    package static let number = LocalCallNumber.listRegistrations

    package init() {}
}

/// The apps that continue activities, and of which types.
package struct RegistrationsReply: SimpleReply {
    package static let kind: UInt64 = 41

    package var registrations: [AppRegistration]

    package init(_ registrations: [AppRegistration]) { self.registrations = registrations }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: registrations.count)
        for registration in registrations { registration.encode(to: &writer) }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        registrations = try reader.array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in
            try AppRegistration(from: &reader)
        }
    }
}

/// Is answered once something concerns an activity that this connection began, or a type that it registered for.
package struct AwaitEvent: ConnectionCall, BareCall {
    package typealias Reply = AppEvent
    package static let number = LocalCallNumber.awaitEvent

    package init() {}
}

/// Says that the app has brought its activity up to date, as an event asked it to.
package struct ReportSaved: ConnectionCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.reportSaved
    package static var tooLarge: LocalFailure { .activityTooLarge }

    /// The number of the event.
    package var event: UInt64
    /// What changed; nil if the activity was up to date.
    package var change: ActivityChange?

    package init(_ event: UInt64, _ change: ActivityChange?) { (self.event, self.change) = (event, change) }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.unsigned(event)
        if let change { change.encode(to: &writer) } else { writer.null() }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(
            try reader.unsigned(),
            try reader.optional { (reader) throws(CBORError) in try ActivityChange(from: &reader) })
    }
}
