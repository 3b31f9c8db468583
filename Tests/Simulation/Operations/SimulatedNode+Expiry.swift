import BatonCore
import Support

extension World {
    /// Moves every clock one day ahead, while nothing else happens.
    func passDay() {
        let days = streams["day"].number(1...2)
        tell("\(days) days pass")
        skipped += WallTime.day * days
        for node in honest { node.considerSweep() }
    }
}

/// Items that expire, and a node's sweeps: by the same rule as the product.
extension SimulatedNode {
    /// Writes an item that expires, or changes the expiration of one that a person can still see.
    func writeExpiring() {
        let stream = "expire"
        let name = ItemName(
            app: "org.expiring", index: "i", identifier: "\(world.streams[stream].number(1...4))")
        let end = wallTime.advanced(by: .seconds(3600 * world.streams[stream].number(1...150)))
        var item = Item(domain: nil)
        item.expiration = end
        if let words = world.words() {
            item.attributes[.title] = .plain(.string(words.joined(separator: " ")))
        }
        let fields = item.content(name).fields
        guard let record = contents.record(name.key.identity), record.isThere else {
            return write(
                .index, [Journal.Draft(.full(Write.Content(scope: .none, fields: fields)), name.key)])
        }
        let latest = WallTime(milliseconds: Int64(journal.clock.latest.value >> 16))
        if !record.isExpired(at: max(wallTime, latest)), world.streams[stream].chance(70) {
            world.marks[.extended] += 1
            write(.index, [Journal.Draft(.partial(of: record.incarnation, fields), name.key)])
        } else if world.streams[stream].chance(40) {
            write(.index, [Journal.Draft(.full(Write.Content(scope: .none, fields: fields)), name.key)])
        }
    }

    /// Sweeps, if it is time.
    func considerSweep() {
        guard isUp, !isPaused else { return }
        drive { $0.considerSweep(in: self) }
    }

    /// Does a step of a sweep.
    func sweep(_ request: SweepRequest, _ lane: Lane, _ group: inout Group) throws(StoreFailure) {
        demandSparing(request)
        // A sweep finishes batches and clears first, and their records are not among the swept ones.
        while let commit = try store.lane(lane).settle(most: 1000) {
            group.commits.append(commit)
            group.notices.append { self.handle(commit, lane) }
        }
        var request = request
        let drawn = draw(lane) { $0.pick([1, 3, 1000]) }
        request.most = world.profile.constants.stepRecords ?? drawn
        let step = try store.lane(lane).sweep(request)
        group.outcomes.append { self.drive { $0.handleStep(step, in: self) } }
        guard let commit = step?.news else { return }
        let records = commit.changed
        world.tell(
            "\(name) sweeps \(records.flatMap(\.survivingWrites).map { $0.told(in: world) }) up to \(request.time.milliseconds)"
        )
        group.commits.append(commit)
        group.notices.append { self.handle(commit, lane) }
        group.swept.append((records, request.time))
    }
}

/// The records that were swept somewhere.
///
/// They count as gone for everyone, because an expired record is hidden wherever it still stands.
struct Swept {
    /// The time up to which each was swept.
    private(set) var incarnations: [Incarnation: WallTime] = [:]
    /// The latest time up to which something was swept.
    private(set) var latest = WallTime(milliseconds: .min)

    struct Incarnation: Hashable {
        let identity: RecordIdentity
        let stamp: Stamp
    }

    mutating func add(_ records: [Record], at time: WallTime) {
        for record in records {
            let incarnation = Incarnation(identity: record.identity, stamp: record.incarnation)
            incarnations[incarnation] = max(incarnations[incarnation] ?? time, time)
            latest = max(latest, time)
        }
    }

    func contains(_ identity: RecordIdentity, _ stamp: Stamp) -> Bool {
        !incarnations.isEmpty && incarnations[Incarnation(identity: identity, stamp: stamp)] != nil
    }

    /// Returns a record as it is once every device has swept it: only counters that were begun later are left.
    func rest(of record: Record) -> Record {
        guard contains(record.identity, record.incarnation) else { return record }
        let counters = record.survivingWrites.filter { if case .count = $0.action { true } else { false } }
        return counters.isEmpty ? Record(record.identity) : Record(merging: counters)
    }
}
