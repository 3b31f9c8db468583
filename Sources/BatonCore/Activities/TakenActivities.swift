/// How activities of one device ended last, as far as that is kept: those that were taken over went on elsewhere.
package struct TakenActivities: Equatable, Sendable {
    /// By the record of the activity.
    private var ends: [RecordIdentity: Activity.End] = [:]

    package init() {}

    /// What the saved activities say of a device.
    package init(_ records: some Collection<Record>, of device: DeviceIdentifier) {
        for activity in records.compactMap(\.savedActivity) { note(activity, of: device) }
    }

    /// An activity is kept as it ended.
    package mutating func note(_ saved: Activity, of device: DeviceIdentifier) {
        guard let origin = saved.origin, origin.device == device else { return }
        // What came late, from elsewhere, may have ended before what is known.
        if let known = ends[origin.identity], saved.end < known { return }
        ends[origin.identity] = saved.end
    }

    /// Where the activity of that record went on when it ended last, and since when.
    package subscript(identity: RecordIdentity) -> Activity.Continuation? {
        ends[identity].flatMap { end in
            end.taker.map { Activity.Continuation(device: $0, time: end.time) }
        }
    }
}

extension Activity {
    /// How an activity that is kept ended.
    ///
    /// Of several ends of one activity the largest is the last; of two in one moment that by which it was taken over, so that
    /// all devices mean the same one.
    package struct End: Equatable, Comparable, Sendable {
        package let time: WallTime
        /// Who took it over, if it ended so.
        package let taker: DeviceIdentifier?

        package static func < (left: Self, right: Self) -> Bool {
            guard left.time == right.time else { return left.time < right.time }
            guard let taker = right.taker else { return false }
            return left.taker.map { $0 < taker } ?? true
        }
    }

    package var end: End { End(time: finished ?? changed, taker: isTaken ? continuation?.device : nil) }
}
