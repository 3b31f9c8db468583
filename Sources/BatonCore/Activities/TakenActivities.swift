/// Where activities of one device went on when they ended, as far as that is kept.
package struct TakenActivities: Equatable, Sendable {
    /// By the record of the activity; only of those that were taken over as they ended last.
    private var ends: [RecordIdentity: Activity.Continuation] = [:]

    package init() {}

    /// What the saved activities say of a device.
    package init(_ records: some Collection<Record>, of device: DeviceIdentifier) {
        let saved = records.compactMap(\.savedActivity).sorted { Self.finished($0) < Self.finished($1) }
        for activity in saved { note(activity, of: device) }
    }

    private static func finished(_ activity: Activity) -> WallTime { activity.finished ?? activity.changed }

    /// An activity is kept as it ended.
    package mutating func note(_ saved: Activity, of device: DeviceIdentifier) {
        guard let origin = saved.origin, origin.device == device else { return }
        let time = Self.finished(saved)
        if let known = ends[origin.identity], known.time > time { return }
        ends[origin.identity] =
            saved.isTaken
            ? saved.continuation.map { Activity.Continuation(device: $0.device, time: time) } : nil
    }

    /// Where the activity of that record went on when it ended last, and since when.
    package subscript(identity: RecordIdentity) -> Activity.Continuation? { ends[identity] }
}
