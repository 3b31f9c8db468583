import BatonCore

/// Promise 7: a dot names one write for ever, and every write that arrives is what its author wrote, or what is left of
/// it.
///
/// A write that nobody wrote may have other causes; the checkers of other promises are asked first.
final class DotsAreUnique: Checker {
    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {
        for write in transaction.writes
        where !world.ledger.knows(write)
            && !(write.action == .deletion && world.swept.contains(write.identity, write.stamp))
        {
            world.suspect(
                [endpoint.peer, node], of: .dotsAreUnique, about: [write],
                "\(write.told(in: world)) arrived at \(node.name), which nobody wrote")
        }
    }
}
