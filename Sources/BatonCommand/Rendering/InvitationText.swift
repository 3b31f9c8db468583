import BatonClient
package import BatonCore

/// An open invitation, for the person who types its code on the other machine.
package struct InvitationText {
    private let code: String
    private let expires: WallTime
    /// The addresses at which the other machine can probably reach this one, best first.
    package let addresses: [String]
    /// Whether the other machine needs only the code on the same local network, because the invitation is announced
    /// there.
    package var isAnnounced = false

    /// An invitation to a node at these addresses; if there are none, the listening address with the host name is used.
    package init(
        code: String, expires: WallTime, addresses: [String], listening: String, host: String?
    ) {
        (self.code, self.expires) = (code, expires)
        self.addresses = addresses.isEmpty ? [Self.address(listening: listening, host: host)] : addresses
    }

    /// The most addresses that are shown besides the best one.
    private static let othersMost = 3

    /// The code, and the command for the other machine.
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

    /// The invitation for programs.
    package var json: JSON {
        .object([
            .init("code", .string(code)), .init("expires", JSON(expires)),
            .init("addresses", .array(addresses.map { .string($0) })),
            .init("address", .string(addresses[0])),
        ])
    }

    /// The first listening address, with the host name in place of a wildcard.
    private static func address(listening: String, host: String?) -> String {
        let first = listening.split(whereSeparator: { $0 == "," || $0 == " " }).first.map(String.init) ?? ""
        guard let colon = first.lastIndex(of: ":") else { return host ?? "HOST:PORT" }
        guard ["0.0.0.0", "[::]", "::", "*", ""].contains(first[..<colon]) else { return first }
        return (host ?? "HOST") + first[colon...]
    }
}

extension PresentTime {
    /// The remaining time in whole minutes, or in seconds up to one minute.
    fileprivate func left(until then: WallTime) -> VisibleText {
        let seconds = then.since(now).components.seconds
        guard seconds > 60 else { return VisibleText(HumanTime.count(max(0, seconds), "second")) }
        return VisibleText(HumanTime.count((seconds + 30) / 60, "minute"))
    }
}
