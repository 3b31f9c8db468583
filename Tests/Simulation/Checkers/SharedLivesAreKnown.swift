import BatonCore

/// Promise 7, where it can't be kept: all know the lives in which several machines wrote, so that nobody takes a write of
/// such a life for another one, and nothing of it is garbage-collected.
final class SharedLivesAreKnown: Checker {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for life in world.honest.reduce(into: Set<Life>(), { $0.formUnion($1.sharedLives) }).sorted() {
            let identity = SharedLife(life).key.identity
            for node in world.honest where node.contents.record(identity)?.isThere != true {
                world.violate(
                    .dotsAreUnique, about: Violation.Subject(records: [identity], at: node),
                    "\(node.name) does not know that several machines wrote in life \(life.told(in: world))")
            }
        }
    }
}
