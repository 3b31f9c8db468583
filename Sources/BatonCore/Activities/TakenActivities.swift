/// How activities of one device ended last, as far as saved activities say so, and which devices took them over.
///
/// It follows from the present records, so it is the same after a restart.
package struct TakenActivities: Equatable, Sendable {
    /// The content of a saved activity: how an activity of the device ended, and the record that it had while it was
    /// current.
    private struct Kept: Equatable, Sendable {
        let origin: RecordIdentity
        let end: Activity.End
    }

    /// The content of the saved activities, by their records.
    private var kept: [RecordIdentity: Kept] = [:]

    /// How many ends are always remembered; at more than twice this number, the oldest ones beyond it are forgotten.
    private static let most = 1024

    package init() {}

    /// Reads how activities of a device ended from saved activities.
    package init(_ records: some Collection<Record>, of device: DeviceIdentifier) {
        for record in records { recordEnd(record, of: device) }
    }

    /// Notes the present state of a saved activity.
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

    /// Returns the device that took over the activity of a current record when it last ended, and the time; nil if none
    /// did.
    package subscript(identity: RecordIdentity) -> Activity.Continuation? {
        end(of: identity).flatMap { end in
            end.taker.map { Activity.Continuation(device: $0, time: end.time) }
        }
    }

    /// Returns how the activity that is saved in a record ended.
    func end(savedAs record: RecordIdentity) -> Activity.End? { kept[record]?.end }

    /// Returns how the activity of a current record last ended.
    package func end(of identity: RecordIdentity) -> Activity.End? {
        kept.values.lazy.filter { $0.origin == identity }.map(\.end).max()
    }
}

extension Activity {
    /// Takes over an activity from a device that can't be reached; returns its new state, and the drafts that end it
    /// there and save it for `days` days.
    ///
    /// If two devices do so, the later takeover wins. The device where the activity was going on learns of this when it
    /// reconnects; if its app has changed the activity later than that, the activity continues there.
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
        // The saved form is written before the deletion, so that a device that receives the deletion knows already
        // where the activity went.
        return (taken, draft.isWithinLimits ? [draft, end] : [end])
    }
}
