import BatonCore
import Support

/// Promise 2: nodes that have exchanged everything hold the same state, the result of all writes, and know that they
/// agree.
final class Convergence: Checker {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        guard let first = world.honest.first else { return }
        let records = first.records(but: truth)
        // The digest is costly, and asked for once a world.
        let digest = world.isEnding ? first.digest(at: world.swept.latest) : nil
        if let digest, digest != first.sum(at: world.swept.latest) {
            world.violate(
                .convergence, about: Violation.Subject(at: first),
                "\(first.name) tells a digest that is not that of its records")
        }
        for node in world.honest {
            let complete = node.contents.complete
            if complete != truth.complete {
                let (mine, all) = (complete.beyond(truth.complete), truth.complete.beyond(complete))
                world.violate(
                    .convergence,
                    about: Violation.Subject(
                        world.ledger.entries.map(\.write).filter {
                            all.covers($0.dot) || mine.covers($0.dot)
                        },
                        at: node),
                    "\(node.name) does not claim what others do: \(all.told(in: world)), and alone claims \(mine.told(in: world))"
                )
            }
            judge(node, truth.model, world)
            if node.records(but: truth) != records {
                let others = node.records(but: truth)
                let differing =
                    (others.filter { !records.contains($0) } + records.filter { !others.contains($0) })
                    .flatMap(\.survivingWrites)
                world.violate(
                    .convergence, about: Violation.Subject(differing, at: node),
                    "\(node.name) and \(first.name) hold different records: "
                        + "\(differing.map { $0.told(in: world) })")
            }
            if let digest, node.digest(at: world.swept.latest) != digest {
                world.violate(
                    .convergence, about: Violation.Subject(at: node),
                    "\(node.name) and \(first.name) have different digests")
            }
            for endpoint in node.endpoints where !endpoint.session.isInStep {
                world.violate(
                    .convergence, about: Violation.Subject(at: node),
                    "\(node.name) does not know that it is in step with \(endpoint.peer.name)")
            }
        }
    }

    /// Checks that the visible state is the result of all writes that are claimed there.
    func judge(_ node: SimulatedNode, _ world: World, _ truth: Truth) {
        let complete = node.contents.complete
        judge(
            node,
            Model(world.ledger.entries.lazy.map(\.write).filter { complete.covers($0.dot) }, world.swept),
            world)
    }

    /// Describes the fields in which a record differs from what it should be.
    private static func difference(_ mine: [FieldName: [UInt8]], _ expected: [FieldName: [UInt8]]) -> String {
        let tell = { (names: [FieldName]) in names.sorted().map(\.told).joined(separator: ",") }
        let other = mine.keys.filter { name in expected[name].map { $0 != mine[name] } ?? false }
        return [
            ("lacks the fields", tell(expected.keys.filter { mine[$0] == nil })),
            ("has the fields", tell(mine.keys.filter { expected[$0] == nil })),
            ("has other values in", tell(other)),
        ].filter { !$0.1.isEmpty }.map { "\($0) {\($1)}" }.joined(separator: ", ")
    }

    private func judge(_ node: SimulatedNode, _ model: Model, _ world: World) {
        let mine = node.visible
        guard mine != model.visible else { return }
        let identities = Set(mine.keys).union(model.visible.keys).sorted()
        guard let identity = identities.first(where: { mine[$0] != model.visible[$0] }) else { return }
        let writes = world.ledger.entries.filter { $0.write.identity == identity }
        let what =
            mine[identity] == nil
            ? "is missing"
            : model.visible[identity] == nil
                ? "is there" : Self.difference(mine[identity] ?? [:], model.visible[identity] ?? [:])
        world.violate(
            .convergence, about: Violation.Subject(writes.map(\.write), records: [identity], at: node),
            "\(identity.told) \(what) at \(node.name); it was written by "
                + writes.map {
                    "\(world.name(of: $0.author)): \($0.write.told(in: world))\($0.isLost ? " (lost)" : "")"
                }
                .joined(separator: ", "))
    }
}

extension SimulatedNode {
    /// Returns the digest that the store reports.
    fileprivate func digest(at time: WallTime) -> StateDigest {
        ask { (store) throws(StoreFailure) in try store.digest(at: time) }
    }

    /// Returns the sum of the digests of all records, read one by one.
    fileprivate func sum(at time: WallTime) -> StateDigest {
        contents.allRecords.reduce(into: StateDigest()) { sum, record in sum += record.digest(at: time) }
    }

    /// Returns the records without tombstones that some store collected.
    ///
    /// Tombstones that may have been ended by something collected are left out as well: they end nothing that is there.
    /// So are updates whose full write is gone, where machines share an identity: each of them may have ended it before
    /// or after the update came, and nobody sees them.
    fileprivate func records(but truth: Truth) -> [Record] {
        contents.allRecords.map(world.swept.rest(of:)).map { record in
            guard let tombstone = record.tombstone else { return record }
            let horizon = truth.horizons[tombstone.identity.kind.lane] ?? .zero
            return truth.dropped.covers(tombstone.dot) || tombstone.stamp.time <= horizon
                ? record.withoutTombstone : record
        }.filter { record in
            let writes = record.survivingWrites
            return world.profile[.clone] > 0 ? writes.contains(where: \.isOpening) : !writes.isEmpty
        }
    }
}
