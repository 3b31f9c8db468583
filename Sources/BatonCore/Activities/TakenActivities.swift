/// How activities of one device ended last, as far as that is kept: those that were taken over went on elsewhere.
///
/// It holds what the present records say, and so is the same when the device has started anew.
package struct TakenActivities: Equatable, Sendable {
    /// The content of a record: how an activity of the device ended, by the record that the activity was.
    private struct Kept: Equatable, Sendable {
        let origin: RecordIdentity
        let end: Activity.End
    }

    /// The content, by the record that keeps it.
    private var kept: [RecordIdentity: Kept] = [:]

    /// The smallest number that is remembered; those that ended first are forgotten, now and then.
    private static let most = 1024

    package init() {}

    /// Reads the saved activities for those of a device.
    package init(_ records: some Collection<Record>, of device: DeviceIdentifier) {
        for record in records { recordEnd(record, of: device) }
    }

    /// Notes a record as it is now.
    package mutating func recordEnd(_ record: Record, of device: DeviceIdentifier) {
        let saved = record.savedActivity
        kept[record.identity] = saved?.origin.flatMap { origin in
            guard let saved, origin.device == device else { return nil }
            return Kept(origin: origin.identity, end: saved.end)
        }
        if kept.count > 2 * Self.most { shrink() }
    }

    private mutating func shrink() {
        let sorted = kept.sorted { ($1.value.end, $1.key) < ($0.value.end, $0.key) }
        kept = Dictionary(uniqueKeysWithValues: sorted.prefix(Self.most).map { ($0.key, $0.value) })
    }

    /// Returns where the activity of that record went on when it ended last, and since when.
    package subscript(identity: RecordIdentity) -> Activity.Continuation? {
        end(of: identity).flatMap { end in
            end.taker.map { Activity.Continuation(device: $0, time: end.time) }
        }
    }

    /// Returns how the activity that the saved record keeps ended.
    func end(savedAs record: RecordIdentity) -> Activity.End? { kept[record]?.end }

    /// Returns how the activity of that record ended last.
    package func end(of identity: RecordIdentity) -> Activity.End? {
        kept.values.lazy.filter { $0.origin == identity }.map(\.end).max()
    }
}

extension Activity {
    /// Takes over an activity from a device that can't be asked; returns its new state, and the writes that end it
    /// there and keep it for this many days.
    ///
    /// If two devices do so, the later one counts in the end. The device where it was going on learns of it when it is
    /// back; if its app has changed the activity later than that, it goes on there.
    package func takenOver(
        _ name: ActivityName, by device: DeviceIdentifier, keeping days: Int64, at now: WallTime
    ) -> (activity: Activity, drafts: [Journal.Draft]) {
        var taken = self
        (taken.continuation, taken.isTaken) = (Continuation(device: device, time: now), true)
        let end = Journal.Draft(.deletion, name.key)
        guard days > 0 else { return (taken, [end]) }
        let saved = taken.saved(
            from: Origin(device: name.device, identity: name.identity), finished: now,
            keeping: WallTime.day * Int(clamping: days))
        let draft = Journal.Draft(
            .full(saved.content(savedBy: name.app)), taken.savedName(by: name.app).key)
        // The saved form stands before the end, so that a device that sees the end sees where the activity went.
        return (taken, draft.isWithinLimits ? [draft, end] : [end])
    }
}
