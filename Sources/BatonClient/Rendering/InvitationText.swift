package import BatonCore

/// An open invitation, as the person types it on the other machine.
package struct InvitationText {
    private let code: String
    private let expires: WallTime
    /// Where the other machine will probably find this one.
    package let address: String

    /// An invitation to a node that listens there, on a machine of that name.
    package init(code: String, expires: WallTime, listening: String, host: String?) {
        (self.code, self.expires) = (code, expires)
        address = Self.address(listening: listening, host: host)
    }

    /// The code, and the command for the other machine.
    package func lines(at time: PresentTime) -> [VisibleText] {
        [
            "Code: \(code) (\(time.left(until: expires)), one use)",
            "On the other machine, type: baton join \(code) --at \(address)",
        ]
    }

    /// As `--json` tells it.
    package var json: JSON {
        .object([
            .init("code", .string(code)), .init("expires", JSON(expires)), .init("address", .string(address)),
        ])
    }

    /// The first listening address, with the machine's name where that is all addresses.
    static func address(listening: String, host: String?) -> String {
        let first = listening.split(whereSeparator: { $0 == "," || $0 == " " }).first.map(String.init) ?? ""
        guard let colon = first.lastIndex(of: ":") else { return host ?? "HOST:PORT" }
        guard ["0.0.0.0", "[::]", "::", "*", ""].contains(first[..<colon]) else { return first }
        return (host ?? "HOST") + first[colon...]
    }
}

extension PresentTime {
    /// How long it still is until then, rounded to what it was meant to be.
    fileprivate func left(until then: WallTime) -> VisibleText {
        let seconds = then.since(now).components.seconds
        guard seconds > 60 else { return VisibleText(HumanTime.count(max(0, seconds), "second")) }
        return VisibleText(HumanTime.count((seconds + 30) / 60, "minute"))
    }
}
