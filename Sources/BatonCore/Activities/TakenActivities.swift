/// Knows how activities of one device last ended, and which devices took them over.
///
/// This knowledge follows from the records of saved activities, so it is the same after a restart.
package struct TakenActivities: Equatable, Sendable {
    /// The part of a saved activity that is needed here: the record that the activity had while it was current, and its
    /// end.
    private struct Kept: Equatable, Sendable {
        let origin: RecordIdentity
        let end: Activity.End
    }

    /// The needed parts of the saved activities, by the records of the saved activities.
    private var kept: [RecordIdentity: Kept] = [:]

    /// The number of ends that are always remembered.
    ///
    /// When there are more than twice as many, the oldest ones are forgotten.
    private static let most = 1024

    package init() {}

    /// Reads from saved activities how the activities of a device ended.
    package init(_ records: some Collection<Record>, of device: DeviceIdentifier) {
        for record in records { recordEnd(record, of: device) }
    }

    /// Notes the present state of the record of a saved activity.
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

    /// Returns the device that took over the activity of a current record, and the time of the takeover.
    ///
    /// The result is nil unless the last end of the activity was a takeover.
    package subscript(identity: RecordIdentity) -> Activity.Continuation? {
        end(of: identity).flatMap { end in
            end.taker.map { Activity.Continuation(device: $0, time: end.time) }
        }
    }

    /// Returns how an activity ended, given the record that saves it.
    func end(savedAs record: RecordIdentity) -> Activity.End? { kept[record]?.end }

    /// Returns how an activity last ended, given the record that it had while it was current.
    package func end(of identity: RecordIdentity) -> Activity.End? {
        kept.values.lazy.filter { $0.origin == identity }.map(\.end).max()
    }
}

extension Activity {
    /// Takes over an activity from a device that can't be reached.
    ///
    /// Returns the new state of the activity, and the drafts to write. The drafts end the activity on its device, and
    /// save it for `days` days.
    ///
    /// If two devices take over the same activity, the later takeover wins. The device on which the activity was going
    /// on learns of the takeover when it reconnects. If its app has changed the activity after the takeover, the
    /// activity continues on that device.
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
        // The saved form is written before the deletion. So a device that receives the deletion already knows where the
        // activity went.
        return (taken, draft.isWithinLimits ? [draft, end] : [end])
    }
}
