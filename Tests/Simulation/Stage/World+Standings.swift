import BatonCore

/// The lines that say where each node stands when a promise breaks.
extension World {
    /// The word that marks the line of a node's standing.
    static let standing = "STANDS"

    /// Tells of each node which life it is in, what it claims, and for whom it waits.
    func tellStandings() {
        for node in honest where node.isUp {
            tell(
                "\(node.name) \(Self.standing) in \(node.journal.life.told(in: self))\(toldClaims(of: node))")
        }
    }

    private func toldClaims(of node: SimulatedNode) -> String {
        let contents = node.contents
        var parts = ["; claims \(contents.complete.told(in: self))"]
        if !contents.dropped.isEmpty {
            let horizons = Lane.allCases.map { "\($0) \(contents.horizon(of: $0).told)" }
            parts += ["; collected up to \(contents.dropped.told(in: self))"]
            parts += ["; horizon of \(horizons.joined(separator: ", of "))"]
        }
        let lineage = toldLineage(of: contents.complete)
        if !lineage.isEmpty { parts += ["; lineage: \(lineage)"] }
        parts += node.endpoints.compactMap { endpoint in
            endpoint.toldWaiting.map { "; waits for \(endpoint.peer.name): \($0)" }
        }
        return parts.joined()
    }

    /// Returns which lives the named ones follow, as their first writes say.
    private func toldLineage(of vector: VersionVector) -> String {
        vector.sorted.compactMap { origin, sequence -> String? in
            let own = VersionVector([(origin, sequence)])
            let followed = ledger.lineage.expanded(own).beyond(own)
            return followed.isEmpty ? nil : "\(origin.told(in: self)) after \(followed.told(in: self))"
        }.joined(separator: ", ")
    }
}

extension Endpoint {
    /// The message or answer that the session waits for, since when, and until when; nil if it waits for nothing.
    var toldWaiting: String? {
        guard let deadline = session.deadline else { return nil }
        guard session.isOpen else {
            return "the opening messages, since \(began.told), until \(deadline.told)"
        }
        let silence = watched.silence
        guard let since = silence.waitingSince else {
            return "the next comparison\(deadline > node.world.now ? ", until \(deadline.told)" : "")"
        }
        let heard = silence.lastArrival.map { ", last heard at \($0.told)" } ?? ""
        return
            "an acknowledgement of batch \(silence.acknowledged + 1) to \(silence.sent), since \(since.told)\(heard), "
            + "until \(deadline.told)"
    }
}

extension SimulatedNode {
    /// The parts of the account that a deadline concerns.
    func toldDeadlines(until now: Instant) -> String {
        let deadlines: KeyValuePairs<String, Instant?> = [
            "a life's order or a meeting": account.writing.deadline, "the roster": account.roster.deadline,
            "a report or lost writes": account.collector.deadline,
            "what clears left": account.settling.deadline,
        ]
        let due = deadlines.filter { $0.value.map { $0 <= now } ?? false }
        return due.isEmpty ? "nothing is due" : due.map(\.key).joined(separator: ", ")
    }
}
