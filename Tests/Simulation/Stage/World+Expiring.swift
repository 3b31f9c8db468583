import BatonCore
import Support

/// The last phase of a world's life: days pass, nobody writes, and everything expired goes.
extension World {
    /// Lets every node sweep that meets all others day after day, and whose clock is right.
    func expireAll() {
        begin(.expiring)
        guard profile.collects, canSweep else { return }
        tell("days pass until all has expired")
        isExpiring = true
        defer { isExpiring = false }
        // A clock that was set is trusted a day later, and each person keeps expired items for up to three days.
        for _ in 0..<3 where violation == nil {
            skipped += WallTime.day * 5
            for node in nodes { node.report() }
            cutAll()
            connectAll()
            guard play() else { return violate(.convergence, "nodes that meet daily never fall silent") }
            for node in nodes { node.considerSweep() }
            guard play() else { return violate(.convergence, "sweeping nodes never fall silent") }
        }
        for node in nodes where violation == nil {
            let bound = node.wallTime.compared.advanced(by: .zero - WallTime.day * 8)
            for record in node.contents.allRecords
            where record.canBeSwept && record.isPlainlyExpired(at: bound) {
                violate(
                    .bounds, about: Violation.Subject(record.survivingWrites, at: node),
                    "\(node.name) still has what expired long ago: "
                        + "\(record.survivingWrites.map { $0.told(in: self) })")
            }
        }
        if violation == nil { marks[.expiredGone] += 1 }
    }

    /// Whether each node meets each other one, their clocks agree, and nothing that they hold has an unknown author.
    ///
    /// The times of stamps may be years ahead of these clocks. But a node that swept before its clock was set back can't
    /// say what it held at the times that its clock shows, and nobody sweeps before that has been compared.
    private var canSweep: Bool {
        let pairs = links.filter(\.isUsable).map { Set([$0.one.number, $0.two.number]) }
        return !profile.hasRoster && nodes.count > 1
            && Set(pairs).count == nodes.count * (nodes.count - 1) / 2
            && nodes.allSatisfy { isOnly($0) && $0.isSettled }
            && Set(nodes.map(\.wallTime.compared)).count == 1
            && nodes.allSatisfy { node in
                node.ask { (store) throws(StoreFailure) in try store.check(at: node.wallTime.compared) }
                    != nil
            }
    }
}

extension Record {
    /// Whether the record goes once it has expired.
    fileprivate var canBeSwept: Bool {
        identity.kind.isSwept && isThere
            && survivingWrites.allSatisfy {
                if case .count = $0.action { return false }
                return $0.isCollectable
            }
    }
}
