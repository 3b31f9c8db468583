import BatonClient
package import BatonCore

/// Shows the status of a node to a person.
package struct StatusText {
    private let status: NodeStatus
    /// Whether the person keeps this machine private, so that nothing they do here leaves it.
    private let isPrivate: Bool

    package init(_ status: NodeStatus, isPrivate: Bool = false) {
        (self.status, self.isPrivate) = (status, isPrivate)
    }

    /// The short identifier of the account, with the account's name on this machine unless this is the default name.
    private var name: String {
        guard let name = status.accountName, name != AccountName.usual.text else {
            return status.account.short
        }
        return "“\(name)” (\(status.account.short))"
    }

    /// The limit of protection without a passphrase, and the command that sets one.
    package static let lacksPassphrase: VisibleText =
        "sealed for other machines and backups, but this disk has the key; `baton lock --set` locks it"

    /// A line about the work that remains before the digest is known, or nil if that work was not counted yet.
    package static func settling(_ left: Unsettled) -> VisibleText? {
        var parts: [VisibleText] = []
        if left.toMerge > 0 {
            parts.append("\(HumanTime.count(Int64(left.toMerge), "change")) of batches to merge")
        }
        if left.toClear > 0 {
            let count = HumanTime.count(Int64(left.toClear), "cleared record")
            parts.append("\(left.toClear == Unsettled.countMost ? "at least \(count)" : count) to remove")
        }
        return parts.isEmpty ? nil : "Waiting: " + parts.joined(", ")
    }

    /// A line about records that clears still have to remove, or nil if there are none.
    ///
    /// The digest already leaves these records out.
    package static func clearing(_ count: Int) -> VisibleText? {
        guard count > 0 else { return nil }
        let records = HumanTime.count(Int64(count), "cleared record")
        return """
            \(count >= Unsettled.countMost ? "At least \(records)" : records) are still being removed; the digest does not \
            count them.
            """
    }

    /// Lines about the node, then about every other device, and then about problems.
    package func lines(at time: PresentTime) -> [VisibleText] {
        var lines: [VisibleText] = [
            "\(status.device.name) (\(status.device.identifier.short)): the node is running, process \(status.process),"
                + " version \(status.build)",
            "account \(name), listening on \(status.listening)",
        ]
        if status.peers.isEmpty {
            lines.append("no other device; type `baton invite` on an owner's machine to add one")
        }
        lines += status.peers.map { $0.line(at: time) }
        if isPrivate {
            lines.append("private: nothing that you do here leaves this machine, until `baton private off`")
        }
        if status.isLocked == true { lines.append("locked: protected content needs `baton unlock`") }
        if status.lacksPassphrase { lines.append("protected: \(Self.lacksPassphrase)") }
        if let discovery = status.discovery { lines.append("discovery: \(discovery)") }
        lines += status.troubles.map { "trouble: \($0)" }
        return lines
    }
}

extension DeviceStatus {
    /// A line with the device and the state of its connection.
    ///
    /// If the device is not connected, the line also says why, and which command the person can type.
    fileprivate func line(at time: PresentTime) -> VisibleText {
        let head: VisibleText = "\(device.name) (\(device.identifier.short)): \(state(at: time))"
        if isConnected, let trouble { return "\(head); \(trouble.shortened(to: Self.troubleCount))" }
        guard !isConnected, removed == nil else { return head }
        let advice =
            addresses.isEmpty ? "baton devices \(nameToType) --at HOST:PORT" : "baton doctor \(nameToType)"
        return "\(device.name) (\(device.identifier.short)): \(absence(at: time)); type `\(advice)`"
    }

    /// When the device was last connected, the reason why it is not, and the number of changes that wait for it.
    private func absence(at time: PresentTime) -> VisibleText {
        let known =
            addresses.isEmpty
            ? "its address is not known" : "trying \(Self.places(addresses.prefix(Self.placesMost)))"
        let reason: VisibleText = "; \((trouble ?? known).shortened(to: Self.troubleCount))"
        return presence(at: time) + reason + (waitingText.map { "; " + $0 } ?? "")
    }

    /// The name that a person can type for the device.
    ///
    /// It is the identifier if the name would need quotation marks.
    private var nameToType: String {
        let isPlain =
            ShellWord.quoted(device.name) == device.name && device.name.utf8.first != UInt8(ascii: "-")
        return isPlain ? device.name : device.identifier.short
    }

    /// The largest number of addresses on one line, and the maximum numbers of characters of an address and of a
    /// problem.
    private static var placesMost: Int { 4 }
    private static var placeCount: Int { 64 }
    private static var troubleCount: Int { 240 }

    /// Joins addresses.
    ///
    /// Each address is shortened, because other devices may have sent it.
    package static func places(_ addresses: some Sequence<String>) -> String {
        addresses.map { $0.shortened(to: placeCount) }.joined(separator: ", ")
    }

    /// The state of the device: that it left or was removed, or else its presence.
    package func state(at time: PresentTime) -> VisibleText {
        if let removed, hasLeft { return "left the account \(time.text(removed))" }
        if let removed, !isConnected {
            return "removed \(time.text(removed)); it comes back when it connects again"
        }
        return presence(at: time)
    }

    /// Whether the device is connected and in step, and for how long.
    package func presence(at time: PresentTime) -> VisibleText {
        if isConnected {
            let step = isInStep ? "in step" : stepText(at: time)
            return connectedSince.map { "connected \(time.duration(since: $0)), \(step)" }
                ?? "connected, \(step)"
        }
        return seen.map { "not connected, last seen \(time.text($0))" }
            ?? "not connected yet"
    }
}

extension DeviceStatus {
    /// The number of changes that wait for the device; nil if it is connected or no changes wait.
    package var waitingText: VisibleText? {
        guard !isConnected, let count = backlog?.toSend, count > 0 else { return nil }
        return "\(Self.changes(count)) \(count == 1 ? "waits" : "wait") for it"
    }

    /// The number of changes that the two devices must still exchange, and for how long they have been out of step.
    private func stepText(at time: PresentTime) -> VisibleText {
        let head: VisibleText =
            outOfStepSince.flatMap { time.lastingDuration(since: $0) }.map { "syncing \($0)" } ?? "syncing"
        guard let backlog else { return head }
        var parts: [VisibleText] = []
        if backlog.isSendingSnapshot { parts.append("sending a full copy") }
        if backlog.isTakingSnapshot { parts.append("receiving a full copy") }
        // A snapshot also contains records that the device already has. The number of these is unknown, so none is
        // shown.
        if backlog.toSend > 0, !backlog.isSendingSnapshot {
            parts.append("\(Self.changes(backlog.toSend)) to send")
        }
        if backlog.toTake > 0, !backlog.isTakingSnapshot {
            parts.append("\(Self.changes(backlog.toTake)) to receive")
        }
        if backlog.taken > 0 {
            parts.append("\(HumanTime.count(Int64(clamping: backlog.taken), "record")) received")
        }
        return parts.isEmpty ? head : head + " (" + parts.joined("; ") + ")"
    }

    private static func changes(_ count: UInt64) -> String {
        HumanTime.count(Int64(clamping: count), "change")
    }
}

extension NodeStatus {
    /// Descriptions of the machines that are not in step with this machine, with the reasons.
    package var missing: [String] {
        peers.filter { !$0.hasLeft && ($0.isConnected || $0.removed == nil) }.compactMap { peer in
            guard peer.isConnected else {
                return "\(peer.device.name) is not connected" + (peer.trouble.map { " (\($0))" } ?? "")
            }
            guard !peer.isInStep else { return nil }
            let count = (peer.backlog?.toSend ?? 0).addingReportingOverflow(peer.backlog?.toTake ?? 0)
                .partialValue
            let rest = count > 0 ? ", \(HumanTime.count(Int64(clamping: count), "change")) to go" : ""
            return "\(peer.device.name) is syncing\(rest)"
        }
    }
}
