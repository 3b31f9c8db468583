import BatonCore
import BatonSecurity

/// Switching this device to other credentials: an owner has renewed its certificate, or the person has made it an
/// owner.
extension AccountNode: RenewalOwner {
    private var identity: IdentityFolder { IdentityFolder(path: folder + "/identity") }

    func takeOver(_ credentials: Credentials) {
        do {
            try use(credentials)
        } catch {
            return log.warn("the renewed certificate can't be used: \(error)")
        }
        // If storing fails, the node takes the certificate from the roster again when it starts next.
        keep { identity throws(SecurityError) in
            try identity.renew(credentials)
        } then: { [log] failure in
            if let failure { log.warn("the renewed certificate can't be kept: \(failure)") }
        }
    }

    /// Returns the context to show to a peer that has refused this device this many times; nil once there is no other
    /// one.
    func context(afterRefusals count: Int) -> TLSContext? {
        guard let credentials = renewal.credentials(afterRefusals: count) else { return nil }
        do {
            return try context(of: credentials)
        } catch {
            log.warn("another certificate of this device can't be shown: \(error)")
            return nil
        }
    }

    /// Makes this device an owner with the words of the recovery code.
    func promote(_ text: String, then: @escaping (Result<Promotion, LocalFailure>) -> Void) {
        let wasOwner: Bool
        let promoted: Credentials
        do throws(LocalFailure) {
            (promoted, wasOwner) = try credentials.promoted(
                byCode: text, membership.roster, now: WallTime.now.seconds, options: options)
        } catch {
            return then(.failure(error))
        }
        keep { identity throws(SecurityError) in
            try identity.promote(promoted)
        } then: { [self] failure in
            if let failure {
                return then(
                    .failure(LocalFailure(.storage, "The owner's key can't be kept: \(failure.message)")))
            }
            do {
                try use(promoted)
            } catch {
                return then(.failure(LocalFailure(.failed, "The owner's key can't be used: \(error)")))
            }
            log.tell("this device is an owner of the account")
            then(.success(Promotion(promoted, reference(promoted.device), wasOwner: wasOwner)))
        }
    }

    /// Changes the stored identity on a thread that may wait for the disk; each change waits for the one before.
    private func keep(
        _ change: @escaping @Sendable (IdentityFolder) throws(SecurityError) -> Void,
        then: @escaping (SecurityError?) -> Void
    ) {
        store.submit(to: .activities) { [identity] (_) throws(StoreFailure) in
            do throws(SecurityError) {
                try change(identity)
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
    /// Returns the credentials of this device as an owner if the words are its account's recovery code, and whether it
    /// was an owner, whose key it then keeps.
    ///
    /// A revoked key is never kept, and a revoked device stays out.
    func promoted(
        byCode text: String, _ roster: Roster, now: Int64, options: String
    ) throws(LocalFailure) -> (Credentials, wasOwner: Bool) {
        let code = try RecoveryCode(typed: text)
        if case .revoked = roster.standing(of: device) {
            throw LocalFailure(
                .notAllowed,
                "This machine was revoked, and can't become an owner.\nType `baton leave\(options)` here, and then `baton recover\(options)`, which makes it a new machine of the account."
            )
        }
        guard root.notBefore <= now else {
            throw LocalFailure(
                .failed, "The clock of this machine shows a time before the account was made. Set it right.")
        }
        var keepsKey = ownerKey != nil
        if let owner = ownerAuthority?.owner, case .revoked = roster.standing(of: owner) { keepsKey = false }
        do {
            let root = try RootAuthority(recoveryCode: code, now: now)
            guard root.account == account else {
                throw LocalFailure(
                    .wrongCode,
                    "These words are the recovery code of another account, \(root.account.short); this machine is of \(account.short). Nothing has changed."
                )
            }
            return (try promoted(by: root, keepingKey: keepsKey, now: now), keepsKey)
        } catch let failure as LocalFailure {
            throw failure
        } catch {
            throw LocalFailure(.failed, "An owner can't be made: \(error)")
        }
    }
}

extension RecoveryCode {
    /// Reads the recovery code that a person typed; the error points to the wrong word.
    init(typed text: String) throws(LocalFailure) {
        do {
            try self.init(text: text)
        } catch {
            throw LocalFailure(.usage, error.message)
        }
    }
}

extension Promotion {
    /// Describes a device that was made an owner.
    init(_ credentials: Credentials, _ device: DeviceReference, wasOwner: Bool) {
        self.init(
            account: credentials.account, device: device,
            ends: WallTime(seconds: credentials.owner.notAfter), wasOwner: wasOwner)
    }
}
