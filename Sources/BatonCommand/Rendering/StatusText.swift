import BatonClient
package import BatonCore

/// The status of a node, for a person.
package struct StatusText {
    private let status: NodeStatus
    /// Whether nothing that the person does here leaves this machine.
    private let isPrivate: Bool

    package init(_ status: NodeStatus, isPrivate: Bool = false) {
        (self.status, self.isPrivate) = (status, isPrivate)
    }

    /// The account, with its name on this machine unless that is the default name.
    private var name: String {
        guard let name = status.accountName, name != AccountName.usual.text else {
            return status.account.short
        }
        return "“\(name)” (\(status.account.short))"
    }

    /// A line about the work that remains before the digest is known; nil if that work was not counted yet.
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

    /// A line about records that clears still have to remove, which the digest already leaves out; nil if there are
    /// none.
    package static func clearing(_ count: Int) -> VisibleText? {
        guard count > 0 else { return nil }
        let records = HumanTime.count(Int64(count), "cleared record")
        return """
            \(count >= Unsettled.countMost ? "At least \(records)" : records) are still being removed; the digest does not \
            count them.
            """
    }

    /// The node, then every other device, then problems.
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
        if let discovery = status.discovery { lines.append("discovery: \(discovery)") }
        lines += status.troubles.map { "trouble: \($0)" }
        return lines
    }
}

extension DeviceStatus {
    /// The device and the state of its connection, in one line; if it is not connected, also the reason, and what to
    /// type.
    fileprivate func line(at time: PresentTime) -> VisibleText {
        let head: VisibleText = "\(device.name) (\(device.identifier.short)): \(state(at: time))"
        if isConnected, let trouble { return "\(head); \(trouble.shortened(to: Self.troubleCount))" }
        guard !isConnected, removed == nil else { return head }
        let advice =
            addresses.isEmpty ? "baton devices \(nameToType) --at HOST:PORT" : "baton doctor \(nameToType)"
        return "\(device.name) (\(device.identifier.short)): \(absence(at: time)); type `\(advice)`"
    }

    /// When the device was connected, why it is not, and how many changes wait for it.
    private func absence(at time: PresentTime) -> VisibleText {
        let known =
            addresses.isEmpty
            ? "its address is not known" : "trying \(Self.places(addresses.prefix(Self.placesMost)))"
        let reason: VisibleText = "; \((trouble ?? known).shortened(to: Self.troubleCount))"
        return presence(at: time) + reason + (waitingText.map { "; " + $0 } ?? "")
    }

    /// The name to type for the device in a command; its identifier if its name is unusual.
    private var nameToType: String {
        let isPlain =
            ShellWord.quoted(device.name) == device.name && device.name.utf8.first != UInt8(ascii: "-")
        return isPlain ? device.name : device.identifier.short
    }

    /// Limits for the addresses of one line, the characters of one address, and those of a problem.
    private static var placesMost: Int { 4 }
    private static var placeCount: Int { 64 }
    private static var troubleCount: Int { 240 }

    /// Joins addresses; other devices may have sent them, so each is shortened.
    package static func places(_ addresses: some Sequence<String>) -> String {
        addresses.map { $0.shortened(to: placeCount) }.joined(separator: ", ")
    }

    /// Whether the device is connected and in step, and since when; or that it left or was removed.
    package func state(at time: PresentTime) -> VisibleText {
        if let removed, hasLeft { return "left the account \(time.text(removed))" }
        if let removed, !isConnected {
            return "removed \(time.text(removed)); it comes back when it connects again"
        }
        return presence(at: time)
    }

    /// Whether the device is connected and in step, and since when.
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
    /// How many changes wait until the device is connected; nil for none, or if it is connected.
    package var waitingText: VisibleText? {
        guard !isConnected, let count = backlog?.toSend, count > 0 else { return nil }
        return "\(Self.changes(count)) \(count == 1 ? "waits" : "wait") for it"
    }

    /// How many changes the two devices lack until they are in step, and since when.
    private func stepText(at time: PresentTime) -> VisibleText {
        let head: VisibleText =
            outOfStepSince.flatMap { time.lastingDuration(since: $0) }.map { "syncing \($0)" } ?? "syncing"
        guard let backlog else { return head }
        var parts: [VisibleText] = []
        if backlog.isSendingSnapshot { parts.append("sending a full copy") }
        if backlog.isTakingSnapshot { parts.append("receiving a full copy") }
        // The number of a snapshot's records that the device already has is unknown.
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
    /// The machines that are not in step with this one, and why, in words.
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
