import BatonClient
package import BatonCore

/// The outcome at an address of a device, as `baton doctor` tells it.
package enum AddressState: Equatable, Sendable {
    /// The device itself answered, and its clock is right as far as it is known.
    case reached(version: String, isClockKnown: Bool)
    /// The device itself answered, and its clock is ahead by this number of milliseconds, or behind if it is negative.
    case clockDiffers(version: String, lead: Int64)

    /// The host name has no address.
    case nameUnknown(String)
    /// The name service did not answer.
    case nameUnanswered(String)
    /// The node does not try the address.
    case notTried

    /// Nothing listens at the port.
    case refused
    /// Nothing answered within these milliseconds.
    case noAnswer(milliseconds: Int64)
    /// There is no way to the address.
    case unreachable(String)
    /// This machine does not allow the connection.
    case forbidden(String)

    /// The connection was accepted, and no byte arrived within these milliseconds.
    case silent(milliseconds: Int64)
    /// The connection was closed immediately: the other side does not know the account, or is no node.
    case notOfAccount
    /// The other side answered something that is not TLS.
    case notTLS(String)
    /// The other side ended the handshake with the TLS alert of this number.
    case alert(UInt8)
    /// The other side has no certificate of this account.
    case otherCertificate(String)
    /// The certificate of the other side is not valid yet.
    case notYetValid(String)

    /// Another device of the account answered.
    case otherDevice(DeviceReference)
    /// This machine itself answered.
    case thisMachine
    /// The certificate of the device expired at this time.
    case expired(WallTime)
    /// The device answered, and this machine does not accept it.
    case notAccepted(String)

    /// The device refused this machine, because it was revoked.
    case revoked(String)
    /// The device refused this machine, because this machine's certificate has expired.
    case ownExpired(String)
    /// The device refused this machine, because their versions can't work together.
    case version(String)
    /// The device refused this machine with another code.
    case refusedByDevice(code: UInt64, String)
    /// The device proved its identity, and sent nothing within these milliseconds.
    case noGreeting(milliseconds: Int64)

    /// The attempt failed in another way.
    case failed(String)

    package init(_ outcome: ProbeOutcome) {
        self =
            switch outcome {
            case .reached(let version, let lead?) where abs(lead) >= Self.notedLead:
                .clockDiffers(version: version, lead: lead)
            case .reached(let version, let lead): .reached(version: version, isClockKnown: lead != nil)
            case .nameUnknown(let reason): .nameUnknown(reason)
            case .nameUnanswered(let reason): .nameUnanswered(reason)
            case .notTried: .notTried
            case .refused: .refused
            case .noAnswer(let time): .noAnswer(milliseconds: time)
            case .unreachable(let reason): .unreachable(reason)
            case .forbidden(let reason): .forbidden(reason)
            case .silent(let time): .silent(milliseconds: time)
            case .closed: .notOfAccount
            case .notTLS(let reason): .notTLS(reason)
            case .alert(let number): .alert(number)
            case .notOfAccount(let reason): .otherCertificate(reason)
            case .notYetValid(let reason): .notYetValid(reason)
            case .otherDevice(let device): .otherDevice(device)
            case .thisMachine: .thisMachine
            case .expired(let end): .expired(end)
            case .notAccepted(let reason): .notAccepted(reason)
            case .refusedByDevice(let code, let reason): Self.refusal(code, reason)
            case .noGreeting(let time): .noGreeting(milliseconds: time)
            case .failed(let reason): .failed(reason)
            }
    }

    /// Returns the state for a refusal by the device, with the reason that it gave.
    private static func refusal(_ code: UInt64, _ reason: String) -> Self {
        switch CloseCode(rawValue: code) {
        case .notMember: .revoked(reason)
        case .expired: .ownExpired(reason)
        case .version: .version(reason)
        default: .refusedByDevice(code: code, reason)
        }
    }

    /// The clock differences, in milliseconds, from which a person is warned, and from which expired data is kept.
    private static let (notedLead, largeLead): (Int64, Int64) = (60_000, 86_400_000)

    /// The word for programs, which is the name of the case.
    package var tag: String {
        switch self {
        case .reached: "reached"
        case .clockDiffers: "clockDiffers"
        case .nameUnknown: "nameUnknown"
        case .nameUnanswered: "nameUnanswered"
        case .notTried: "notTried"
        case .refused: "refused"
        case .noAnswer: "noAnswer"
        case .unreachable: "unreachable"
        case .forbidden: "forbidden"
        case .silent: "silent"
        case .notOfAccount: "notOfAccount"
        case .notTLS: "notTLS"
        case .alert: "alert"
        case .otherCertificate: "otherCertificate"
        case .notYetValid: "notYetValid"
        case .otherDevice: "otherDevice"
        case .thisMachine: "thisMachine"
        case .expired: "expired"
        case .notAccepted: "notAccepted"
        case .revoked: "revoked"
        case .ownExpired: "ownExpired"
        case .version: "version"
        case .refusedByDevice: "refusedByDevice"
        case .noGreeting: "noGreeting"
        case .failed: "failed"
        }
    }

    /// Whether the device itself answered.
    package var isAnswer: Bool {
        switch self {
        case .reached, .clockDiffers: true
        default: false
        }
    }

    /// Returns the finding about an address of a device; `resolved` is the address of its host name, if it has one.
    package func finding(
        _ device: DeviceStatus, _ place: KnownPlace, resolved: String?, at time: PresentTime, options: String
    ) -> Finding {
        let wording = wording(AddressNames(device, place, options: options), at: time)
        let target: VisibleText = resolved.map { " → \($0)" } ?? ""
        // A device that is connected or removed does not need this address, so a failure is no problem.
        let isNeeded = !device.isConnected && device.removed == nil
        var finding = Finding(
            .address, tag, wording.mark == .problem && !isNeeded ? .note : wording.mark,
            "\(place.address.shortened(to: Self.most))\(target) (\(place.sourceInWords))", wording.found,
            advice: isNeeded || wording.mark != .problem ? wording.advice : nil)
        (finding.device, finding.address) = (device.device, place.address)
        return finding
    }

    /// The most characters of an address; another device may have sent it.
    private static let most = 64

    /// The mark of a state, and its words for a person.
    private typealias Wording = (mark: Finding.Mark, found: VisibleText, advice: VisibleText?)

    private func wording(_ names: AddressNames, at time: PresentTime) -> Wording {
        switch self {
        case .reached(let version, let isClockKnown):
            return (
                .ok, "answers; Baton \(version)" + (isClockKnown ? ", its clock is right" : ""),
                names.reconnects
            )
        case .clockDiffers(let version, let lead):
            let span = HumanTime.span(.milliseconds(abs(lead)))
            return (
                abs(lead) >= Self.largeLead ? .problem : .warning,
                "answers; Baton \(version), its clock is \(span) \(lead > 0 ? "ahead of" : "behind") this machine's",
                "Compare `date` on both machines and correct the wrong clock; `timedatectl` shows whether a clock is synchronized."
            )
        case .nameUnknown(let reason):
            return (
                .problem, "the host name has no address (\(reason))",
                "Check the name with `getent hosts \(names.host)`, or \(names.setAddress)."
            )
        case .nameUnanswered(let reason):
            return (
                .problem, "the name service does not answer (\(reason))",
                "Check the network of this machine; `getent hosts \(names.host)` asks for the name again."
            )
        case .notTried:
            return (
                .note,
                "not tried, because another device reported it, and it belongs to this machine or its own link",
                nil
            )
        case .refused:
            return (
                .problem,
                "connection refused; the host is up, and nothing listens on port \(names.port)",
                "On “\(names.name)”, type `baton status` to see whether its node is running and on which port it listens."
            )
        case .noAnswer(let time):
            let wait: VisibleText = time > 0 ? " within \(HumanTime.shortSpan(.milliseconds(time)))" : ""
            return (
                .problem,
                "no answer\(wait); the machine is off or elsewhere, or a firewall drops the packets",
                "If “\(names.name)” is on, let port \(names.port) in there; as root: `\(FirewallTool.ufw.allow(port: UInt16(names.port) ?? Home.port))` or `\(FirewallTool.firewalld.allow(port: UInt16(names.port) ?? Home.port))`. If it has moved, \(names.setAddress)."
            )
        case .unreachable(let reason):
            return (
                .problem, "unreachable (\(reason))",
                "Connect this machine to that network (or its VPN), or \(names.setAddress). `ip route get \(names.host)` shows the way that this machine takes."
            )
        case .forbidden(let reason):
            return (
                .problem, "this machine does not allow the connection (\(reason))",
                "A firewall here stops it; as root: `\(FirewallTool.nftables.look)`."
            )
        case .silent(let time):
            return (
                .problem,
                "connected, but no byte came within \(HumanTime.shortSpan(.milliseconds(time))); the program there hangs, or is no node",
                "On “\(names.name)”, look whether its node answers with `baton status`, and restart it."
            )
        case .notOfAccount:
            return (
                .problem,
                "connected, and closed at once; the program there is not the node of “\(names.name)”, or does not know this account, or the clocks differ by more than a week",
                "On “\(names.name)”, compare `baton accounts` and `date` with this machine. If another machine has this address now, \(names.setAddress)."
            )
        case .notTLS(let reason):
            return (
                .problem, "another program answers there, not in TLS (\(reason))",
                "See which port `baton status` shows on “\(names.name)”, and \(names.setAddress)."
            )
        case .alert(let number):
            return (
                .problem, "refused by TLS alert \(number), \(TLSAlert.name(of: number))",
                "\(TLSAlert.meaning(of: number)) See which port `baton status` shows on “\(names.name)”, and \(names.setAddress)."
            )
        case .otherCertificate(let reason):
            return (
                .problem,
                "a program without a certificate of this account answers there (\(reason))",
                "See which port `baton status` shows on “\(names.name)”, and \(names.setAddress)."
            )
        case .notYetValid(let reason):
            return (
                .problem, "\(reason)",
                "Compare `date` on both machines and correct the wrong clock; `timedatectl` shows whether a clock is synchronized."
            )
        case .otherDevice(let other):
            return (
                .problem, "another device of the account answers there, “\(other.name)”",
                "If “\(names.name)” has another address now, \(names.setAddress)."
            )
        case .thisMachine:
            return (
                .problem, "this machine itself has that address",
                "If “\(names.name)” has another address now, \(names.setAddress)."
            )
        case .expired(let end):
            return (
                .problem, "it answers, but its certificate expired \(time.text(end))",
                "Check `date` on both machines. An owner's machine renews the certificate when the two connect; `baton devices\(names.options)` shows the owners."
            )
        case .notAccepted(let reason):
            return (
                .problem, "it answers, but this machine does not accept it (\(reason))",
                "Type `baton devices \(names.short)\(names.options)` to see its standing in the account."
            )
        case .revoked(let reason):
            return (
                .problem, "it refused this machine (\(reason))",
                "To use this machine again, type `baton leave\(names.options)` here, which deletes the data, then `baton invite` on an owner's machine, and `baton join CODE --at HOST:PORT\(names.options)` here."
            )
        case .ownExpired(let reason):
            return (
                .problem, "it refused this machine (\(reason))",
                "Check `date` on both machines, and let this machine connect to an owner's machine, which renews its certificate."
            )
        case .version(let reason):
            return (
                .problem, "it refused this machine (\(reason))",
                "Compare `baton version` on both machines, and update the older one."
            )
        case .refusedByDevice(let code, let reason):
            return (
                .problem, "it ended the connection (\(reason); code \(code))",
                "Look at `baton status` and the node's log on “\(names.name)”."
            )
        case .noGreeting(let time):
            return (
                .problem,
                "it proved its identity, and sent nothing within \(HumanTime.shortSpan(.milliseconds(time)))",
                "Its disk may be slow or failing: look at `baton status` and the node's log on “\(names.name)”."
            )
        case .failed(let reason):
            return (
                .problem, "\(reason)",
                "Look at the node's log on “\(names.name)”: `journalctl --user -u baton`, or the terminal where it runs."
            )
        }
    }
}

/// The names that advice about an address uses.
private struct AddressNames {
    let name, short: String
    let host, port: String
    /// The options that name the home and the account of the command.
    let options: String
    /// The advice that the device connects by itself; nil if it is connected or removed.
    let reconnects: VisibleText?

    init(_ device: DeviceStatus, _ place: KnownPlace, options: String) {
        (name, short) = (device.device.name, device.device.identifier.short)
        let colon = place.address.lastIndex(of: ":")
        host = colon.map { String(place.address[..<$0]) } ?? ""
        port = colon.map { String(place.address[place.address.index(after: $0)...]) } ?? ""
        self.options = options
        reconnects =
            device.isConnected || device.removed != nil
            ? nil
            : "It answers now, so this machine connects to it by itself within seconds: type `baton doctor \(short)\(options)` again then."
    }

    /// How to set another address of the device.
    var setAddress: VisibleText {
        "set the right address with `baton devices \(short) --at HOST:PORT\(options)`"
    }
}

extension KnownPlace {
    /// How the address is known.
    package var sourceInWords: VisibleText {
        switch source {
        case .named: "set by you"
        case .met: isNamed ? "set by you, met there" : "met there"
        case .told: "reported by another device"
        case .found: "announced on a local network"
        }
    }
}
