import BatonClient
package import BatonCore

/// The outcome at an address of a device, with what it means for a person.
package struct AddressState: Equatable, Sendable {
    package let device: DeviceStatus
    package let place: KnownPlace
    package let attempt: ProbeAttempt

    package init(_ device: DeviceStatus, _ place: KnownPlace, _ attempt: ProbeAttempt) {
        (self.device, self.place, self.attempt) = (device, place, attempt)
    }

    /// Whether the device itself answered.
    package var isAnswer: Bool {
        if case .reached = attempt.outcome { true } else { false }
    }

    package func finding(at time: PresentTime, options: String) -> Finding {
        let (outcome, mark, found, advice) = result(at: time, options)
        let resolved: VisibleText = attempt.resolved.map { " → \($0)" } ?? ""
        // An address that fails is not what keeps a connected device away.
        let isNeeded = !device.isConnected && device.removed == nil
        var finding = Finding(
            .address, outcome, mark == .problem && !isNeeded ? .note : mark,
            "\(place.address.shortened(to: Self.most))\(resolved) (\(place.sourceInWords))", found,
            advice: isNeeded || mark != .problem ? advice : nil)
        (finding.device, finding.address) = (device.device, place.address)
        return finding
    }

    /// The most characters of an address; another device may have sent it.
    private static let most = 64
    /// The clock difference that a person should know of, and the one from which on expired data is not removed.
    private static let (notedLead, largeLead): (Int64, Int64) = (60_000, 86_400_000)

    private typealias Result = (outcome: String, mark: Finding.Mark, found: VisibleText, advice: VisibleText?)

    private var host: String { place.address.lastIndex(of: ":").map { String(place.address[..<$0]) } ?? "" }
    private var port: String {
        place.address.lastIndex(of: ":").map { String(place.address[place.address.index(after: $0)...]) }
            ?? ""
    }
    private var name: String { device.device.name }
    private var short: String { device.device.identifier.short }

    private func result(at time: PresentTime, _ options: String) -> Result {
        let setAddress: VisibleText =
            "set the right address with `baton devices \(short) --at HOST:PORT\(options)`"
        switch attempt.outcome {
        case .reached(let version, let lead): return reached(version, lead, options)
        case .nameUnknown(let reason):
            return (
                "nameUnknown", .problem, "the host name has no address (\(reason))",
                "Check the name with `getent hosts \(host)`, or \(setAddress)."
            )
        case .nameUnanswered(let reason):
            return (
                "nameUnanswered", .problem, "the name service does not answer (\(reason))",
                "Check the network of this machine; `getent hosts \(host)` asks for the name again."
            )
        case .notTried:
            return (
                "notTried", .note,
                "not tried, because another device reported it, and it belongs to this machine or its own link",
                nil
            )
        case .refused:
            return (
                "refused", .problem,
                "connection refused; the host is up, and nothing listens on port \(port)",
                "On “\(name)”, type `baton status` to see whether its node is running and on which port it listens."
            )
        case .noAnswer(let time):
            let wait: VisibleText = time > 0 ? " within \(HumanTime.shortSpan(.milliseconds(time)))" : ""
            return (
                "noAnswer", .problem,
                "no answer\(wait); the machine is off or elsewhere, or a firewall drops the packets",
                "If “\(name)” is on, let port \(port) in there; as root: `\(FirewallTool.ufw.allow(port: UInt16(port) ?? Home.port))` or `\(FirewallTool.firewalld.allow(port: UInt16(port) ?? Home.port))`. If it has moved, \(setAddress)."
            )
        case .unreachable(let reason):
            return (
                "unreachable", .problem, "unreachable (\(reason))",
                "Connect this machine to that network (or its VPN), or \(setAddress). `ip route get \(host)` shows the way that this machine takes."
            )
        case .forbidden(let reason):
            return (
                "forbidden", .problem, "this machine does not allow the connection (\(reason))",
                "A firewall here stops it; as root: `\(FirewallTool.nftables.look)`."
            )
        case .silent(let time):
            return (
                "silent", .problem,
                "connected, but no byte came within \(HumanTime.shortSpan(.milliseconds(time))); the program there hangs, or is no node",
                "On “\(name)”, look whether its node answers with `baton status`, and restart it."
            )
        case .closed:
            return (
                "notOfAccount", .problem,
                "connected, and closed at once; the program there is not the node of “\(name)”, or does not know this account, or the clocks differ by more than a week",
                "On “\(name)”, compare `baton accounts` and `date` with this machine. If another machine has this address now, \(setAddress)."
            )
        case .notTLS(let reason):
            return (
                "notTLS", .problem, "another program answers there, not in TLS (\(reason))",
                "See which port `baton status` shows on “\(name)”, and \(setAddress)."
            )
        case .alert(let number):
            return (
                "alert", .problem, "refused by TLS alert \(number), \(TLSAlert.name(of: number))",
                "\(TLSAlert.meaning(of: number)) See which port `baton status` shows on “\(name)”, and \(setAddress)."
            )
        case .notOfAccount(let reason):
            return (
                "otherCertificate", .problem,
                "a program without a certificate of this account answers there (\(reason))",
                "See which port `baton status` shows on “\(name)”, and \(setAddress)."
            )
        case .notYetValid(let reason):
            return (
                "notYetValid", .problem, "\(reason)",
                "Compare `date` on both machines and set the wrong clock; `timedatectl` shows whether it is synchronized."
            )
        case .otherDevice(let other):
            return (
                "otherDevice", .problem, "another device of the account answers there, “\(other.name)”",
                "If “\(name)” has another address now, \(setAddress)."
            )
        case .thisMachine:
            return (
                "thisMachine", .problem, "this machine itself has that address",
                "If “\(name)” has another address now, \(setAddress)."
            )
        case .expired(let end):
            return (
                "expired", .problem, "it answers, but its certificate expired \(time.text(end))",
                "Check `date` on both machines. An owner's machine renews the certificate when the two connect; `baton devices\(options)` shows the owners."
            )
        case .notAccepted(let reason):
            return (
                "notAccepted", .problem, "it answers, but this machine does not accept it (\(reason))",
                "Type `baton devices \(short)\(options)` to see its standing in the account."
            )
        case .refusedByDevice(let code, let reason): return refused(code, reason, options)
        case .noGreeting(let time):
            return (
                "noGreeting", .problem,
                "it proved its identity, and sent nothing within \(HumanTime.shortSpan(.milliseconds(time)))",
                "Its disk may be slow or failing: look at `baton status` and the node's log on “\(name)”."
            )
        case .failed(let reason):
            return (
                "failed", .problem, "\(reason)",
                "Look at the node's log on “\(name)”: `journalctl --user -u baton`, or the terminal where it runs."
            )
        }
    }

    private func reached(_ version: String, _ lead: Int64?, _ options: String) -> Result {
        let answers: VisibleText = "answers; Baton \(version)"
        guard let lead, abs(lead) >= Self.notedLead else {
            return (
                "reached", .ok, lead == nil ? answers : answers + ", its clock is right",
                device.isConnected || device.removed != nil
                    ? nil
                    : "It answers now, so this machine connects to it by itself within seconds: type `baton doctor \(short)\(options)` again then."
            )
        }
        let span = HumanTime.span(.milliseconds(abs(lead)))
        return (
            "clockDiffers", abs(lead) >= Self.largeLead ? .problem : .warning,
            "\(answers), its clock is \(span) \(lead > 0 ? "ahead of" : "behind") this machine's",
            "Compare `date` on both machines and set the wrong clock; `timedatectl` shows whether it is synchronized."
        )
    }

    /// The device gave a reason for refusing this one.
    private func refused(_ code: UInt64, _ reason: String, _ options: String) -> Result {
        switch CloseCode(rawValue: code) {
        case .notMember:
            (
                "revoked", .problem, "it refused this machine (\(reason))",
                "To use this machine again, type `baton leave\(options)` here, which deletes the data, then `baton invite` on an owner's machine, and `baton join CODE --at HOST:PORT\(options)` here."
            )
        case .expired:
            (
                "ownExpired", .problem, "it refused this machine (\(reason))",
                "Check `date` on both machines, and let this machine meet an owner's machine, which renews its certificate."
            )
        case .version:
            (
                "version", .problem, "it refused this machine (\(reason))",
                "Compare `baton version` on both machines, and update the older one."
            )
        default:
            (
                "refusedByDevice", .problem, "it ended the connection (\(reason); code \(code))",
                "Look at `baton status` and the node's log on “\(name)”."
            )
        }
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
