// The replies of a `baton-node` that a command started to set up an account. They do not answer calls.

/// A new account, in which this device is the first device.
///
/// The account is created immediately, or when the person has noted the recovery code.
package struct NewAccountReply: SimpleReply {
    package static let kind = LocalReplyKind.newAccount

    package var account: AccountIdentifier
    package var device: DeviceReference
    package var recoveryCode: String

    package init(_ account: AccountIdentifier, _ device: DeviceReference, recoveryCode: String) {
        (self.account, self.device, self.recoveryCode) = (account, device, recoveryCode)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.triple(account, device, recoveryCode)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (account, device, recoveryCode) = try reader.triple()
    }
}

/// The admission of this device to an account.
package struct AdmissionReply: SimpleReply {
    package static let kind = LocalReplyKind.admission

    package var account: AccountIdentifier
    package var device: DeviceReference
    /// The device that admitted this device; if this device returned with the recovery code, it is this device itself.
    package var inviter: DeviceReference

    package init(_ account: AccountIdentifier, _ device: DeviceReference, inviter: DeviceReference) {
        (self.account, self.device, self.inviter) = (account, device, inviter)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.triple(account, device, inviter)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (account, device, inviter) = try reader.triple()
    }
}

/// The progress of joining an account.
package enum JoinReply: LocalReply {
    case joining(PairingNotice)
    case admitted(AdmissionReply)

    package func encodeReply(to writer: inout CBORWriter) {
        switch self {
        case .joining(let notice): notice.encodeReply(to: &writer)
        case .admitted(let admission): admission.encodeReply(to: &writer)
        }
    }

    package init?(_ kind: LocalReplyKind, from reader: inout CBORReader) throws(CBORError) {
        if let notice = try PairingNotice(kind, from: &reader) {
            self = .joining(notice)
        } else if let admission = try AdmissionReply(kind, from: &reader) {
            self = .admitted(admission)
        } else {
            return nil
        }
    }
}
