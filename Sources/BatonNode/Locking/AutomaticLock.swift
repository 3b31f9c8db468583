import BatonCore
import BatonLogin
import BatonNetwork
import BatonSecurity

/// Locks protected content when the person is no longer at the machine, as the settings of the account say.
///
/// It works only while the content key is in memory under a passphrase. The object belongs to the loop's thread.
final class AutomaticLock {
    private let account: AccountCore
    /// The address of the message bus with logind.
    private let bus: String
    /// Locks the account.
    private let lock: () -> Void
    /// Watches the person's session; nil while there is nothing to lock, or no logind.
    private var watch: PersonWatch?
    /// Fires when nothing was used for long enough.
    private let idle: OwnedTimer
    /// The last time at which something was used; nil while there is nothing to lock.
    private var used: MonotonicTime?

    init(of account: AccountCore, bus: String = SystemBus.usualAddress, lock: @escaping () -> Void) {
        (self.account, self.bus, self.lock) = (account, bus, lock)
        idle = OwnedTimer(on: account.loop)
    }

    /// Begins or ends, because the content key was unlocked, or its passphrase was set or removed.
    func handleChange() {
        guard case .unlocked = account.credentials.protection else { return close() }
        guard used == nil else { return }
        used = account.loop.now
        setTimer()
        do throws(NetworkError) {
            watch = try PersonWatch(at: bus, on: account.loop) { [unowned self] moment in
                handleMoment(moment)
            } ended: { [unowned self] error in
                watch = nil
                account.log.tell(
                    "this machine does not tell when it sleeps or its person leaves, so protected content stays unlocked then: \(error)"
                )
            }
        } catch {
            account.log.warn("can't watch whether the person leaves: \(error)")
        }
    }

    func close() {
        watch?.close()
        idle.cancel()
        (watch, used) = (nil, nil)
    }

    // MARK: Reasons

    /// Called when the person or an app uses something that may be protected.
    func noteUse() { if used != nil { used = account.loop.now } }

    /// Called after the setting of the idle time was changed.
    func setTimer() {
        guard let used else { return }
        let minutes = account.settings[.lockMinutes]
        idle.follow(minutes == 0 ? nil : used + account.limits.lockMinute * Int(minutes)) { [unowned self] in
            handleIdleTime()
        }
    }

    private func handleIdleTime() {
        guard let used, account.settings[.lockMinutes] > 0 else { return }
        let due = used + account.limits.lockMinute * Int(account.settings[.lockMinutes])
        // The timer is not set anew with each use.
        guard due <= account.loop.now else { return setTimer() }
        account.log.tell("protected content was not used for a while")
        lock()
    }

    private func handleMoment(_ moment: LoginWatch.Moment) {
        let (setting, words): (Setting, String) =
            switch moment {
            case .sleep: (.lockAsleep, "the machine is about to sleep")
            case .screenLock: (.lockAway, "the screen was locked")
            case .logout: (.lockAway, "the person has logged out")
            }
        guard account.settings[setting] != 0 else { return }
        account.log.tell(words)
        lock()
    }
}
