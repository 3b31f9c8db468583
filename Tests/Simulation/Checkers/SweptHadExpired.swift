import BatonCore
import Support

/// Promise 1 for what expires: an item that someone gave another end, and was told so, is swept nowhere before that.
final class SweptHadExpired: Checker {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for (incarnation, time) in world.swept.incarnations {
            var record = Record(incarnation.identity)
            for entry in world.ledger.entries
            where entry.write.identity == incarnation.identity && entry.isAcknowledged && !entry.isLost
                && !entry.isWaived
            {
                switch entry.write.action {
                case .full where entry.write.stamp == incarnation.stamp: _ = record.merge(entry.write)
                case .partial(let base, _) where base == incarnation.stamp: _ = record.merge(entry.write)
                default: break
                }
            }
            guard record.isThere, !record.isExpired(at: time) else { continue }
            world.violate(
                .acknowledgedIsKept,
                "what \(record.survivingWrites.map(\.told)) made was swept up to \(time.milliseconds), and ends at "
                    + "\(record.expiration?.milliseconds ?? .max)")
        }
    }
}
