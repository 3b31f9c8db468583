/// The last change by each other device among all that was taken here; kept in notes beside the writes.
package struct LastChanges: Sendable {
    /// One lane of the lives of one device.
    private struct Place: Hashable {
        let tag: UInt32
        let lane: Lane
    }

    private var changes: [Place: LastChange] = [:]
    /// This device; its own changes are not noted.
    private let own: UInt32

    /// Decodes the notes.
    package init(of own: DeviceIdentifier, _ notes: [LocalNote] = []) {
        self.own = Life.tag(of: own)
        for change in notes.compactMap(LastChange.init) {
            changes[Place(tag: change.stamp.life.deviceTag, lane: change.identity.kind.lane)] = change
        }
    }

    /// Returns what is to be noted together with writes that a peer sent; a device gets a note only if it changed
    /// something later than everything taken from it before.
    ///
    /// Unknown devices may have made at most `strangersMost` of the changes that are remembered, so that no peer fills
    /// the notes.
    package mutating func take(
        _ writes: [Write], of lane: Lane, from sender: DeviceIdentifier, at now: WallTime,
        knowing devices: () -> some Sequence<DeviceIdentifier>
    ) -> Taken {
        var latest: [UInt32: Write] = [:]
        for write in writes where !write.isHousekeeping {
            let tag = write.stamp.life.deviceTag
            guard tag != own else { continue }
            let before = latest[tag]?.stamp ?? changes[Place(tag: tag, lane: lane)]?.stamp
            if before.map({ $0 < write.stamp }) ?? true { latest[tag] = write }
        }
        var taken = Taken(lane: lane)
        var known: Set<UInt32>?
        for (tag, write) in latest.sorted(by: { $0.key < $1.key }) {
            let place = Place(tag: tag, lane: lane)
            if changes[place] == nil, changes.count >= Self.strangersMost {
                let tags = known ?? Set(devices().map(Life.tag))
                known = tags
                guard tags.contains(tag) else { continue }
            }
            let change = LastChange(
                identity: write.identity, isDeletion: write.action == .deletion, stamp: write.stamp,
                taken: now, sender: sender)
            taken.changes.append((change, before: changes[place]))
            changes[place] = change
        }
        return taken
    }

    /// How many changes are remembered whoever made them.
    static let strangersMost = 1024

    /// The changes that a transaction was to take.
    package struct Taken: Sendable {
        fileprivate let lane: Lane
        fileprivate var changes: [(LastChange, before: LastChange?)] = []

        /// The notes that are to be kept with it.
        package var notes: [LocalNote] { changes.map(\.0.note) }
    }

    /// Undoes what was noted with a transaction that was not kept.
    package mutating func giveBack(_ taken: Taken) {
        for (change, before) in taken.changes {
            let place = Place(tag: change.stamp.life.deviceTag, lane: taken.lane)
            if changes[place] == change { changes[place] = before }
        }
    }

    /// Returns the last change of a device.
    package func change(of device: DeviceIdentifier) -> LastChange? {
        let tag = Life.tag(of: device)
        return Lane.allCases.compactMap { changes[Place(tag: tag, lane: $0)] }.max { $0.stamp < $1.stamp }
    }
}

extension Write {
    /// Whether it only says which lives a life follows, as every life does of itself.
    fileprivate var isHousekeeping: Bool {
        [.activitiesSuccession, .indexSuccession].contains(identity.kind)
    }
}
