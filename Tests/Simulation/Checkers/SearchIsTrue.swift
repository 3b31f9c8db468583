import BatonCore
import BatonStore
import Support

/// Promises 1 to 3 for searches: every stored thing is found that has what is searched for, and nothing else, a search
/// that has been going on for long finds what a new one does, and devices in step find the same in the same order.
final class SearchIsTrue: Checker {
    private static let stream = "searches"

    func noteCommit(at node: SimulatedNode, _ world: World) {
        guard let contents = node.contents as? SQLiteContents else { return }
        if !contents.openPages.isEmpty {
            let plain = PlainSearch(contents)
            for open in contents.openPages { open.note(plain, in: open.question.scope, at: node.wallTime) }
        }
        if world.streams[Self.stream].chance(world.searchesMuch ? 10 : 2) { judge(node, world) }
    }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest { judge(node, world) }
        compare(world)
    }

    private func judge(_ node: SimulatedNode, _ world: World) {
        guard let contents = node.contents as? SQLiteContents else { return }
        let judge = SearchJudge(node, contents)
        for _ in 0..<2 {
            judge.judge(world.question(at: node, contents))
            judge.judge(
                world.question(at: node, contents, most: world.streams[Self.stream].number(0...6)))
        }
    }

    /// Checks that nodes with the same items find the same, in the same order.
    private func compare(_ world: World) {
        let (queries, now) = ((0..<3).map { _ in world.typed() }, world.honest.first?.wallTime)
        guard let now else { return }
        var first: (node: SimulatedNode, items: [RecordIdentity: Write.Content], found: [SearchFinding])?
        for node in world.honest {
            guard let contents = node.contents as? SQLiteContents, !contents.store.isUnsettled(.index) else {
                continue
            }
            let items = contents.items
            let found = contents.search { (reader) throws(StoreFailure) in
                var found: [SearchFinding] = []
                for query in queries { found.append(try reader.find(query, most: 1000, at: now)) }
                return found
            }
            guard found.allSatisfy(\.isWhole) else { continue }
            guard let first else {
                first = (node, items, found)
                continue
            }
            guard first.items == items, first.node.visible == node.visible else { continue }
            for (query, (mine, others)) in zip(queries, zip(found, first.found)) where mine != others {
                world.violate(
                    .convergence, about: Violation.Subject(at: node),
                    "\(node.name) finds \(mine.things.map(\.identity)) for “\(query)”, and "
                        + "\(first.node.name) \(others.things.map(\.identity))")
            }
        }
    }
}

extension SQLiteContents {
    /// The content of all items.
    fileprivate var items: [RecordIdentity: Write.Content] {
        let items = allRecords.filter { $0.identity.kind == .item }
        return Dictionary(items.compactMap { item in item.content.map { (item.identity, $0) } }) { first, _ in
            first
        }
    }
}
