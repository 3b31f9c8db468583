import BatonCore
import BatonNetwork
import BatonSecurity

/// Sets and removes the passphrase of an account, and unlocks its content key.
///
/// A passphrase is checked on a thread of its own, because that takes long on purpose. Only one is checked at a time,
/// and each wrong one delays its answer longer than the one before. The object belongs to the loop's thread.
final class ContentLock {
    private let identity: OwnIdentity
    private let loop: EventLoop
    private let log: Log
    private let options: String
    /// Called when the content key has been unlocked.
    private let unlocked: () -> Void
    /// Receives the results of the threads.
    private var results: Mailbox<Outcome>?
    /// Handles the result of the check that is under way; nil if there is none.
    private var pending: ((Outcome) -> Void)?
    /// The number of wrong passphrases since the last right one.
    private var failures = 0
    /// Delays the answer to a wrong passphrase.
    private let pause: OwnedTimer

    private typealias Outcome = Result<ContentProtection, SecurityError>
    /// Something that proves that the person may use the key, on its way to the thread that checks it.
    private enum Proof: Sendable {
        case passphrase(SecretBytes)
        case recoveryCode(SecretBytes)
    }

    /// The delay of the answer to the first wrong passphrase; it doubles with each further one.
    private static let pauseLeast = Duration.milliseconds(500)
    private static let pauseMost = Duration.seconds(30)

    init(
        _ identity: OwnIdentity, on loop: EventLoop, log: Log, options: String, unlocked: @escaping () -> Void
    ) {
        (self.identity, self.loop, self.log) = (identity, loop, log)
        (self.options, self.unlocked) = (options, unlocked)
        pause = OwnedTimer(on: loop)
    }

    // MARK: Changes

    /// Protects the key by a passphrase; if one is set, the proof must be right.
    func set(_ passphrase: [UInt8], _ proof: LockProof?, _ answer: @escaping Answer<Done>)
        throws(LocalFailure)
    {
        let account = identity.credentials.account
        guard (1...LockedContentKey.passphraseBytesMost).contains(passphrase.count) else {
            throw LocalFailure(
                .usage, "A passphrase has between 1 and \(LockedContentKey.passphraseBytesMost) bytes.")
        }
        let new = try Self.secret(passphrase)
        switch identity.credentials.protection {
        case .plain(let key):
            try check(isGuess: false) { () throws(SecurityError) in
                .unlocked(key, try LockedContentKey(key, of: account, passphrase: new))
            } then: { [self] in
                keepResult($0, "a passphrase protects the content key from now on", answer)
            }
        case .unlocked(_, let locked), .locked(let locked):
            try demandUnlocked()
            let proof = try Self.proof(proof, options)
            try check { () throws(SecurityError) in
                let key = try Self.open(locked, proof)
                return .unlocked(key, try LockedContentKey(key, of: account, passphrase: new))
            } then: { [self] in
                keepResult($0, "another passphrase protects the content key from now on", answer)
            }
        }
    }

    /// Removes the passphrase if the proof is right.
    func remove(_ proof: LockProof, _ answer: @escaping Answer<Done>) throws(LocalFailure) {
        guard let locked = identity.credentials.protection.lockedKey else { throw noPassphrase }
        try demandUnlocked()
        let proof = try Self.proof(proof, options)
        try check { () throws(SecurityError) in
            .plain(try Self.open(locked, proof))
        } then: { [self] in
            keepResult($0, "no passphrase protects the content key any more", answer)
        }
    }

    /// Loads the key if the proof is right; a key that is loaded already stays.
    func unlock(_ proof: LockProof, _ answer: @escaping Answer<Done>) throws(LocalFailure) {
        guard case .locked(let locked) = identity.credentials.protection else {
            return answer(.success(Done()))
        }
        let proof = try Self.proof(proof, options)
        try check { () throws(SecurityError) in
            .unlocked(try Self.open(locked, proof), locked)
        } then: { [self] result in
            switch result {
            case .success(let protection):
                identity.use(protection)
                log.tell("protected content was unlocked")
                unlocked()
                answer(.success(Done()))
            case .failure(let failure): answer(.failure(failure))
            }
        }
    }

    /// Returns whether there is something to lock; throws if no passphrase is set.
    func hasKeyToLock() throws(LocalFailure) -> Bool {
        switch identity.credentials.protection {
        case .plain: throw noPassphrase
        case .unlocked: true
        case .locked: false
        }
    }

    /// Throws `.locked` while the key is locked.
    func demandUnlocked() throws(LocalFailure) {
        if identity.credentials.contentKey == nil {
            throw .locked("The protected content of this machine", options: options)
        }
    }

    private var noPassphrase: LocalFailure {
        LocalFailure(
            .failed,
            "No passphrase is set, so nothing can be locked.\nType `baton lock --set\(options)` first.")
    }

    private func keepResult(
        _ result: Result<ContentProtection, LocalFailure>, _ text: String, _ answer: @escaping Answer<Done>
    ) {
        switch result {
        case .failure(let failure): answer(.failure(failure))
        case .success(let protection):
            identity.keepProtection(protection) { [log] failure in
                if let failure { return answer(.failure(failure)) }
                log.tell(text)
                answer(.success(Done()))
            }
        }
    }

    // MARK: Checking

    /// Does a job on a thread, and passes its result on; the result of a wrong guess comes late.
    private func check(
        isGuess: Bool = true, _ job: @escaping @Sendable () throws(SecurityError) -> ContentProtection,
        then: @escaping (Result<ContentProtection, LocalFailure>) -> Void
    ) throws(LocalFailure) {
        guard pending == nil else {
            throw LocalFailure(.failed, "Another passphrase is being checked. Try again in a moment.")
        }
        do throws(NetworkError) {
            let results = try mailbox()
            let thread = try SystemThread(name: "baton-lock") {
                results.post(Outcome(catching: job))
            }
            thread.detach()
        } catch {
            throw LocalFailure(.failed, "The passphrase can't be checked: \(error)")
        }
        pending = { [self] outcome in
            switch outcome {
            case .success(let protection):
                if isGuess { failures = 0 }
                then(.success(protection))
            case .failure(let error) where error.code == .wrongPassphrase:
                then(.failure(LocalFailure(.wrongCode, "\(error.message) Nothing has changed.")))
            case .failure(let error) where error.code == .malformed:
                then(.failure(LocalFailure(.usage, error.message)))
            case .failure(let error):
                then(.failure(LocalFailure(.failed, "The content key can't be read: \(error.message)")))
            }
        }
    }

    /// Returns the mailbox for the results of the threads, which is made for the first of them.
    private func mailbox() throws(NetworkError) -> Mailbox<Outcome> {
        if let results { return results }
        let made: Mailbox<Outcome> = try loop.mailbox { [weak self] outcome in self?.receive(outcome) }
        results = made
        return made
    }

    private func receive(_ outcome: Outcome) {
        guard case .failure(let error) = outcome, error.code == .wrongPassphrase else { return end(outcome) }
        failures += 1
        let delay = min(Self.pauseMost, Self.pauseLeast * (1 << min(failures - 1, 10)))
        log.warn("a wrong passphrase or recovery code was given, \(failures) in a row")
        pause.set(after: delay) { [unowned self] in end(outcome) }
    }

    private func end(_ outcome: Outcome) {
        let handle = pending
        pending = nil
        handle?(outcome)
    }

    private static func open(_ locked: LockedContentKey, _ proof: Proof) throws(SecurityError) -> ContentKey {
        switch proof {
        case .passphrase(let passphrase): try locked.open(with: passphrase)
        case .recoveryCode(let text):
            try RecoveryCode(text: String(decoding: text.copy(), as: UTF8.self)).contentKey(locked: locked)
        }
    }

    private static func proof(_ proof: LockProof?, _ options: String) throws(LocalFailure) -> Proof {
        switch proof {
        case .passphrase(let bytes): .passphrase(try secret(bytes))
        case .recoveryCode(let text): .recoveryCode(try secret(Array(text.utf8)))
        case nil:
            throw LocalFailure(
                .usage,
                "A passphrase is set already, so the present one is needed, too.\nType `baton lock --set\(options)`."
            )
        }
    }

    private static func secret(_ bytes: [UInt8]) throws(LocalFailure) -> SecretBytes {
        do throws(SecurityError) {
            return try SecretBytes(copying: bytes)
        } catch {
            throw LocalFailure(.failed, error.message)
        }
    }
}
