import BatonCore
import BatonStore
import Support

/// Promise 9: the usage that the store counts for each app's indexes equals the size of what is stored.
final class UsageIsTrue: Checker {
    func noteCommit(at node: SimulatedNode, _ world: World) {
        if world.streams["usage"].chance(4) { judge(node, world) }
    }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest { judge(node, world) }
    }

    private func judge(_ node: SimulatedNode, _ world: World) {
        guard let contents = node.contents as? SQLiteContents else { return }
        judgeStaged(node, contents.store, world)
        // Clears and batches are counted as they are swept and merged.
        guard !contents.store.isUnsettled(.index) else { return }
        var expected: [[UInt8]: AppUsage.Amount] = [:]
        for record in contents.allRecords where record.identity.kind == .indexClear {
            guard let app = record.clear?.scope.outward([1]).first else { continue }
            expected[app.encoded, default: AppUsage.Amount()].clears += 1
        }
        for record in contents.allRecords where record.identity.kind == .item {
            guard let content = record.content, let app = content.scope.outward([1]).first else { continue }
            expected[app.encoded, default: AppUsage.Amount()] += AppUsage.Amount(
                items: 1, bytes: content.encodedCount)
        }
        let usages = contents.look { (store) throws(StoreFailure) in try store.usages() }
        guard usages != expected else { return }
        world.violate(
            .bounds, about: Violation.Subject(at: node),
            "\(node.name) counts \(Self.told(usages)) in its indexes, and has \(Self.told(expected))")
    }

    /// Staged changes of a batch are counted as they are staged.
    private func judgeStaged(_ node: SimulatedNode, _ store: SQLiteStore, _ world: World) {
        for batch in node.receivedBatches.all where batch.waiting == 0 && !batch.drafts.isEmpty {
            let items = batch.drafts.filter { $0.key.kind == .item && $0.isFull }
            let expected = AppUsage.Amount(
                items: items.count, bytes: items.reduce(0) { $0 + $1.encoded.count })
            let staged = store.staged(in: batch.identifier)
            guard staged != expected else { continue }
            world.violate(
                .bounds, about: Violation.Subject(at: node),
                "\(node.name) counts \(staged.map { "\($0)" } ?? "nothing") in a batch of \(expected)")
        }
    }

    private static func told(_ usages: [[UInt8]: AppUsage.Amount]) -> String {
        usages.values.map { "\($0.items) items of \($0.bytes) bytes" }.sorted().joined(separator: " and ")
    }
}
