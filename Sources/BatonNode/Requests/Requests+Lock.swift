import BatonCore

/// Handles calls about the passphrase of the account on this machine.
extension Requests {
    func setLock(_ call: SetLock, _ answer: @escaping Answer<Done>) throws(LocalFailure) {
        try account.contentLock.set(call.passphrase, call.proof, answer)
    }

    func removeLock(_ call: RemoveLock, _ answer: @escaping Answer<Done>) throws(LocalFailure) {
        try account.contentLock.remove(call.proof, answer)
    }

    func unlockAccount(_ call: UnlockAccount, _ answer: @escaping Answer<Done>) throws(LocalFailure) {
        try account.contentLock.unlock(call.proof, answer)
    }

    func lockAccount(_: LockAccount, _ answer: Answer<Done>) throws(LocalFailure) {
        let mustLock = try account.contentLock.hasKeyToLock()
        answer(.success(Done()))
        guard mustLock else { return }
        core.log.tell("locking protected content; the process starts again")
        host.lock()
    }

    func demandUnlocked(_: DemandUnlocked, _ answer: Answer<Done>) throws(LocalFailure) {
        try account.contentLock.demandUnlocked()
        answer(.success(Done()))
    }
}
