import BatonClient
package import BatonCore

/// The result of trying one address of a device, as `baton doctor` explains it.
package enum AddressState: Equatable, Sendable {
    /// The device itself answered.
    ///
    /// As far as its clock is known, the clock is right.
    case reached(version: String, isClockKnown: Bool)
    /// The device itself answered, but its clock differs from this machine's.
    ///
    /// `lead` is the number of milliseconds by which the device's clock is ahead. It is negative if the clock is
    /// behind.
    case clockDiffers(version: String, lead: Int64)

    /// The name service knows no address for the host name.
    case nameUnknown(String)
    /// The name service did not answer.
    case nameUnanswered(String)
    /// The node does not try this address.
    case notTried

    /// The host refused the connection, because no program listens at the port.
    case refused
    /// The host did not answer within this time.
    case noAnswer(milliseconds: Int64)
    /// There is no route to the address.
    case unreachable(String)
    /// This machine, such as its firewall, does not allow the connection.
    case forbidden(String)

    /// The connection was accepted, but no byte arrived within this time.
    case silent(milliseconds: Int64)
    /// The connection was closed at once.
    ///
    /// The other side does not know the account, or is not a node.
    case notOfAccount
    /// The other side sent something that is not TLS.
    case notTLS(String)
    /// The other side ended the TLS handshake with the alert of this number.
    case alert(UInt8)
    /// The other side has no certificate of the account.
    case otherCertificate(String)
    /// The other side's certificate is not valid yet.
    case notYetValid(String)

    /// Another device of the account answered.
    case otherDevice(DeviceReference)
    /// This machine itself answered.
    case thisMachine
    /// The certificate of the device expired at this time.
    case expired(WallTime)
    /// The device answered, but this machine does not accept it.
    case notAccepted(String)

    /// The device refused this machine, because it was revoked.
    case revoked(String)
    /// The device refused this machine, because this machine's certificate has expired.
    case ownExpired(String)
    /// The device refused this machine, because their versions can't work together.
    case version(String)
    /// The device refused this machine for another reason.
    case refusedByDevice(code: UInt64, String)
    /// The device proved its identity, but sent nothing within this time.
    case noGreeting(milliseconds: Int64)

    /// The attempt failed for another reason.
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

    /// Returns the state for a device that refused this machine with a code and a reason.
    private static func refusal(_ code: UInt64, _ reason: String) -> Self {
        switch CloseCode(rawValue: code) {
        case .notMember: .revoked(reason)
        case .expired: .ownExpired(reason)
        case .version: .version(reason)
        default: .refusedByDevice(code: code, reason)
        }
    }

    /// The differences of clocks in milliseconds that matter.
    ///
    /// From the first one on, the person is warned. From the second one on, it is a problem, because expired data is
    /// kept.
    private static let (notedLead, largeLead): (Int64, Int64) = (60_000, 86_400_000)

    /// The name of the case, for programs that read the output.
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

    /// Whether it was the device itself that answered.
    package var isAnswer: Bool {
        switch self {
        case .reached, .clockDiffers: true
        default: false
        }
    }

    /// Returns the finding about one address of a device.
    ///
    /// `resolved` is the address that the host name stands for, or nil if the address has no host name.
    package func finding(
        _ device: DeviceStatus, _ place: KnownPlace, resolved: String?, at time: PresentTime, options: String
    ) -> Finding {
        let wording = wording(AddressNames(device, place, options: options), at: time)
        let target: VisibleText = resolved.map { " → \($0)" } ?? ""
        // A connected or removed device does not need this address. So it is no problem if the address fails.
        let isNeeded = !device.isConnected && device.removed == nil
        var finding = Finding(
            .address, tag, wording.mark == .problem && !isNeeded ? .note : wording.mark,
            "\(place.address.shortened(to: Self.most))\(target) (\(place.sourceInWords))", wording.found,
            advice: isNeeded || wording.mark != .problem ? wording.advice : nil)
        (finding.device, finding.address) = (device.device, place.address)
        return finding
    }

    /// The maximum number of characters that are shown of an address, which may come from another device.
    private static let most = 64

    /// The severity of a state, its description for a person, and the advice.
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

/// The texts that advice about an address contains.
private struct AddressNames {
    let name, short: String
    let host, port: String
    /// The options `--home` and `--account` of the suggested commands.
    let options: String
    /// The advice to wait until the device connects.
    ///
    /// It is nil if the device is connected or removed.
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

    /// The advice to set another address of the device.
    var setAddress: VisibleText {
        "set the right address with `baton devices \(short) --at HOST:PORT\(options)`"
    }
}

extension KnownPlace {
    /// How this machine learned the address.
    package var sourceInWords: VisibleText {
        switch source {
        case .named: "set by you"
        case .met: isNamed ? "set by you, met there" : "met there"
        case .told: "reported by another device"
        case .found: "announced on a local network"
        }
    }
}
