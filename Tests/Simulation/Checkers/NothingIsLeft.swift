import BatonCore
import Support

/// Promise 9: the remaining work of a batch or a clear is done once all is quiet, and takes no room any more.
final class NothingIsLeft: Checker {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest where node.isUp && !node.isStuck && !node.isFull {
            for lane in Lane.allCases {
                let left = node.ask { (store) throws(StoreFailure) in try store.lane(lane).unsettled() }
                guard left != Unsettled() else { continue }
                world.violate(
                    .bounds, about: Violation.Subject(at: node),
                    "\(node.name) has \(left.toMerge) changes left to merge and \(left.toClear) records left to clear, "
                        + "and is at rest")
            }
        }
    }
}
