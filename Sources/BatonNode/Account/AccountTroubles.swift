import BatonCore
import BatonNetwork
import BatonSecurity

/// The problems of an account that a person should know about, in words.
struct AccountTroubles {
    private let account: AccountCore
    /// The devices that have refused this device, with the reasons that they gave.
    private let refusals: [DeviceIdentifier: CloseReason]

    init(of account: AccountCore, refusals: [DeviceIdentifier: CloseReason] = [:]) {
        self.account = account
        self.refusals = refusals
    }

    /// The problems with this machine: its settings, its place in the account, twins of it, and its clock.
    var ofMachine: [String] {
        [ofSettings, ofRoster, account.machine.twin.sign(at: account.loop.instant).map(text), ofSweeping]
            .compactMap(\.self)
    }

    /// The problems with the stored data and with data that other devices send.
    var ofData: [String] {
        account.troubles.texts + ofLives
            + account.machine.quarantine.counts.map { device, count in
                """
                \(count == 1 ? "1 record" : "\(count) records") from “\(account.name(of: device))” can't be read \
                and \(count == 1 ? "is" : "are") quarantined; a newer version of Baton there or here may help
                """
            }
            + account.machine.quarantine.voidCounts.map { device, count in
                """
                “\(account.name(of: device))” sent \(count == 1 ? "a record" : "\(count) records") with a wrong \
                signature, and nothing of that was saved; if you did not expect that, type `baton revoke \(device.short)`
                """
            }
    }

    /// The problem that a lane can't claim further lives, for each such lane.
    private var ofLives: [String] {
        account.fullLanes.sorted { $0.rawValue < $1.rawValue }.map { lane in
            """
            the \(lane == .activities ? "activities" : "index") of this account can't take in further lives of machines: \
            there are \(Limits.laneOrigins), the limit, and each start of a machine may begin one. Changes of a further \
            life arrive, but are sent again at each connection, and apps can't continue from the client states that they \
            store in that life. If your machines were started less often, one of them reports lives that never began: \
            find it with `baton devices`, and type `baton revoke DEVICE`. Only a new account has room again
            """
        }
    }

    /// The problem that this machine is private although the person did not make it private; nil otherwise.
    var ofSettings: String? {
        let what: String? =
            switch account.settings.doubt {
            case .lost: "the settings of this machine could not be read, and its switches of apps may be gone"
            case .earlierPrivate:
                """
                this machine was private when the restored backup was made, or when `baton private off` was interrupted
                """
            case .older: "the settings of this machine are those of an older copy of its home"
            case nil: nil
            }
        return what.map {
            """
            \($0). So nothing that you do here leaves this machine until you type `baton private off\(account.options)`, or \
            `baton private on\(account.options)` to keep it so; `baton settings\(account.options)` shows what is set
            """
        }
    }

    /// The problem that this device no longer belongs to the account; nil if it belongs to the account.
    var ofRoster: String? {
        let what: String
        switch account.membership.roster.standing(of: account.credentials.device) {
        case .revoked: what = "this device was revoked"
        case .undone: what = "the owner that admitted this device was revoked"
        case .surplus: what = "the owner that admitted this device admitted too many others before it"
        case .member, .unknown, .unsettled:
            let refusals = refusals.filter { $0.value.code == .notMember }
            guard let (device, reason) = refusals.min(by: { $0.key < $1.key }) else { return nil }
            what = "“\(account.name(of: device))” refused this device: \(reason.text)"
        }
        return """
            \(what). The data here is kept, but no longer reaches the other devices. To use this \
            machine again, type `baton leave\(account.options)` here, which deletes the data, then `baton invite` on an \
            owner's machine, and here the command that it shows
            """
    }

    /// Returns the message that another machine has this device's identity.
    ///
    /// A person must decide which of the two machines keeps it.
    func text(of sign: TwinDetection.Sign) -> String {
        let shown =
            switch sign {
            case .writes(let peer):
                "“\(account.name(of: peer))” has changes with this identity that were not made here"
            case .connection(let peer): "“\(account.name(of: peer))” is connected to it"
            case .announcement(let address): "it announces itself at \(address)"
            }
        return """
            another machine uses the identity of this device: \(shown). Keep only one of the two; on the other, stop \
            the node, type `baton leave\(account.accountOption)`, and join again. The two don't connect to each other, and this \
            message ends ten minutes after the last sign of the other.
            """
    }

    /// The problem that no expired data is removed because a clock is wrong; nil otherwise.
    private var ofSweeping: String? {
        switch account.drive({ $0.sweepingDoubt(at: account.clocks) }) {
        case nil: nil
        case .jumped:
            """
            the clock of this device was changed by more than a day; if it is right now (see `date`), expired data is \
            removed again after a day
            """
        case .differs(let difference): text(of: difference)
        }
    }

    /// Returns a message that says which clock is wrong, by how much, and what to type.
    ///
    /// Without a majority, the message says only that the clocks differ. A clock that the kernel calls synchronized is
    /// never blamed, even if most other clocks disagree with it.
    private func text(of difference: ClockDifference) -> String {
        let isSynchronized = account.clockSynchronization().map { $0 == .synchronized }
        let names = { (devices: [DeviceIdentifier]) in
            devices.map { "“\(account.name(of: $0))”" }.joined(separator: " and ")
        }
        let standing = isSynchronized ?? true ? "" : ", which no time server keeps right,"
        let leads = { (other: String) in
            difference.leads.map { lead in
                "“\(account.name(of: lead.device))” is \(Self.text(ofLead: lead.time)) \(other)"
            }.joined(separator: "; that of ")
        }
        switch difference.verdict {
        case .ownIsWrong where isSynchronized == true, .undecided where isSynchronized == true:
            return """
                the clock of \(leads("that of this device, which a time server keeps right")). Compare `date` there and \
                here, and set it there, for example with `sudo timedatectl set-ntp true`. While it is connected, expired \
                data is not removed
                """
        case .ownIsWrong:
            let first = difference.leads.map(\.time).min { $0.magnitude < $1.magnitude } ?? .zero
            return """
                the clock of this device\(standing) is \(Self.text(ofLead: .zero - first)) those of \
                \(names(difference.leads.map(\.device))), which agree: set it here, for example with \
                `sudo timedatectl set-ntp true`. Until then, expired data is not removed
                """
        case .othersAreWrong(let agreeing):
            let wrong = leads("those of this device\(standing) and of \(names(agreeing)), which agree")
            return """
                the clock of \(wrong): set it there, for example with \
                `sudo timedatectl set-ntp true`. While it is connected, expired data is not removed
                """
        case .undecided:
            let here = isSynchronized == false ? ", which no time server keeps right" : ""
            return """
                the clock of \(leads("that of this device\(here)")). Compare `date` on both, and set the wrong one, \
                for example with `sudo timedatectl set-ntp true`. While they are connected, expired data is not removed
                """
        }
    }

    /// Returns how far a clock is ahead of another clock or behind it.
    ///
    /// For example: `2 days ahead of`.
    private static func text(ofLead lead: Duration) -> String {
        let days = max(1, (lead.magnitude.components.seconds + 43_200) / 86_400)
        return "\(days) \(days == 1 ? "day" : "days") \(lead < .zero ? "behind" : "ahead of")"
    }
}

extension Duration {
    /// The duration without its sign.
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
