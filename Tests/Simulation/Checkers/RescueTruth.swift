import BatonCore
import BatonStore

/// Everything of a lane that a rescue must save.
struct LaneStanding {
    /// The writes that survive, in the order of their dots.
    let writes: [Write]
    /// The records of items that are there, each with its writes, including items that an unmerged batch brings.
    let items: [Record]
    let notes: [LocalNote]
    let clock: HybridTime
    let horizon: HybridTime
    /// The number of rows of writes, and of drafts in ended batches that are not merged.
    let count: (rows: Int, drafts: Int)
    /// Whether no sweep or merge is pending.
    let isSettled: Bool

    /// The notes that a rescue keeps; the other notes are about claims.
    private static let spaces: [NoteSpace] = [
        .ownActivity, .address, .lastContact, .setting, .reindex, .dismissal, .activitiesChange, .indexChange,
        .batchMark,
    ]

    init(_ lane: Lane, of store: SQLiteStore) throws(StoreFailure) {
        // Readers see nothing of the records that clears have yet to sweep.
        writes = Dictionary(grouping: try store.survivingWrites(in: lane), by: \.identity).values
            .flatMap { Record(merging: $0).survivingWrites }
            .sorted { ($0.dot, $0.identity) < ($1.dot, $1.identity) }
        items =
            lane == .index
            ? Dictionary(grouping: writes.filter { $0.identity.kind == .item }, by: \.identity).values
                .map { Record(merging: $0) }.filter(\.isThere).sorted { $0.identity < $1.identity } : []
        var notes: [LocalNote] = []
        for space in Self.spaces where space.lane == lane { notes += try store.lane(lane).notes(in: space) }
        self.notes = notes
        (clock, horizon) = (store.clock, store.horizon(of: lane))
        count = try store.rescuableCount(in: lane)
        isSettled = !store.isUnsettled(lane)
    }
}

/// Promise 1 where a damaged store is rescued: all that can be read stays, and losses are reported.
struct RescueTruth {
    private let name: String
    private let before: [Lane: LaneStanding]
    private let after: [Lane: LaneStanding]
    /// The names of the files in which bytes were changed.
    private let damaged: Set<String>

    init(
        _ name: String, _ before: [Lane: LaneStanding], _ after: [Lane: LaneStanding], damaged: Set<String>
    ) {
        (self.name, self.before, self.after, self.damaged) = (name, before, after, damaged)
    }

    func judge(_ rescues: [LaneRescue], _ world: World) {
        for lane in Lane.allCases {
            guard let before = before[lane], let after = after[lane],
                let rescue = rescues.first(where: { $0.lane == lane })
            else {
                world.violate(.acknowledgedIsKept, "the \(lane) of \(name) is not rescued")
                continue
            }
            if let fault = fault(of: rescue, before, after, world) {
                world.violate(
                    .acknowledgedIsKept, "\(name) is rescued, and its \(lane) \(fault): \(rescue)")
            }
        }
    }

    /// Describes how a rescue of one lane breaks its promise.
    private func fault(
        of rescue: LaneRescue, _ before: LaneStanding, _ after: LaneStanding, _ world: World
    ) -> String? {
        let file = file(of: rescue)
        // The journal ends at its first damaged byte, and nobody can know that more stood behind it.
        guard !damaged.contains(file + "-wal") else { return nil }
        if before.count.drafts > 0 { world.marks[.batchesRescued] += 1 }
        if !damaged.contains(file), rescue.hasLosses || rescue.hasForeignJournal { return "tells of losses" }
        guard rescue.hasLosses else {
            if damaged.contains(file) { world.marks[.damageHarmless] += 1 }
            return difference(rescue, before, after, world)
        }
        return unasked(before, after)
    }

    private func file(of rescue: LaneRescue) -> String { "\(rescue.lane).sqlite" }

    /// Describes the difference that a rescue without losses has made.
    private func difference(
        _ rescue: LaneRescue, _ before: LaneStanding, _ after: LaneStanding, _ world: World
    ) -> String? {
        if before.writes != after.writes {
            let lost = before.writes.filter { !after.writes.contains($0) }
            let new = after.writes.filter { !before.writes.contains($0) }
            return "makes \(new.map { $0.told(in: world) }) of \(lost.map { $0.told(in: world) })"
        }
        if before.notes != after.notes { return "changes notes" }
        // A page with both times may be damaged. The clock of the store is the later one of both lanes.
        if damaged.isEmpty, after.clock < before.clock {
            return "sets its clock back from \(before.clock) to \(after.clock)"
        }
        if !damaged.contains(file(of: rescue)), after.horizon < before.horizon {
            return "sets its horizon back from \(before.horizon) to \(after.horizon)"
        }
        guard rescue.writes == before.count.rows + before.count.drafts else {
            return "miscounts the \(before.count) writes"
        }
        return nil
    }

    /// Returns an item that was lost and that its app is not asked for.
    private func unasked(_ before: LaneStanding, _ after: LaneStanding) -> String? {
        let requests = after.notes.filter { $0.space == .reindex }.map(ReindexRequest.init)
        for item in before.items {
            guard !item.survivingWrites.allSatisfy(after.writes.contains), let key = item.key,
                let name = try? ItemName(key)
            else { continue }
            let index = ClientStateName(app: name.app, index: name.index)
            let request =
                requests.first { $0.index == index } ?? requests.first { $0.index == nil }
            let isAsked =
                switch request?.extent {
                case .all(let except): !except.contains(index)
                case .items(let identifiers): identifiers.contains(name.identifier)
                case nil: false
                }
            if !isAsked { return "does not ask for the lost item \(name.identifier)" }
        }
        return nil
    }
}
