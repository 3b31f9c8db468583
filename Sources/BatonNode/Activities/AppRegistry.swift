import BatonCore

/// The registered apps that continue activities.
///
/// A registration ends when its app disconnects.
final class AppRegistry {
    private var entries: [AppName: Entry] = [:]
    /// The number of registrations that were ever made.
    private var count = 0

    private struct Entry {
        let registration: AppRegistration
        let events: AppEvents
        let bytes: Int
        /// The number of this registration.
        ///
        /// The newest entry has the largest number.
        let number: Int
        let time: WallTime
    }

    /// Registers an app, and replaces its earlier registration.
    ///
    /// The connection that registered last gets the events.
    func register(_ registration: AppRegistration, _ events: AppEvents) throws(LocalFailure) {
        guard !registration.name.app.isEmpty, !registration.types.isEmpty,
            registration.types.allSatisfy({ !$0.isEmpty })
        else {
            throw LocalFailure(
                .usage,
                "An app that continues activities needs a name, such as `org.example.notes`, and at least one type."
            )
        }
        let (bytes, before) = (registration.bytes, entries[registration.name]?.bytes ?? 0)
        guard bytes <= Limits.registrationBytes,
            entries.values.reduce(bytes - before, { $0 + $1.bytes }) <= Limits.registrationsBytes
        else {
            throw LocalFailure(
                .tooLarge,
                "Can't register the app: its name and types may take up to \(Limits.registrationBytes >> 10) KiB, and those of all apps together up to \(Limits.registrationsBytes >> 10) KiB."
            )
        }
        count += 1
        entries[registration.name] = Entry(
            registration: registration, events: events, bytes: bytes, number: count, time: .now)
    }

    /// Removes the registrations of a connection that has ended.
    func forget(_ events: AppEvents) { entries = entries.filter { $0.value.events !== events } }

    /// Copies another registry's registrations whose apps are still connected.
    func carry(_ other: AppRegistry, of apps: [AppEvents]) {
        entries = other.entries.filter { entry in apps.contains { $0 === entry.value.events } }
        count = other.count
    }

    /// Returns all registrations with the times of their last use, sorted by the names of the apps.
    ///
    /// The closure returns the time at which the activity of an app instance last changed.
    func registrations(_ changed: (AppName) -> WallTime?) -> [AppRegistration] {
        entries.values.map { entry in
            var registration = entry.registration
            registration.used = max(changed(registration.name) ?? entry.time, entry.time)
            return registration
        }
        .sorted { ($0.name.app, $0.name.instance) < ($1.name.app, $1.name.instance) }
    }

    /// Returns the events of the connection on which an app registered; nil if the app is not registered.
    func events(of name: AppName) -> AppEvents? { entries[name]?.events }

    /// Returns the instances of an app that registered for exactly this type, newest first.
    func instances(of app: String, taking type: String) -> [AppRegistration] {
        entries.values.filter { entry in
            entry.registration.name.app.utf8.elementsEqual(app.utf8)
                && entry.registration.types.contains { $0.utf8.elementsEqual(type.utf8) }
        }.sorted { $0.number > $1.number }.map(\.registration)
    }
}

extension AppRegistration {
    /// The approximate size of the registration in an answer, in bytes.
    fileprivate var bytes: Int {
        (types + [name.app, name.instance, title ?? "", folder ?? ""]).reduce(64) { $0 + $1.utf8.count + 8 }
    }
}
