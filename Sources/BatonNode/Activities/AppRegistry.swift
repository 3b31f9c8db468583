import BatonCore

/// The apps that continue activities, for as long as they are connected.
final class AppRegistry {
    private var entries: [AppName: Entry] = [:]
    /// The number of registrations so far.
    private var count = 0

    private struct Entry {
        let registration: AppRegistration
        let events: AppEvents
        let bytes: Int
        /// Counts the registrations: the entry with the largest number is the newest.
        let number: Int
        let time: WallTime
    }

    /// Registers an app, replacing its earlier registration; the connection that registered last gets the events.
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

    /// Removes the apps of a connection that has ended.
    func forget(_ events: AppEvents) { entries = entries.filter { $0.value.events !== events } }

    /// Copies another registry's registrations of apps that are still connected.
    func carry(_ other: AppRegistry, of apps: [AppEvents]) {
        entries = other.entries.filter { entry in apps.contains { $0 === entry.value.events } }
        count = other.count
    }

    /// All registrations with the times of their last use, in the order of the apps' names.
    ///
    /// The closure returns the time of the last change of an instance's activity.
    func registrations(_ changed: (AppName) -> WallTime?) -> [AppRegistration] {
        entries.values.map { entry in
            var registration = entry.registration
            registration.used = max(changed(registration.name) ?? entry.time, entry.time)
            return registration
        }
        .sorted { ($0.name.app, $0.name.instance) < ($1.name.app, $1.name.instance) }
    }

    /// Returns the connection's events for an app; nil if it is not registered.
    func events(of name: AppName) -> AppEvents? { entries[name]?.events }

    /// Returns the instances of an app that registered for exactly that type, the newest first.
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
