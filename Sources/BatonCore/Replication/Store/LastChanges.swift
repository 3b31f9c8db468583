/// For each other device, the last change that it wrote and that was stored here, and how many changes came over its
/// connections; both are stored in notes, beside the writes.
package struct LastChanges: Sendable {
    /// One lane of the lives of one device.
    private struct Place: Hashable {
        let tag: UInt32
        let lane: Lane
    }

    /// One lane of what a device has sent.
    private struct SenderPlace: Hashable {
        let device: DeviceIdentifier
        let lane: Lane
    }

    private var changes: [Place: LastChange] = [:]
    private var received: [SenderPlace: ReceivedChanges] = [:]
    /// This device; its own changes are not noted.
    private let own: UInt32

    /// Decodes the notes.
    package init(of own: DeviceIdentifier, _ notes: [LocalNote] = []) {
        self.own = Life.tag(of: own)
        for (device, lane, changes) in notes.compactMap(ReceivedChanges.read) {
            received[SenderPlace(device: device, lane: lane)] = changes
        }
        for change in notes.compactMap(LastChange.init) {
            changes[Place(tag: change.stamp.life.deviceTag, lane: change.identity.kind.lane)] = change
        }
    }

    /// Returns what to note together with writes that a peer sent: their number, and the latest change by each author,
    /// if it is later than all changes stored from that author before.
    ///
    /// Once `strangersMost` changes are remembered, no unknown author is added, so that no peer fills the notes.
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

    /// How many changes are remembered even if their authors are unknown.
    static let strangersMost = 1024

    /// The changes that were noted with one transaction.
    package struct Taken: Sendable {
        fileprivate let lane: Lane
        fileprivate let sender: DeviceIdentifier
        /// The number of changes in the transaction, and the total so far, including them.
        fileprivate var count: UInt64 = 0
        fileprivate var received: ReceivedChanges?
        fileprivate var changes: [(LastChange, before: LastChange?)] = []

        /// The notes to store with the transaction.
        package var notes: [LocalNote] {
            changes.map(\.0.note) + (received.map { [$0.note(from: sender, in: lane)] } ?? [])
        }
    }

    /// Undoes what was noted with a transaction that was not stored.
    package mutating func giveBack(_ taken: Taken) {
        for (change, before) in taken.changes {
            let place = Place(tag: change.stamp.life.deviceTag, lane: taken.lane)
            if changes[place] == change { changes[place] = before }
        }
        let place = SenderPlace(device: taken.sender, lane: taken.lane)
        guard taken.count > 0, let now = received[place] else { return }
        received[place]?.count = now.count - min(now.count, taken.count)
    }

    /// Returns the changes that came over the connections of a device; nil if there were none.
    package func received(from device: DeviceIdentifier) -> ReceivedChanges? {
        Lane.allCases.compactMap { received[SenderPlace(device: device, lane: $0)] }.filter { $0.count > 0 }
            .reduce(nil) { sum, more in
                guard let sum else { return more }
                let count = sum.count.addingReportingOverflow(more.count)
                return ReceivedChanges(
                    count: count.overflow ? .max : count.partialValue, latest: max(sum.latest, more.latest))
            }
    }

    /// Returns the last change of a device.
    package func change(of device: DeviceIdentifier) -> LastChange? {
        let tag = Life.tag(of: device)
        return Lane.allCases.compactMap { changes[Place(tag: tag, lane: $0)] }.max { $0.stamp < $1.stamp }
    }
}

extension Write {
    /// Whether the write only says which lives a life follows, which is not a change by a person or an app.
    fileprivate var isHousekeeping: Bool {
        [.activitiesSuccession, .indexSuccession].contains(identity.kind)
    }
}
