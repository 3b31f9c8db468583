// The calls about the node, its accounts, the digest of its state, and its settings.

/// Gets the state of the node and of the account.
package struct GetStatus: AccountCall, BareCall {
    package typealias Reply = NodeStatus
    package static let number = LocalCallNumber.getStatus

    package init() {}
}

/// Lists the accounts in the home.
///
/// If the home has new accounts, the node also begins to serve them.
package struct ListAccounts: NodeCall, BareCall {
    package typealias Reply = AccountsReply
    package static let number = LocalCallNumber.listAccounts

    package init() {}
}

/// The accounts in the home, sorted by name.
package struct AccountsReply: SimpleReply {
    package static let kind = LocalReplyKind.accounts

    package var accounts: [AccountStatus]

    package init(_ accounts: [AccountStatus]) { self.accounts = accounts }

    package func encode(to writer: inout CBORWriter) { writer.value(accounts) }

    package init(from reader: inout CBORReader) throws(CBORError) { accounts = try reader.value() }
}

/// Computes the digest of the state, which is equal on all nodes that are in step.
package struct GetDigest: AccountCall, ReadingCall {
    package typealias Reply = DigestReply
    package static let number = LocalCallNumber.getDigest

    /// The time for which the digest is computed; it leaves out everything that has expired by then.
    package var time: WallTime

    package init(at time: WallTime) { self.time = time }

    package func encode(to writer: inout CBORWriter) { writer.value(time) }

    package init(from reader: inout CBORReader) throws(CBORError) { time = try reader.value() }
}

/// The digest of the state, or the work that must be done before it can be computed.
package enum DigestReply: LocalReply {
    /// The digest; `toClear` is the number of places at which clears still have to look for records.
    ///
    /// The digest already leaves out the records that these clears end.
    case digest(StateDigest, toClear: Int = 0)
    /// The digest can't be computed before this work is done, so the caller should retry later.
    case settling(Unsettled)

    package func encodeReply(to writer: inout CBORWriter) {
        switch self {
        case .digest(let digest, let toClear):
            writer.unsigned(LocalReplyKind.digest.rawValue)
            writer.array(count: 2)
            writer.data(digest.bytes)
            writer.unsigned(UInt64(toClear))
        case .settling(let left):
            writer.unsigned(LocalReplyKind.settling.rawValue)
            writer.array(count: 2)
            writer.unsigned(UInt64(left.toMerge))
            writer.unsigned(UInt64(left.toClear))
        }
    }

    package init?(_ kind: LocalReplyKind, from reader: inout CBORReader) throws(CBORError) {
        switch kind {
        case .digest:
            try reader.array(count: 2)
            let start = reader.offset
            guard let digest = StateDigest(bytes: try reader.data()) else {
                throw CBORError(.outOfRange, at: start)
            }
            self = .digest(digest, toClear: Int(try reader.unsigned(upTo: UInt64(Int32.max))))
        case .settling:
            try reader.array(count: 2)
            let most = UInt64(Int32.max)
            self = .settling(
                Unsettled(
                    toMerge: Int(try reader.unsigned(upTo: most)),
                    toClear: Int(try reader.unsigned(upTo: most))))
        default: return nil
        }
    }
}

extension Settings: SimpleReply {
    package static let kind = LocalReplyKind.settings
}

/// Gets the account's settings on this machine.
package struct GetSettings: AccountCall, BareCall {
    package typealias Reply = Settings
    package static let number = LocalCallNumber.getSettings

    package init() {}
}

/// Changes a setting of the account on this machine.
package struct ChangeSetting: AccountCall {
    package typealias Reply = Settings
    package static let number = LocalCallNumber.changeSetting

    package var name: String
    /// The new value; nil means the default.
    package var value: Int64?

    package init(_ name: String, to value: Int64?) { (self.name, self.value) = (name, value) }

    package func encode(to writer: inout CBORWriter) { writer.pair(name, value) }

    package init(from reader: inout CBORReader) throws(CBORError) { (name, value) = try reader.pair() }
}
