import BatonCore
import BatonSecurity

/// The problems of an account that a person should know of, in words.
struct AccountTroubles {
    private let account: AccountNode

    init(of account: AccountNode) { self.account = account }

    /// Problems that a person should know of, in words.
    var texts: [String] {
        [ofRoster, account.machine.twin.sign(at: account.loop.instant).map(text), ofSweeping]
            .compactMap(\.self) + account.renewal.troubles + account.activityCount.troubles
            + (account.storeTroubles?.texts ?? [])
            + account.machine.quarantine.counts.map { device, count in
                """
                \(count == 1 ? "1 record" : "\(count) records") from “\(account.name(of: device))” can't be read \
                and \(count == 1 ? "is" : "are") quarantined; a newer version of Baton there or here may help
                """
            }
    }

    /// The problem to show on this device if it does not belong to the account any more.
    var ofRoster: String? {
        let what: String
        switch account.membership.roster.standing(of: account.credentials.device) {
        case .revoked: what = "this device was revoked"
        case .undone: what = "the owner that admitted this device was revoked"
        case .member, .unknown:
            let refusals = account.peers.refusals.filter { $0.value.code == .notMember }
            guard let (device, reason) = refusals.min(by: { $0.key < $1.key }) else { return nil }
            what = "“\(account.name(of: device))” refused this device: \(reason.text)"
        }
        return """
            \(what). The data here is kept, but no longer reaches the other devices. To use this \
            machine again, type `baton leave\(account.options)` here, which deletes the data, then `baton invite` on an \
            owner's machine, and `baton join CODE --at HOST:PORT\(account.options)` here
            """
    }

    /// Says that another machine has this device's identity; a person decides which of the two is to go on.
    func text(of sign: TwinDetection.Sign) -> String {
        let shown =
            switch sign {
            case .writes(let peer):
                "“\(account.name(of: peer))” has changes with this identity that were not made here"
            case .connection(let peer): "“\(account.name(of: peer))” is connected to it"
            }
        return """
            another machine uses the identity of this device: \(shown). Keep only one of the two; on the other, stop \
            the node, type `baton leave\(account.accountOption)`, and join again.
            """
    }

    /// The problem to show if a clock is wrong, so that nothing expired is swept; nil otherwise.
    private var ofSweeping: String? {
        switch account.drive({ $0.sweepingDoubt(at: account.clocks) }) {
        case nil: nil
        case .jumped:
            """
            the clock of this device was changed by more than a day; if it is right now (see `date`), expired data is \
            removed again after a day
            """
        case .behind:
            """
            the clock of this device is more than a day behind the times of earlier changes; set it (`timedatectl` \
            shows whether it is synchronized), or expired data is not removed
            """
        case .differs(let device):
            """
            the clocks of “\(account.name(of: device))” and this device differ by a day or more; set the wrong one \
            (`timedatectl` shows whether it is synchronized), or expired data is not removed
            """
        }
    }
}
