import BatonLogin
import Dispatch
import Glibc
import Synchronization

/// Finds out by logind and polkit who sits at the machine.
package final class SystemAuthenticator: IntentAuthenticator {
    /// The address of the system bus; tests name a bus of their own.
    private let address: String
    /// The user that the process runs as.
    private let user: uid_t
    /// The user whose rights the process has.
    private let effectiveUser: uid_t
    /// Tells the person the title of the intent for which they are asked.
    private let announce: @Sendable (String) -> Void
    /// The time in which the person has to answer.
    private let patience: Duration
    /// Whether the person has proved who they are to this object, in place of logind's answer.
    private let hasProof = Mutex(false)

    /// The action that polkit is asked for, which Baton installs.
    private static let action = "org.baton.intents.perform"
    /// The threads that wait for answers, one of which may take minutes.
    private static let queue = DispatchQueue(
        label: "org.baton.authentication", qos: .userInitiated, attributes: .concurrent)

    package init(
        address: String = SystemBus.usualAddress, user: uid_t = getuid(), effectiveUser: uid_t = geteuid(),
        patience: Duration = .seconds(300), announce: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.address, self.user, self.effectiveUser) = (address, user, effectiveUser)
        (self.patience, self.announce) = (patience, announce)
    }

    /// Asks logind; where it does not answer, the person proves who they are, which is more.
    ///
    /// The person is asked for that proof only once.
    package func isSessionUnlocked(reason: String) async throws -> Bool {
        try await onQueue { [self] in
            do throws(BusError) {
                let bus = try SystemBus(address: address)
                guard let session = try LoginSession.find(on: bus, user: user) else {
                    return .failure(.noSession)
                }
                // A program with the rights of another user, as `sudo` gives them, is not the person of the session.
                guard session.user == user, effectiveUser == user else { return .failure(.otherUser) }
                return .success(!session.isLocked && !session.isClosing)
            } catch {
                guard error.isAbsence else { return .failure(.failed(error.description)) }
                if hasProof.withLock({ $0 }) { return .success(true) }
                announce(reason)
                let answer = ask()
                if case .success(true) = answer { hasProof.withLock { $0 = true } }
                return answer
            }
        }
    }

    /// Has polkit ask the person for their password.
    package func authenticate(reason: String) async throws -> Bool {
        announce(reason)
        return try await onQueue { [self] in ask() }
    }

    private func ask() -> Result<Bool, SystemAuthenticationError> {
        guard effectiveUser == user else { return .failure(.otherUser) }
        do throws(BusError) {
            let bus = try SystemBus(address: address)
            switch try PolicyAuthority.ask(for: Self.action, on: bus, within: patience) {
            case .authorized: return .success(true)
            case .refused: return .success(false)
            case .dismissed: return .failure(.dismissed)
            case .unanswered: return .failure(.unanswered)
            case .noAgent: return .failure(.noAgent)
            case .unasked: return .failure(.unasked)
            }
        } catch {
            if case .refused(_, let message) = error, message.contains("not registered") {
                return .failure(.notInstalled)
            }
            return .failure(error.isAbsence ? .unavailable : .failed(error.description))
        }
    }

    /// Runs a closure that waits on a thread that may wait.
    private func onQueue(
        _ body: @escaping @Sendable () -> Result<Bool, SystemAuthenticationError>
    ) async throws -> Bool {
        let result = await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: body()) }
        }
        return try result.get()
    }
}
