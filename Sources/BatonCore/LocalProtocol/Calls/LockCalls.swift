// The calls about the passphrase that protects the content key of this machine.

/// Something that proves that the person may change the lock: the passphrase, or the account's recovery code.
package enum LockProof: LocalValue, Equatable, Sendable {
    case passphrase([UInt8])
    case recoveryCode(String)

    func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        switch self {
        case .passphrase(let bytes):
            writer.unsigned(0)
            writer.data(bytes)
        case .recoveryCode(let text):
            writer.unsigned(1)
            writer.text(text)
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        let start = reader.offset
        switch try reader.unsigned() {
        case 0: self = .passphrase(try reader.data())
        case 1: self = .recoveryCode(try reader.text())
        default: throw CBORError(.outOfRange, at: start)
        }
    }
}

/// Protects the content key of this machine by a passphrase, or by another passphrase.
package struct SetLock: AccountCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.setLock

    package var passphrase: [UInt8]
    /// The proof that the person may replace the present passphrase; nil if there is none.
    package var proof: LockProof?

    package init(_ passphrase: [UInt8], proof: LockProof?) {
        (self.passphrase, self.proof) = (passphrase, proof)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.data(passphrase)
        writer.value(proof)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        passphrase = try reader.data()
        proof = try reader.value()
    }
}

/// Removes the passphrase, so that protected content is readable whenever the node runs.
package struct RemoveLock: AccountCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.removeLock

    package var proof: LockProof

    package init(_ proof: LockProof) { self.proof = proof }

    package func encode(to writer: inout CBORWriter) { writer.value(proof) }

    package init(from reader: inout CBORReader) throws(CBORError) { proof = try reader.value() }
}

/// Locks the accounts that have a passphrase: the node answers, and then replaces its process.
package struct LockAccount: AccountCall, BareCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.lockAccount

    package init() {}
}

/// Loads the content key, so that protected content can be read and written.
package struct UnlockAccount: AccountCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.unlockAccount

    package var proof: LockProof

    package init(_ proof: LockProof) { self.proof = proof }

    package func encode(to writer: inout CBORWriter) { writer.value(proof) }

    package init(from reader: inout CBORReader) throws(CBORError) { proof = try reader.value() }
}

/// Fails with `.locked` while the account is locked.
///
/// A client makes this call before it sends protected content, because content that a locked node has seen would stay
/// in its memory.
package struct DemandUnlocked: AccountCall, BareCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.demandUnlocked

    package init() {}
}
