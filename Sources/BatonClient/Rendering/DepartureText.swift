package import BatonCore

/// What a person reads before and after this machine leaves its account.
package struct DepartureText {
    private let departure: Departure

    package init(_ departure: Departure) { self.departure = departure }

    private var name: VisibleText { "“\(departure.device.name)” (\(departure.device.identifier.short))" }

    /// The lines that say what is at stake; the question follows.
    package var linesToConfirm: [VisibleText] {
        var lines: [VisibleText] = [
            "\(name) is to leave the account \(departure.account.short).",
            "Deleted is \(departure.folder), with the keys of this machine and all that is kept here.",
        ]
        switch departure.others {
        case nil:
            lines.append("What your other machines have stays, and so do backups; those let nobody in.")
            lines.append(
                "No node runs here, so nobody is told. \(advice)"
            )
        case let others? where others.isEmpty:
            lines.append("No other machine is in the account: what is here is nowhere else, but for backups.")
        case let others?:
            let names = others.map { "“\($0)”" }.joined(separator: ", ")
            lines.append(
                "What \(names) \(others.count == 1 ? "has" : "have") stays, and so do backups; those let nobody in."
            )
        }
        if departure.isOut {
            lines.append("The others don't count it in any more.")
        } else if departure.isOwner {
            lines += ownerLines
        }
        return lines
    }

    /// How the others come to know, if nobody told them.
    private var advice: VisibleText {
        let verb = departure.isOwner ? "revoke" : "remove"
        return
            "Unless another machine goes on with the same identity, type `baton \(verb) \(departure.device.identifier.short)` on one of the others."
    }

    /// What it means that an owner leaves.
    private var ownerLines: [VisibleText] {
        if departure.leavesOwner {
            return ["It is an owner: its key is revoked; the machines that it let in stay."]
        }
        guard let others = departure.others else {
            return [
                "It is an owner. If it is the last one, only the recovery code can let machines in and renew them: `baton promote`."
            ]
        }
        return others.isEmpty
            ? ["Only the recovery code brings the account back then: `baton recover`."]
            : [
                "It is the last owner. Only the recovery code is left then: `baton promote`, on another machine, makes that one an owner. Until then nobody is let in or shut out, and nothing is renewed."
            ]
    }

    /// What has happened.
    package var linesWhenLeft: [VisibleText] {
        var lines: [VisibleText] = ["\(name) has left the account, and what was here is deleted."]
        if !departure.told.isEmpty {
            let names = departure.told.map { "“\($0)”" }.joined(separator: ", ")
            lines.append(
                "\(names) \(departure.told.count == 1 ? "has" : "have") heard of it, and \(departure.told.count == 1 ? "tells" : "tell") the others."
            )
        } else if departure.others == nil {
            lines.append("No other machine has heard of it, as no node ran here. \(advice)")
        } else if !departure.isOut, departure.others?.isEmpty == false {
            lines.append("No other machine has heard of it. \(advice)")
        }
        if let remains = departure.remains {
            lines.append("\(remains) could not be deleted. Delete it: there are keys in it.")
        }
        return lines
    }
}
