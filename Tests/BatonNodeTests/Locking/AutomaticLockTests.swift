import BatonCore
import BatonNetwork
import BatonSecurity
import LoginSupport
import Support
import Testing

@testable import BatonNode

/// The reasons for which protected content is locked without a command.
@Suite struct `Protected content is locked` {
    /// An account whose content key is in memory under a passphrase, and its automatic lock.
    private final class Stage {
        let stage: AccountStage
        private(set) var lock: AutomaticLock?
        private(set) var locks = 0
        /// An address at which no bus is.
        static let nowhere = "unix:path=/nonexistent/bus"

        init(bus: String = nowhere, minutes: Int64 = 1) throws {
            var limits = Limits()
            limits.lockMinute = .milliseconds(300)
            stage = try AccountStage(limits: limits)
            try set(.lockMinutes, to: minutes)
            let lock = AutomaticLock(of: stage.core, bus: bus) { [unowned self] in locks += 1 }
            self.lock = lock
            stage.core.identity.changed = { lock.handleChange() }
        }

        deinit { lock?.close() }

        func set(_ setting: Setting, to value: Int64) throws {
            let failure: StoreFailure? = try stage.answer(to: "a setting") { then in
                stage.core.settingsKeeper.change({ $0.set(setting, to: value) }, then: then)
            }
            #expect(failure == nil)
        }

        func unlock() throws {
            let key = try #require(stage.core.credentials.contentKey)
            let locked = try LockedContentKey(
                key, of: stage.core.credentials.account, passphrase: SecretBytes(copying: [1]),
                cost: PassphraseCost(logarithm: 4, blockSize: 8, rounds: 1))
            stage.core.identity.use(.unlocked(key, locked))
        }

        /// Runs the loop for a time in which nothing may happen.
        func run(for time: Duration) { _ = stage.loop.run(until: stage.loop.now + time, or: { false }) }
    }

    @Test func `when nothing was used for the time of the setting`() throws {
        let stage = try Stage()
        stage.run(for: .milliseconds(400))
        #expect(stage.locks == 0, "without a passphrase there is nothing to lock")
        try stage.unlock()
        var (used, longest) = (MonotonicTime.now, Duration.zero)
        for _ in 0..<20 {
            stage.run(for: .milliseconds(30))
            stage.lock?.noteUse()
            longest = max(longest, MonotonicTime.now - used)
            used = .now
        }
        // A machine that is busy may have made a pause that was too long.
        #expect(stage.locks == 0 || longest > .milliseconds(250), "it was used all the time")
        stage.stage.wait(for: "the lock") { stage.locks > 0 }
        #expect(MonotonicTime.now - used >= .milliseconds(290) || longest > .milliseconds(250))
        #expect(stage.stage.logged.contains { $0.contains("not used for a while") })
    }

    @Test func `never while the setting is zero, and from the next moment on when it is changed`() throws {
        let stage = try Stage(minutes: 0)
        try stage.unlock()
        stage.run(for: .milliseconds(400))
        #expect(stage.locks == 0)
        try stage.set(.lockMinutes, to: 1)
        stage.lock?.setTimer()
        stage.stage.wait(for: "the lock") { stage.locks > 0 }
    }

    @Test(.enabled(if: PrivateBus.isThere, Comment(rawValue: PrivateBus.advice)))
    func `when the machine sleeps, the screen is locked or the person logs out, as the settings say`() throws
    {
        let bus = try PrivateBus()
        let logind = try FakeLogind(on: bus, FakeLogind.Session())
        let stage = try Stage(bus: bus.address, minutes: 0)
        try stage.unlock()
        stage.stage.wait(for: "the watch") { !logind.inhibitions.isEmpty }
        logind.announceSleep(true)
        stage.stage.wait(for: "the lock before sleep") { stage.locks == 1 }
        try stage.set(.lockAsleep, to: 0)
        logind.announceSleep(true)
        logind.setLocked(true)
        stage.stage.wait(for: "the lock with the screen") { stage.locks == 2 }
        try stage.set(.lockAway, to: 0)
        logind.endSession()
        try stage.set(.lockAsleep, to: 1)
        logind.announceSleep(true)
        stage.stage.wait(for: "the second lock before sleep") { stage.locks == 3 }
    }

    @Test func `by a command only where no logind answers, which the log says once`() throws {
        let stage = try Stage(minutes: 0)
        try stage.unlock()
        stage.stage.wait(for: "the line in the log") {
            stage.stage.logged.contains { $0.contains("does not tell when it sleeps") }
        }
        stage.run(for: .milliseconds(50))
        #expect(stage.locks == 0)
        #expect(stage.stage.logged.filter { $0.contains("does not tell when it sleeps") }.count == 1)
    }
}
