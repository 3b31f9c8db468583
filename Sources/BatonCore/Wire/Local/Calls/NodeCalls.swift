// What a person asks of the node, of the state that it keeps, and of its settings.

/// Tells how the node is.
package struct GetStatus: AccountCall, BareCall {
    package typealias Reply = NodeStatus
    package static let number = LocalCallNumber.getStatus

    package init() {}
}

/// Lists the accounts that stand in the home.
///
/// The node begins to serve those that are new.
package struct ListAccounts: NodeCall, BareCall {
    package typealias Reply = AccountsReply
    package static let number = LocalCallNumber.listAccounts

    package init() {}
}

/// The accounts that stand in the home, by their names.
package struct AccountsReply: SimpleReply {
    package static let kind: UInt64 = 30

    package var accounts: [AccountStatus]

    package init(_ accounts: [AccountStatus]) { self.accounts = accounts }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: accounts.count)
        for account in accounts { account.encode(to: &writer) }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        accounts = try reader.array(upTo: Limits.frameBytes) { (reader) throws(CBORError) in
            try AccountStatus(from: &reader)
        }
    }
}

/// Computes the digest of the state that nodes in step have in common.
package struct GetDigest: AccountCall {
    package typealias Reply = DigestReply
    package static let number = LocalCallNumber.getDigest

    /// What has expired at this time counts as gone.
    package var time: WallTime

    package init(at time: WallTime) { self.time = time }

    package func encode(to writer: inout CBORWriter) { writer.integer(time.milliseconds) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        time = WallTime(milliseconds: try reader.integer())
    }
}

/// The digest of the state, if it is known by now.
package enum DigestReply: LocalReply {
    case digest(StateDigest)
    /// The digest is not known before this is done. The asker makes the call again.
    case settling(Unsettled)

    private enum Kind {
        static let digest: UInt64 = 13
        static let settling: UInt64 = 16
    }

    package func encodeReply(to writer: inout CBORWriter) {
        switch self {
        case .digest(let digest):
            writer.unsigned(Kind.digest)
            writer.data(digest.bytes)
        case .settling(let left):
            writer.unsigned(Kind.settling)
            writer.array(count: 2)
            writer.unsigned(UInt64(left.toMerge))
            writer.unsigned(UInt64(left.toClear))
        }
    }

    package init?(_ kind: UInt64, from reader: inout CBORReader) throws(CBORError) {
        switch kind {
        case Kind.digest:
            let start = reader.offset
            guard let digest = StateDigest(bytes: try reader.data()) else {
                throw CBORError(.outOfRange, at: start)
            }
            self = .digest(digest)
        case Kind.settling:
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
    package static let kind: UInt64 = 14
}

/// Gets the settings of this machine.
package struct GetSettings: AccountCall, BareCall {
    package typealias Reply = Settings
    package static let number = LocalCallNumber.getSettings

    package init() {}
}

/// Changes a setting of this machine.
package struct ChangeSetting: AccountCall {
    package typealias Reply = Settings
    package static let number = LocalCallNumber.changeSetting

    package var name: String
    /// The new value; nil means the usual one.
    package var value: Int64?

    package init(_ name: String, to value: Int64?) { (self.name, self.value) = (name, value) }

    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.text(name)
        if let value { writer.integer(value) } else { writer.null() }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(
            try reader.text(),
            to: try reader.optional { (reader) throws(CBORError) in try reader.integer() })
    }
}
