import BatonCore
import Support

/// Promise 1 for what expires: if someone gave an item another end, and that was acknowledged, no node sweeps the item
/// before that end.
final class SweptHadExpired: Checker {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for (incarnation, time) in world.swept.incarnations {
            var (record, doubtful) = (Record(incarnation.identity), [Write]())
            for entry in world.ledger.entries where entry.write.makes(incarnation) {
                if entry.isAcknowledged, !entry.isLost, !entry.isWaived {
                    _ = record.merge(entry.write)
                } else {
                    doubtful.append(entry.write)
                }
            }
            // An unacknowledged write may be stored or not; one write alone decides when the item ends.
            let ends = doubtful.map { write in
                var other = record
                _ = other.merge(write)
                return other
            }
            guard record.isThere, !(ends + [record]).contains(where: { $0.isPlainlyExpired(at: time) }) else {
                continue
            }
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject(record.survivingWrites),
                "what \(record.survivingWrites.map { $0.told(in: world) }) made was swept up to \(time.milliseconds), and ends at "
                    + "\(record.plainExpiration?.milliseconds ?? .max)")
        }
    }
}

extension Write {
    /// Whether the write begins or changes that incarnation.
    fileprivate func makes(_ incarnation: Swept.Incarnation) -> Bool {
        guard identity == incarnation.identity else { return false }
        return switch action {
        case .full: stamp == incarnation.stamp
        case .partial(let base, _): base == incarnation.stamp
        default: false
        }
    }
}
