package import Glibc

/// Watches at logind whether the person of a user leaves the machine.
///
/// One thread uses the object, except for the descriptor that ends the wait.
package struct LoginWatch: ~Copyable {
    /// A moment at which the person is no longer at the machine.
    package enum Moment: Hashable, Sendable {
        /// The machine is about to sleep. It waits for a short time, until the process has ended.
        case sleep
        /// The screen of the person's session was locked.
        case screenLock
        /// The person's last session has ended.
        case logout
    }

    private let bus: SystemBus
    private let user: uid_t
    /// The session at the last look; nil if there was none.
    private var session: LoginSession?
    /// Makes the machine wait before it sleeps, as long as it is open; nil if logind has not given one.
    private let inhibitor: BusDescriptor?

    /// The signals that may announce such a moment.
    private static let rules = [
        "interface='\(LoginSession.manager)',member='PrepareForSleep'",
        "interface='\(LoginSession.manager)',member='SessionRemoved'",
        "interface='\(LoginSession.manager)',member='UserRemoved'",
        "interface='\(LoginSession.session)',member='Lock'",
        "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',arg0='\(LoginSession.session)'",
    ]

    /// Begins to watch; throws if no logind answers.
    package init(address: String = SystemBus.usualAddress, user: uid_t) throws(BusError) {
        let bus = try SystemBus(address: address)
        for rule in Self.rules {
            try bus.subscribe(to: "type='signal',sender='\(LoginSession.service)',\(rule)")
        }
        let session = try LoginSession.find(on: bus, user: user)
        inhibitor = try Self.inhibitor(on: bus)
        (self.bus, self.user, self.session) = (bus, user, session)
    }

    /// Asks logind to delay each sleep until the descriptor is closed.
    ///
    /// A logind that refuses this still announces the sleep, so the refusal is no failure.
    private static func inhibitor(on bus: SystemBus) throws(BusError) -> BusDescriptor? {
        do throws(BusError) {
            return try bus.descriptor(
                BusCall(
                    "Inhibit", of: LoginSession.manager, at: LoginSession.managerPath,
                    service: LoginSession.service,
                    arguments: [
                        .text("sleep"), .text("Baton"), .text("locks protected content"), .text("delay"),
                    ]))
        } catch {
            if case .refused = error { return nil }
            throw error
        }
    }

    /// Waits for the next moment; returns nil once the other descriptor is readable.
    package mutating func next(or other: Int32) throws(BusError) -> Moment? {
        while let signal = try bus.nextSignal(or: other) {
            if let moment = try moment(of: signal) { return moment }
        }
        return nil
    }

    private mutating func moment(of signal: BusSignal) throws(BusError) -> Moment? {
        if signal.member == "PrepareForSleep" { return signal.values.first?.flag == true ? .sleep : nil }
        let before = session
        session = try LoginSession.find(on: bus, user: user)
        if signal.member == "Lock" {
            return try LoginSession.user(of: signal.path, on: bus) == user ? .screenLock : nil
        }
        guard let before, !before.isClosing else { return nil }
        guard let session, !session.isClosing else { return .logout }
        return session.isLocked && !before.isLocked ? .screenLock : nil
    }
}
