/// For each other device, the last change that it made, and the number of changes that arrived over its connections.
///
/// Both are stored in notes, together with the writes.
package struct LastChanges: Sendable {
    /// A device, by the tag of its lives, and a lane.
    private struct Place: Hashable {
        let tag: UInt32
        let lane: Lane
    }

    /// A device that has sent changes, and a lane.
    private struct SenderPlace: Hashable {
        let device: DeviceIdentifier
        let lane: Lane
    }

    private var changes: [Place: LastChange] = [:]
    private var received: [SenderPlace: ReceivedChanges] = [:]
    /// The tag of this device, whose own changes are not noted.
    private let own: UInt32

    /// Reads the changes from the notes of a store.
    package init(of own: DeviceIdentifier, _ notes: [LocalNote] = []) {
        self.own = Life.tag(of: own)
        for (device, lane, changes) in notes.compactMap(ReceivedChanges.read) {
            received[SenderPlace(device: device, lane: lane)] = changes
        }
        for change in notes.compactMap(LastChange.init) {
            changes[Place(tag: change.stamp.life.deviceTag, lane: change.identity.kind.lane)] = change
        }
    }

    /// Returns what to note together with writes that a peer sent.
    ///
    /// This is the number of the writes. For each author, it is also the latest of the changes, if that is later than
    /// all changes of that author that were stored before.
    ///
    /// When `strangersMost` changes are remembered, no unknown author is added. So no peer can fill the notes.
    package mutating func receiveWrites(
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
        var taken = Taken(lane: lane, sender: sender)
        let count = UInt64(writes.count { !$0.isHousekeeping })
        if count > 0 {
            let place = SenderPlace(device: sender, lane: lane)
            let before = received[place]?.count ?? 0
            let sum = before.addingReportingOverflow(count)
            received[place] = ReceivedChanges(count: sum.overflow ? .max : sum.partialValue, latest: now)
            (taken.count, taken.received) = (count, received[place])
        }
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

    /// The number of changes up to which unknown authors are added.
    static let strangersMost = 1024

    /// The changes that were noted with one transaction.
    package struct Taken: Sendable {
        fileprivate let lane: Lane
        fileprivate let sender: DeviceIdentifier
        /// The number of changes in the transaction, and the total after it.
        fileprivate var count: UInt64 = 0
        fileprivate var received: ReceivedChanges?
        fileprivate var changes: [(LastChange, before: LastChange?)] = []

        /// The notes to store with the transaction.
        package var notes: [LocalNote] {
            changes.map(\.0.note) + (received.map { [$0.note(from: sender, in: lane)] } ?? [])
        }
    }

    /// Undoes what was noted together with a transaction, because the transaction was not stored.
    package mutating func giveBack(_ taken: Taken) {
        for (change, before) in taken.changes {
            let place = Place(tag: change.stamp.life.deviceTag, lane: taken.lane)
            if changes[place] == change { changes[place] = before }
        }
        let place = SenderPlace(device: taken.sender, lane: taken.lane)
        guard taken.count > 0, let now = received[place] else { return }
        received[place]?.count = now.count - min(now.count, taken.count)
    }

    /// Returns the count of the changes that arrived over the connections of a device; nil if there were none.
    package func received(from device: DeviceIdentifier) -> ReceivedChanges? {
        Lane.allCases.compactMap { received[SenderPlace(device: device, lane: $0)] }.filter { $0.count > 0 }
            .reduce(nil) { sum, more in
                guard let sum else { return more }
                let count = sum.count.addingReportingOverflow(more.count)
                return ReceivedChanges(
                    count: count.overflow ? .max : count.partialValue, latest: max(sum.latest, more.latest))
            }
    }

    /// Returns the last change that a device has made; nil if none is known.
    package func change(of device: DeviceIdentifier) -> LastChange? {
        let tag = Life.tag(of: device)
        return Lane.allCases.compactMap { changes[Place(tag: tag, lane: $0)] }.max { $0.stamp < $1.stamp }
    }
}

extension Write {
    /// Whether the write only says which lives a life follows.
    ///
    /// Such a write is not a change by a person or an app.
    fileprivate var isHousekeeping: Bool {
        [.activitiesSuccession, .indexSuccession].contains(identity.kind)
    }
}
