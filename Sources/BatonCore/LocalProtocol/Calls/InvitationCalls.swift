/// Opens an invitation, with which another machine can join the account.
package struct OpenInvitation: ConnectionCall {
    package typealias Reply = OpenInvitationReply
    package static let number = LocalCallNumber.openInvitation

    /// Whether a person must confirm before the other machine is admitted.
    package var asksPerson: Bool

    package init(asksPerson: Bool) { self.asksPerson = asksPerson }

    package func encode(to writer: inout CBORWriter) { writer.value(asksPerson) }

    package init(from reader: inout CBORReader) throws(CBORError) { asksPerson = try reader.value() }
}

/// The open invitation.
package struct OpenInvitationReply: SimpleReply {
    package static let kind = LocalReplyKind.openInvitation

    package var code: String
    package var expires: WallTime
    /// The addresses at which the other machine can reach this machine, best address first.
    package var addresses: [String]

    package init(code: String, expires: WallTime, addresses: [String]) {
        (self.code, self.expires, self.addresses) = (code, expires, addresses)
    }

    package func encode(to writer: inout CBORWriter) { writer.triple(code, expires, addresses) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (code, expires, addresses) = try reader.triple()
    }
}

/// Waits until a machine begins to join with this code, or until the invitation has ended.
///
/// An invitation also ends when it is used.
package struct AwaitInvitation: AccountCall {
    package typealias Reply = InvitationReply
    package static let number = LocalCallNumber.awaitInvitation

    package var code: String
    /// Whether the caller already knows the joining machine, and waits only for the end of the invitation.
    package var isJoinerKnown: Bool

    package init(code: String, isJoinerKnown: Bool) {
        (self.code, self.isJoinerKnown) = (code, isJoinerKnown)
    }

    package func encode(to writer: inout CBORWriter) { writer.pair(code, isJoinerKnown) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (code, isJoinerKnown) = try reader.pair()
    }
}

/// Admits or rejects the machine that is joining with this code.
///
/// The node answers when the invitation has ended.
package struct AnswerJoiner: AccountCall {
    package typealias Reply = InvitationReply
    package static let number = LocalCallNumber.answerJoiner

    package var code: String
    package var letIn: Bool

    package init(code: String, letIn: Bool) { (self.code, self.letIn) = (code, letIn) }

    package func encode(to writer: inout CBORWriter) { writer.pair(code, letIn) }

    package init(from reader: inout CBORReader) throws(CBORError) { (code, letIn) = try reader.pair() }
}

/// The progress of an invitation.
package enum InvitationReply: LocalReply {
    case joining(PairingNotice)
    /// The other machine has joined the account, as this device.
    case joined(DeviceReference)

    package func encodeReply(to writer: inout CBORWriter) {
        switch self {
        case .joining(let notice): notice.encodeReply(to: &writer)
        case .joined(let device):
            writer.unsigned(LocalReplyKind.joined.rawValue)
            device.encode(to: &writer)
        }
    }

    package init?(_ kind: LocalReplyKind, from reader: inout CBORReader) throws(CBORError) {
        switch kind {
        case .pairingNotice: self = .joining(try PairingNotice(from: &reader))
        case .joined: self = .joined(try DeviceReference(from: &reader))
        default: return nil
        }
    }
}

/// A notice that both machines of a pairing have proved to each other that they know the code.
package struct PairingNotice: SimpleReply {
    package static let kind = LocalReplyKind.pairingNotice

    /// The name of the other machine.
    package var name: String
    /// The words that both machines show, so that people can compare them.
    package var phrase: String
    /// Whether a person at the inviting machine must confirm.
    package var asksPerson: Bool

    package init(name: String, phrase: String, asksPerson: Bool) {
        (self.name, self.phrase, self.asksPerson) = (name, phrase, asksPerson)
    }

    package func encode(to writer: inout CBORWriter) { writer.triple(name, phrase, asksPerson) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (name, phrase, asksPerson) = try reader.triple()
    }
}

/// Cancels the open invitation.
package struct CancelInvitation: AccountCall, BareCall {
    package typealias Reply = CancelInvitationReply
    package static let number = LocalCallNumber.cancelInvitation

    package init() {}
}

/// The reply that says that the invitation was cancelled.
package struct CancelInvitationReply: SimpleReply {
    package static let kind = LocalReplyKind.cancelInvitation

    package init() {}

    package func encode(to writer: inout CBORWriter) { writer.null() }

    package init(from reader: inout CBORReader) throws(CBORError) { try reader.null() }
}
