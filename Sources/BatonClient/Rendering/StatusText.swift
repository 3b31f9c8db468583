package import BatonCore

/// What a node says of itself, as a person reads it.
package struct StatusText {
    private let status: NodeStatus

    package init(_ status: NodeStatus) { self.status = status }

    /// The account, by the name that it has here if that is one of its own.
    private var name: String {
        guard let name = status.accountName, name != AccountName.usual.text else {
            return status.account.short
        }
        return "“\(name)” (\(status.account.short))"
    }

    /// A line about the work left before the digest is known; nil if it was not counted yet.
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

    /// The node, then each other device, then what a person should know.
    package func lines(at time: PresentTime) -> [VisibleText] {
        var lines: [VisibleText] = [
            "\(status.device.name) (\(status.device.identifier.short)): the node is running, process \(status.process),"
                + " version \(status.build)",
            "account \(name), listening on \(status.listening)",
        ]
        if status.peers.isEmpty {
            lines.append("no other device; type `baton invite` on an owner's machine to add one")
        }
        for peer in status.peers { lines += peer.lines(at: time, asksForNode: status.troubles.isEmpty) }
        lines += status.troubles.map { "trouble: \($0)" }
        return lines
    }
}

extension DeviceStatus {
    /// The device and how it stands with it.
    ///
    /// Whether its node runs is asked only where nothing is known to be wrong here or there.
    fileprivate func lines(at time: PresentTime, asksForNode: Bool) -> [VisibleText] {
        let question = asksForNode && trouble == nil ? "; is its node running?" : ""
        let head: VisibleText = "\(device.name) (\(device.identifier.short)): \(state(at: time))"
        guard !isConnected, removed == nil else { return [head] }
        var lines = [head]
        if let trouble { lines.append("  \(trouble.shortened(to: Self.troubleCount))") }
        lines.append(
            addresses.isEmpty
                ? "  no address is known; type `baton devices \(device.identifier.short) --at HOST:PORT` to set one"
                : "  tried \(Self.places(addresses.prefix(Self.placesMost)))\(question)")
        return lines
    }

    /// How many addresses one line shows, and how many characters of one, and of what is wrong.
    private static var placesMost: Int { 4 }
    private static var placeCount: Int { 64 }
    private static var troubleCount: Int { 240 }

    /// Addresses in a line; others may have told them, so the length of each is limited.
    package static func places(_ addresses: some Sequence<String>) -> String {
        addresses.map { $0.shortened(to: placeCount) }.joined(separator: ", ")
    }

    /// Whether it is connected and in step, and since when; or that nobody waits for it.
    package func state(at time: PresentTime) -> VisibleText {
        if let removed, hasLeft { return "left the account \(time.text(removed))" }
        if let removed, !isConnected {
            return "removed \(time.text(removed)); it comes back when it connects again"
        }
        return presence(at: time)
    }

    /// Whether it is connected and in step, and since when.
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
    /// That the two are not in step, since when, and by how much.
    private func stepText(at time: PresentTime) -> VisibleText {
        let head: VisibleText =
            outOfStepSince.map { "syncing \(time.duration(since: $0))" } ?? "syncing"
        guard let backlog else { return head }
        var parts: [VisibleText] = []
        if backlog.isSendingSnapshot { parts.append("sending a full copy") }
        if backlog.isTakingSnapshot { parts.append("receiving a full copy") }
        // Of what a snapshot brings it is not known which of it is there already.
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
    /// What is missing until every other device has all that this one has, and the other way round; in words.
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
