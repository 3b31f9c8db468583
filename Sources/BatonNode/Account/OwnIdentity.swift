import BatonCore
import BatonSecurity

/// The identity of this device in the account: its credentials and the TLS context that presents them.
///
/// The credentials are renewed from time to time.
final class OwnIdentity {
    private(set) var credentials: Credentials
    /// The TLS context with this device's certificate, for connections that begin now.
    private(set) var context: TLSContext
    /// Called when this device has begun to present another certificate.
    var changed: () -> Void = {}
    private let folder: IdentityFolder
    private let door: InvitationDoor
    /// A copy of the account's membership that TLS handshakes read.
    private let roster: RosterForHandshakes
    private let store: StoreThreads
    private let log: Log

    init(
        _ credentials: Credentials, in folder: IdentityFolder, _ door: InvitationDoor,
        knowing membership: Membership, store: StoreThreads, log: Log
    ) throws(SecurityError) {
        (self.credentials, self.folder, self.door) = (credentials, folder, door)
        (self.store, self.log, roster) = (store, log, RosterForHandshakes(membership))
        context = try Self.context(credentials, door, roster)
    }

    private static func context(
        _ credentials: Credentials, _ door: InvitationDoor, _ roster: RosterForHandshakes
    ) throws(SecurityError) -> TLSContext {
        try TLSContext.device(
            credentials, invitationIsOpen: { door.isOpen }, resumes: { roster.refusal(of: $0) == nil })
    }

    /// Returns a TLS context that presents other credentials of this device.
    func context(of credentials: Credentials) throws(SecurityError) -> TLSContext {
        try Self.context(credentials, door, roster)
    }

    /// Returns this device's admission to the account, read from its certificate chain.
    static func admission(of credentials: Credentials, _ log: Log) -> OwnAdmission {
        var statement: RosterStatement?
        do throws(SecurityError) {
            statement = try credentials.chain.admission()
        } catch {
            log.warn("can't enter this device in the roster: \(error)")
        }
        return OwnAdmission(
            device: credentials.device, name: credentials.deviceName, statement: statement,
            owner: credentials.ownerAuthority?.owner)
    }

    // MARK: Commands

    /// Makes handshakes use a changed roster from now on.
    func use(_ membership: Membership) { roster.set(membership) }

    /// Switches to other credentials of this device.
    ///
    /// The caller stores the credentials. Connections that are open stay open.
    private func use(_ credentials: Credentials) throws(SecurityError) {
        let context = try context(of: credentials)
        // The content key may have been locked or unlocked since the caller read the credentials.
        (self.credentials, self.context) = (credentials.protected(as: self.credentials.protection), context)
        changed()
    }

    /// Uses the content key as it is after unlocking, or after another passphrase.
    func use(_ protection: ContentProtection) {
        credentials = credentials.protected(as: protection)
        changed()
    }

    /// Stores a content key under a passphrase, or as it is, and then uses it.
    func keepProtection(_ protection: ContentProtection, then: @escaping (LocalFailure?) -> Void) {
        keep { folder throws(SecurityError) in
            switch protection {
            case .plain(let key): try folder.removeLock(key)
            case .unlocked(_, let locked), .locked(let locked): try folder.setLock(locked)
            }
        } then: { [self] failure in
            if let failure {
                return then(
                    LocalFailure(.storage, "Could not save the content key: \(failure.message)"))
            }
            use(protection)
            then(nil)
        }
    }

    /// Switches to a renewed certificate, and stores it.
    func takeOver(_ credentials: Credentials) {
        do {
            try use(credentials)
        } catch {
            return log.warn("can't use the renewed certificate: \(error)")
        }
        // If storing fails, the node takes the renewed certificate from the roster again at its next start.
        keep { identity throws(SecurityError) in
            try identity.renew(credentials)
        } then: { [log] failure in
            if let failure { log.warn("can't save the renewed certificate: \(failure)") }
        }
    }

    /// Makes this device an owner if the text is the account's recovery code.
    func promote(
        _ text: String, by roster: Roster, options: String,
        then: @escaping (Result<(credentials: Credentials, wasOwner: Bool), LocalFailure>) -> Void
    ) {
        let wasOwner: Bool
        let promoted: Credentials
        do throws(LocalFailure) {
            (promoted, wasOwner) = try credentials.promoted(
                byCode: text, roster, now: WallTime.now.seconds, options: options)
        } catch {
            return then(.failure(error))
        }
        keep { identity throws(SecurityError) in
            try identity.promote(promoted)
        } then: { [self] failure in
            if let failure {
                return then(
                    .failure(LocalFailure(.storage, "Could not save the owner's key: \(failure.message)")))
            }
            do {
                try use(promoted)
            } catch {
                return then(.failure(LocalFailure(.failed, "Can't use the owner's key: \(error)")))
            }
            log.tell("this device is now an owner of the account")
            then(.success((promoted, wasOwner)))
        }
    }

    /// Changes the stored identity on a store thread, which may wait for the disk.
    ///
    /// Each change waits for the previous change.
    private func keep(
        _ change: @escaping @Sendable (IdentityFolder) throws(SecurityError) -> Void,
        then: @escaping (SecurityError?) -> Void
    ) {
        store.submit(to: .activities) { [folder] (_) throws(StoreFailure) in
            do throws(SecurityError) {
                try change(folder)
                return SecurityError?.none
            } catch {
                return error
            }
        } then: { result in
            switch result {
            case .success(let failure): then(failure)
            case .failure(let failure): then(SecurityError(.file, "\(failure)"))
            }
        }
    }
}

extension Credentials {
    /// Returns credentials that make this device an owner, if the text is the recovery code of the device's account.
    ///
    /// `wasOwner` says whether the device was an owner already and keeps its key. A revoked key is never kept, and a
    /// revoked device can't become an owner.
    func promoted(
        byCode text: String, _ roster: Roster, now: Int64, options: String
    ) throws(LocalFailure) -> (Credentials, wasOwner: Bool) {
        let code = try RecoveryCode(typed: text)
        if case .revoked = roster.standing(of: device) {
            throw LocalFailure(
                .notAllowed,
                "This machine was revoked, so it can't become an owner.\nType `baton leave\(options)` here, and then `baton recover\(options)`, which makes it a new machine of the account."
            )
        }
        guard root.notBefore <= now else {
            throw LocalFailure(
                .failed, "The clock of this machine shows a time before the account was created. Set it.")
        }
        var keepsKey = ownerKey != nil
        if let owner = ownerAuthority?.owner, case .revoked = roster.standing(of: owner) { keepsKey = false }
        do {
            let root = try RootAuthority(recoveryCode: code, now: now)
            guard root.account == account else {
                throw LocalFailure(
                    .wrongCode,
                    "These words are the recovery code of another account, \(root.account.short); this machine belongs to \(account.short). Nothing has changed."
                )
            }
            return (try promoted(by: root, keepingKey: keepsKey, now: now), keepsKey)
        } catch let failure as LocalFailure {
            throw failure
        } catch {
            throw LocalFailure(.failed, "Can't make this machine an owner: \(error)")
        }
    }
}

extension RecoveryCode {
    /// Reads the recovery code that a person typed.
    ///
    /// If a word is wrong, the error says which one.
    init(typed text: String) throws(LocalFailure) {
        do {
            try self.init(text: text)
        } catch {
            throw LocalFailure(.usage, error.message)
        }
    }
}

extension Promotion {
    /// Describes the device that was made an owner.
    init(_ credentials: Credentials, _ device: DeviceReference, wasOwner: Bool) {
        self.init(
            account: credentials.account, device: device,
            ends: WallTime(seconds: credentials.owner.notAfter), wasOwner: wasOwner)
    }
}
