/// Opens an invitation for another machine.
package struct OpenInvitation: ConnectionCall {
    package typealias Reply = OpenInvitationReply
    package static let number = LocalCallNumber.openInvitation

    /// Whether a person is asked before the machine is let in.
    package var asksPerson: Bool

    package init(asksPerson: Bool) { self.asksPerson = asksPerson }

    package func encode(to writer: inout CBORWriter) { writer.boolean(asksPerson) }

    package init(from reader: inout CBORReader) throws(CBORError) { asksPerson = try reader.boolean() }
}

/// An invitation that was opened.
package struct OpenInvitationReply: SimpleReply {
    package static let kind: UInt64 = 6

    package var code: String
    package var expires: WallTime
    /// Where the other machine can reach this one, the best address first.
    package var addresses: [String]

    package init(code: String, expires: WallTime, addresses: [String]) {
        (self.code, self.expires, self.addresses) = (code, expires, addresses)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.text(code)
        writer.integer(expires.milliseconds)
        writer.texts(addresses)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        self.init(
            code: try reader.text(), expires: WallTime(milliseconds: try reader.integer()),
            addresses: try reader.texts())
    }
}

/// Is answered once a machine joins by the invitation with this code, and once the invitation is used or over.
package struct AwaitInvitation: AccountCall {
    package typealias Reply = InvitationReply
    package static let number = LocalCallNumber.awaitInvitation

    package var code: String
    /// Whether the asker knows who joins, and waits for the end of the invitation only.
    package var isJoinerKnown: Bool

    package init(code: String, isJoinerKnown: Bool) {
        (self.code, self.isJoinerKnown) = (code, isJoinerKnown)
    }

    package func encode(to writer: inout CBORWriter) { writer.text(code, flag: isJoinerKnown) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (code, isJoinerKnown) = try reader.textAndFlag()
    }
}

/// Lets in the machine that waits by the invitation with this code, or turns it away.
///
/// The answer comes once the invitation is over.
package struct AnswerJoiner: AccountCall {
    package typealias Reply = InvitationReply
    package static let number = LocalCallNumber.answerJoiner

    package var code: String
    package var letIn: Bool

    package init(code: String, letIn: Bool) { (self.code, self.letIn) = (code, letIn) }

    package func encode(to writer: inout CBORWriter) { writer.text(code, flag: letIn) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (code, letIn) = try reader.textAndFlag()
    }
}

/// What became of an invitation.
package enum InvitationReply: LocalReply {
    case joining(PairingNotice)
    /// The invitation was used by this device.
    case joined(DeviceReference)

    private static let joinedKind: UInt64 = 7

    package func encodeReply(to writer: inout CBORWriter) {
        switch self {
        case .joining(let notice): notice.encodeReply(to: &writer)
        case .joined(let device):
            writer.unsigned(Self.joinedKind)
            device.encode(to: &writer)
        }
    }

    package init?(_ kind: UInt64, from reader: inout CBORReader) throws(CBORError) {
        switch kind {
        case PairingNotice.kind: self = .joining(try PairingNotice(from: &reader))
        case Self.joinedKind: self = .joined(try DeviceReference(from: &reader))
        default: return nil
        }
    }
}

/// Both sides of a pairing have proved that they know the code.
package struct PairingNotice: SimpleReply {
    package static let kind: UInt64 = 15

    /// The name of the other machine.
    package var name: String
    /// What both machines show, to be compared.
    package var phrase: String
    /// Whether the joiner waits for a person at the inviter.
    package var asksPerson: Bool

    package init(name: String, phrase: String, asksPerson: Bool) {
        (self.name, self.phrase, self.asksPerson) = (name, phrase, asksPerson)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.text(name)
        writer.text(phrase)
        writer.boolean(asksPerson)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        self.init(name: try reader.text(), phrase: try reader.text(), asksPerson: try reader.boolean())
    }
}

/// Ends the open invitation.
package struct CancelInvitation: AccountCall, BareCall {
    package typealias Reply = CancelInvitationReply
    package static let number = LocalCallNumber.cancelInvitation

    package init() {}
}

/// The invitation that was open is over.
package struct CancelInvitationReply: SimpleReply {
    package static let kind: UInt64 = 31

    package init() {}

    package func encode(to writer: inout CBORWriter) { writer.null() }

    package init(from reader: inout CBORReader) throws(CBORError) { try reader.null() }
}
