package import BatonCore

/// Texts for a person before and after this machine leaves its account.
package struct DepartureText {
    private let departure: Departure

    package init(_ departure: Departure) { self.departure = departure }

    private var name: VisibleText { "“\(departure.device.name)” (\(departure.device.identifier.short))" }

    /// The lines that explain the consequences.
    ///
    /// A question follows them.
    package var linesToConfirm: [VisibleText] {
        var lines: [VisibleText] = [
            "\(name) will leave the account \(departure.account.short).",
            "This deletes \(departure.folder), with the keys of this machine and all its data.",
        ]
        switch departure.others {
        case nil:
            lines.append("Your other machines keep their data. Backups stay, too; nobody can join with them.")
            lines.append(
                "No node is running here, so no other machine is told. \(advice)"
            )
        case let others? where others.isEmpty:
            lines.append(
                "No other machine is in the account: this is the only copy of its data, apart from backups.")
        case let others?:
            let names = others.map { "“\($0)”" }.joined(separator: ", ")
            lines.append(
                "\(names) \(others.count == 1 ? "keeps its" : "keep their") data. Backups stay, too; nobody can join with them."
            )
        }
        if departure.isOut {
            lines.append("For the other machines, it is already out of the account.")
        } else if departure.isOwner {
            lines += ownerLines
        }
        return lines
    }

    /// The advice to remove or revoke this machine on another machine.
    ///
    /// It is given if no other machine was told.
    private var advice: VisibleText {
        let verb = departure.isOwner ? "revoke" : "remove"
        return
            "Type `baton \(verb) \(departure.device.identifier.short)` on one of the others, unless a copy of this machine goes on with the same identity."
    }

    /// The consequences if this machine is an owner.
    private var ownerLines: [VisibleText] {
        if departure.leavesOwner {
            return ["It is an owner: its owner key is revoked. The machines that it admitted stay."]
        }
        guard let others = departure.others else {
            return [
                "It is an owner. If it is the last one, another machine must become an owner with the recovery code: `baton promote`."
            ]
        }
        return others.isEmpty
            ? ["After that, only the recovery code brings the account back: `baton recover`."]
            : [
                RevocationText.lastOwner
            ]
    }

    /// The lines that are printed after this machine has left.
    package var linesWhenLeft: [VisibleText] {
        var lines: [VisibleText] = ["\(name) has left the account, and its data here is deleted."]
        if !departure.told.isEmpty {
            let names = departure.told.map { "“\($0)”" }.joined(separator: ", ")
            lines.append(
                "\(names) \(departure.told.count == 1 ? "knows, and tells" : "know, and tell") the others."
            )
        } else if departure.others == nil {
            lines.append("No other machine was told, because no node was running here. \(advice)")
        } else if !departure.isOut, departure.others?.isEmpty == false {
            lines.append("No other machine was told. \(advice)")
        }
        if let remains = departure.remains {
            lines.append("\(remains) could not be deleted. Delete it yourself: it contains keys.")
        }
        return lines
    }
}
