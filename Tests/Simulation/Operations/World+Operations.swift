import BatonCore
import Support

/// Operations of people and apps, each on a device that is up.
extension World {
    func perform(_ operation: Operation) {
        guard !isHealed else { return }
        // A program also writes while its node does not run.
        let up = operation == .save ? honest : honest.filter(\.isUp)
        guard !up.isEmpty else { return }
        let node = streams[operation.rawValue].pick(up)
        switch operation {
        case .write:
            let lane = streams["write"].pick(Lane.allCases)
            node.write(in: lane, burst: streams["write"].number(1...max(1, profile.burst))) { _ in }
        case .activity: node.changeActivity()
        case .clear: node.clear()
        case .change: node.change()
        case .newer: node.writeNewer()
        case .bulk: node.writeBulk()
        case .stage: if !jobs.isEmpty { node.stage(streams["stage"].pick(jobs)) }
        case .overtake: if !jobs.isEmpty { node.overtake(streams["overtake"].pick(jobs)) }
        case .save: node.save()
        case .search: node.search()
        case .hold: node.hold()
        case .tell: node.tellAddresses()
        case .open: node.openThing()
        case .index: node.index(streams["index"].pick(jobs))
        case .show: if !jobs.isEmpty { _ = node.show(streams["show"].pick(jobs)) }
        case .expire: node.writeExpiring()
        case .day: passDay()
        case .revoke: revokeSomeone()
        case .admit: admitAnew()
        case .forge: forge()
        case .act: node.apps?.act()
        case .goOn: node.goOn()
        case .hide: node.apps?.hide()
        case .forget: node.apps?.forget()
        case .deleteSaved: node.apps?.deleteSaved()
        case .report: for node in up where streams["report"].chance(70) { node.report() }
        }
    }
}

extension SimulatedNode {
    /// Writes in one transaction.
    func write(
        _ lane: Lane, _ drafts: [Journal.Draft], notes: [LocalNote] = [],
        condition: IndexCondition? = nil, isBatch: Bool = false,
        then: @escaping ([Write]) -> Void = { _ in }, failed: @escaping (StoreFailure) -> Void = { _ in }
    ) {
        guard isUp, !drafts.isEmpty else { return }
        let own = Work.OwnWrite(isBatch: isBatch, seen: known, acknowledge: then, failed: failed)
        let isWithinLimits = write(own) { journal in
            guard var transaction = journal.transaction(lane, drafts, now: wallTime) else { return nil }
            transaction.notes += notes
            transaction.condition = condition
            world.tell("\(name) writes \(transaction.writes.map { $0.told(in: world) })")
            return transaction
        }
        if !isWithinLimits { world.violate(.bounds, "\(name) refuses a write that is within limits") }
    }

    /// Sends a transaction to connected peers before the disk has it; nobody may use its dots for anything else then.
    func tellAhead(_ transaction: StoreTransaction) {
        guard world.profile.tellsAhead, !endpoints.isEmpty, witness[transaction.lane] != nil,
            let (origin, sequence) = transaction.completing.sorted.last
        else { return }
        #if MISTAKES
            let isNoted = !Faults.isPlanted(.toldWithoutWitness)
        #else
            let isNoted = true
        #endif
        if isNoted { toldAhead[transaction.lane] = (origin.life, sequence, transaction.clock) }
        lifeOrder.known.insert(origin.life)
        for write in transaction.writes {
            var entry = Ledger.Entry(write: write, author: number, at: world.now, seen: known)
            entry.isKept = false
            world.noteWritten(entry, at: self)
        }
        world.tell("\(name) tells ahead of its disk \(transaction.writes.map { $0.dot.told(in: world) })")
        world.marks[.toldAhead] += transaction.writes.count
        for endpoint in endpoints { endpoint.handle { $0.tellAhead(transaction) } }
    }

    /// Writes something of any kind to few keys.
    func write(in lane: Lane, burst: Int, then: @escaping ([Write]) -> Void) {
        for _ in 0..<burst {
            let drafts = (0..<generator.number(1...3)).map { _ in
                generator.draft(
                    lane, keys: world.profile.keys, by: journal, incarnation: { self.incarnation(of: $0) },
                    counted: { self.counted($0) })
            }
            write(lane, drafts, then: then)
        }
    }

    /// Returns the incarnation that a change names, or nil for a counter-only record, which has none.
    private func incarnation(of key: RecordKey) -> Stamp? {
        record(key).flatMap {
            $0.survivingWrites.contains(where: \.isFull) ? $0.incarnation : nil
        }
    }

    private func record(_ key: RecordKey) -> Record? {
        ask { (store) throws(StoreFailure) in try store.record(key.identity) }
    }

    /// Returns the counter of this life.
    private func counted(_ key: RecordKey) -> (begun: Stamp, scope: Scope)? {
        for write in record(key)?.survivingWrites ?? [] {
            if case .count(let begun, let content) = write.action, begun.life == journal.life {
                return (begun, content.scope)
            }
        }
        return nil
    }

    /// An app instance changes its activity many times in a moment, and sometimes ends it.
    func changeActivity() {
        let key = ActivityName(device: identity.device, app: "org.example", instance: "1").key
        let count = world.streams["activity"].number(1...8)
        for number in 0..<count {
            var activity = Activity(type: "org.example.editing", started: wallTime)
            activity.title = "page \(number)"
            write(.activities, [Journal.Draft(.full(activity.content), key)])
        }
        if world.streams["activity"].chance(30) { write(.activities, [Journal.Draft(.deletion, key)]) }
    }

    /// Clears a scope.
    func clear() {
        let lane = world.streams["clear"].pick(Lane.allCases)
        let scope = world.streams["clear"].scope()
        write(lane, [Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: lane))])
    }

    /// Changes or deletes a record that is there.
    func change() {
        // No app changes a client state in part; worlds without staged batches stay as they were.
        let there = contents.allRecords.filter {
            $0.isThere && !$0.identity.kind.isPermanent && $0.identity.kind != .device
                && (world.profile[.stage] + world.profile[.overtake] == 0 || !$0.identity.kind.isCheckpoint)
        }
        guard !there.isEmpty else { return }
        let record = world.streams["change"].pick(there)
        guard let key = record.key, record.survivingWrites.contains(where: \.isFull) else { return }
        let draft =
            world.streams["change"].chance(50)
            ? Journal.Draft(.deletion, key)
            : Journal.Draft(.partial(of: record.incarnation, newFields("change", 1...5)), key)
        write(key.kind.lane, [draft])
    }

    /// A person opens one of the first items of the index here, and the device counts that.
    func openThing() {
        let things = contents.allRecords.filter {
            $0.identity.kind.lane == .index && !$0.identity.kind.isPermanent && !$0.identity.kind.isCheckpoint
                && $0.content != nil
        }
        guard !things.isEmpty else { return }
        // Few items are opened again and again, so that counters go on, and several devices count one item.
        let thing = things[world.streams["open"].number(0...min(1, things.count - 1))]
        guard let key = thing.key, let content = thing.content else { return }
        let draft = Engagement.draft(
            opening: key, in: content.scope, by: identity.device, at: wallTime,
            after: record(EngagementName(counting: key).key))
        write(.index, [draft])
    }

    /// Returns some fields with a few bytes each.
    private func newFields(_ concern: String, _ numbers: ClosedRange<Int>) -> Fields {
        var fields = Fields()
        for _ in 0..<world.streams[concern].number(1...3) {
            let value = world.streams[concern].next()
            fields.set(UInt64(world.streams[concern].number(numbers))) { $0.unsigned(value) }
        }
        return fields
    }

    /// Writes data that only a newer version knows: kinds, one of them permanent, and fields of known kinds.
    func writeNewer() {
        world.marks[.newerWrites] += 1
        let number = world.streams["newer"].pick([5, 20, 21, 8, 9] as [UInt64])
        let kind = RecordKind(rawValue: number)
        let name = UInt64(world.streams["newer"].number(1...2))
        let key = RecordKey(kind: kind, parts: 1) { $0.unsigned(name) }
        var fields = newFields("newer", 1...5)
        fields = world.streams["newer"].unknownFields(20...31).completed(by: fields)
        let scope = kind.isPermanent ? Scope.none : Scope(["new", "scope"])
        write(kind.lane, [Journal.Draft(.full(Write.Content(scope: scope, fields: fields)), key)])
    }

    /// Writes more than a window holds.
    func writeBulk() {
        let lane = world.streams["bulk"].pick(Lane.allCases)
        for number in 0..<12 {
            let key = RecordKey(kind: RecordKind(rawValue: 8 + UInt64(lane.rawValue)), parts: 1) {
                $0.unsigned(UInt64(1000 + number))
            }
            let size = world.streams["bulk"].number(60_000...160_000)
            let fields = Fields { fields in
                fields.field(.number(1)) { $0.data([UInt8](repeating: UInt8(number), count: size)) }
            }
            write(lane, [Journal.Draft(.full(Write.Content(fields: fields)), key)])
        }
    }

    /// Returns whether the store has a write, or what overwrote or deleted it.
    func has(_ write: Write) -> Bool {
        contents.reflects(write) || write.isTombstone && contents.dropped.covers(write.dot)
            || contents.complete.covers(write.dot)
    }
}

extension Write {
    /// Whether the write is a tombstone or a clear, which may be garbage-collected.
    var isTombstone: Bool { action == .deletion || identity.kind.isClear }
}
