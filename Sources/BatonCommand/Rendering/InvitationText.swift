package import BatonClient
package import BatonCore

/// Shows an open invitation to the person, who types its code on the other machine.
package struct InvitationText {
    private let code: String
    private let expires: WallTime
    /// The addresses at which the other machine can probably reach this one, best first.
    package let addresses: [String]
    /// Whether the invitation is announced on local networks.
    ///
    /// A machine on such a network then needs only the code.
    package var isAnnounced = false

    /// Creates the text for an invitation.
    ///
    /// If `addresses` is empty, the address is made from `listening` and `host`.
    package init(
        code: String, expires: WallTime, addresses: [String], listening: String, host: String?
    ) {
        (self.code, self.expires) = (code, expires)
        self.addresses = addresses.isEmpty ? [Self.address(listening: listening, host: host)] : addresses
    }

    /// The largest number of addresses that are shown besides the best address.
    private static let othersMost = 3

    /// Lines with the code and the command for the other machine.
    package func lines(at time: PresentTime) -> [VisibleText] {
        var lines: [VisibleText] = [
            "Code: \(code) (\(time.left(until: expires)), one use)",
            isAnnounced
                ? "On the other machine, type: baton join \(code)"
                : "On the other machine, type: baton join \(code) --at \(addresses[0])",
        ]
        let others = addresses.dropFirst().prefix(Self.othersMost)
        guard !isAnnounced else {
            let places = addresses.prefix(Self.othersMost).joined(separator: " or ")
            return lines + ["If it is on another network, add --at \(places)."]
        }
        if !others.isEmpty {
            lines.append("If it can't reach that address, try \(others.joined(separator: " or ")).")
        }
        return lines
    }

    /// The invitation as JSON, for programs.
    package var json: JSON {
        .object([
            .init("code", .string(code)), .init("expires", JSON(expires)),
            .init("addresses", .array(addresses.map { .string($0) })),
            .init("address", .string(addresses[0])),
        ])
    }

    /// The first address on which the node listens.
    ///
    /// If it means all addresses, the host name is used instead.
    private static func address(listening: String, host: String?) -> String {
        let first = listening.split(whereSeparator: { $0 == "," || $0 == " " }).first.map(String.init) ?? ""
        guard let colon = first.lastIndex(of: ":") else { return host ?? "HOST:PORT" }
        guard ["0.0.0.0", "[::]", "::", "*", ""].contains(first[..<colon]) else { return first }
        return (host ?? "HOST") + first[colon...]
    }
}

extension PresentTime {
    /// The time that remains, in minutes, or in seconds if it is at most one minute.
    fileprivate func left(until then: WallTime) -> VisibleText {
        let seconds = then.since(now).components.seconds
        guard seconds > 60 else { return VisibleText(HumanTime.count(max(0, seconds), "second")) }
        return VisibleText(HumanTime.count((seconds + 30) / 60, "minute"))
    }
}
