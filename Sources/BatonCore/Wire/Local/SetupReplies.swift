// What `baton-node` tells the command that started it to set up an account; these are no replies to calls.

/// An account was made, with this device as its first; or it will be, once the person has the recovery code.
package struct NewAccountReply: SimpleReply {
    package static let kind: UInt64 = 8

    package var account: AccountIdentifier
    package var device: DeviceReference
    package var recoveryCode: String

    package init(_ account: AccountIdentifier, _ device: DeviceReference, recoveryCode: String) {
        (self.account, self.device, self.recoveryCode) = (account, device, recoveryCode)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.identifier(account)
        device.encode(to: &writer)
        writer.text(recoveryCode)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        self.init(
            try reader.identifier(), try DeviceReference(from: &reader), recoveryCode: try reader.text())
    }
}

/// This device became one of an account.
package struct AdmissionReply: SimpleReply {
    package static let kind: UInt64 = 9

    package var account: AccountIdentifier
    package var device: DeviceReference
    /// The device that let this one in; this one itself if it came back alone, by the recovery code.
    package var inviter: DeviceReference

    package init(_ account: AccountIdentifier, _ device: DeviceReference, inviter: DeviceReference) {
        (self.account, self.device, self.inviter) = (account, device, inviter)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.identifier(account)
        device.encode(to: &writer)
        inviter.encode(to: &writer)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        self.init(
            try reader.identifier(), try DeviceReference(from: &reader),
            inviter: try DeviceReference(from: &reader))
    }
}

/// How joining an account goes.
package enum JoinReply: LocalReply {
    case joining(PairingNotice)
    case admitted(AdmissionReply)

    package func encodeReply(to writer: inout CBORWriter) {
        switch self {
        case .joining(let notice): notice.encodeReply(to: &writer)
        case .admitted(let admission): admission.encodeReply(to: &writer)
        }
    }

    package init?(_ kind: UInt64, from reader: inout CBORReader) throws(CBORError) {
        if let notice = try PairingNotice(kind, from: &reader) {
            self = .joining(notice)
        } else if let admission = try AdmissionReply(kind, from: &reader) {
            self = .admitted(admission)
        } else {
            return nil
        }
    }
}
