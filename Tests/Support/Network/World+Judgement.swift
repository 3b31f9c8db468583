import BatonCore

extension World {
    /// What must be true of a node at any time: its claims.
    func check(_ node: SimulatedNode) {
        guard generator.chance(10) else { return }
        judgeClaims(of: node)
    }

    /// What must be true once all is quiet.
    func judge() {
        let first = (records: nodes[0].store.allRecords, complete: nodes[0].store.summary().complete)
        for node in nodes {
            if node.store.summary().complete != first.complete {
                violate("\(node.name) and \(nodes[0].name) claim different things")
            }
            if node.store.allRecords != first.records {
                violate("\(node.name) and \(nodes[0].name) hold different records")
            }
            if node.store.digest(at: .past) != nodes[0].store.digest(at: .past) {
                violate("\(node.name) and \(nodes[0].name) have different digests")
            }
            for endpoint in node.endpoints where !endpoint.session.isInStep {
                violate("\(node.name) does not know that it is in step with \(endpoint.peer.name)")
            }
            for write in node.acknowledged where !node.store.reflects(write) {
                violate("\(write), which \(node.name) acknowledged, is lost")
            }
            judgeClaims(of: node)
        }
    }

    /// Every write that a node claims is there, or was overwritten or deleted by what is.
    private func judgeClaims(of node: SimulatedNode) {
        let complete = node.store.summary().complete
        for write in ledger.all where complete.covers(write.dot) && !node.store.reflects(write) {
            violate("\(node.name) claims \(write) and does not have it")
        }
    }
}

extension WallTime {
    /// Before anything expires.
    fileprivate static let past = WallTime(milliseconds: .min)
}
