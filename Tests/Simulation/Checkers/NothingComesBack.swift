import BatonCore
import Support

/// Promise 6 between two devices: nothing is sent back over the connection by which it came.
///
/// Exempt are sessions with snapshots, whose ranges claim nothing yet; batches that repair a difference; deletions,
/// which clears leave anew; updates, which shrink as others overwrite them; writes that the peer sent in two forms
/// because a clear came between; and writes that one of the two adopted under another dot, and that came back from
/// their author. A session remembers one window of received writes.
final class NothingComesBack: Checker {
    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {
        // Frames that wait to be taken were made before.
        let isChange =
            transaction.range == nil && !transaction.isAhead && !transaction.isRepair && !endpoint.framesWait
        for write in transaction.writes {
            endpoint.watched.taken[write.dot] = isChange ? write : nil
            endpoint.watched.takenBytes += write.byteCount
        }
    }

    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        guard case .batch(let batch) = message else { return }
        for write in batch.writes {
            // Writes that were sent before they were stored take room, too.
            endpoint.watched.takenBytes += write.byteCount
            if let last = endpoint.watched.sent.updateValue(write, forKey: write.dot), last != write {
                endpoint.watched.reshaped.insert(write.dot)
            }
        }
        if batch.range != nil || batch.isAhead {
            endpoint.watched.hasSnapshot = true
            endpoint.other?.watched.hasSnapshot = true
        }
        // Copies of a disk share one order of arrival, and lose it.
        guard world.profile[.clone] == 0, !endpoint.watched.hasSnapshot, batch.repair == nil,
            !endpoint.node.isFaulty,
            endpoint.watched.takenBytes <= Limits.windowBytes
        else { return }
        for write in batch.writes
        where endpoint.watched.taken[write.dot] == write && !write.isPartial && write.action != .deletion
            && endpoint.other?.watched.reshaped.contains(write.dot) != true
            && !endpoint.watched.hasAdopted(write)
        {
            world.violate(
                .costFollowsChange, about: Violation.Subject([write], at: endpoint.node),
                "\(endpoint.node.name) sends \(write.told(in: world)) back to \(endpoint.peer.name)")
        }
    }
}

extension Watched {
    /// Whether the same write went over the connection under another dot.
    fileprivate func hasAdopted(_ write: Write) -> Bool {
        (Array(sent.values) + Array(taken.values)).contains {
            $0.identity == write.identity && $0.stamp == write.stamp && $0.dot != write.dot
        }
    }
}
