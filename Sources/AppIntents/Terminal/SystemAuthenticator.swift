import BatonLogin
import Dispatch
import Glibc

/// Finds out by logind and polkit who sits at the machine.
package struct SystemAuthenticator: IntentAuthenticator {
    /// The address of the system bus; tests name a bus of their own.
    private let address: String
    /// The user that the process runs as.
    private let user: uid_t
    /// The user whose rights the process has.
    private let effectiveUser: uid_t

    /// The action that polkit is asked for, which Baton installs.
    private static let action = "org.baton.intents.perform"
    /// The threads that wait for answers, one of which may take minutes.
    private static let queue = DispatchQueue(
        label: "org.baton.authentication", qos: .userInitiated, attributes: .concurrent)

    package init(
        address: String = SystemBus.usualAddress, user: uid_t = getuid(), effectiveUser: uid_t = geteuid()
    ) { (self.address, self.user, self.effectiveUser) = (address, user, effectiveUser) }

    /// Asks logind; where it does not answer, the person proves who they are, which is more.
    package func isSessionUnlocked() async throws -> Bool {
        try await onQueue {
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
                return ask()
            }
        }
    }

    /// Has polkit ask the person for their password.
    package func authenticate(reason: String) async throws -> Bool {
        try await onQueue { ask() }
    }

    private func ask() -> Result<Bool, SystemAuthenticationError> {
        guard effectiveUser == user else { return .failure(.otherUser) }
        do throws(BusError) {
            switch try PolicyAuthority.ask(for: Self.action, on: SystemBus(address: address)) {
            case .authorized: return .success(true)
            case .refused: return .success(false)
            case .dismissed: return .failure(.dismissed)
            case .noAgent: return .failure(.noAgent)
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
