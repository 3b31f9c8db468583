/// Remembers when this device first saw each activity whose last change lies in the future.
///
/// The device that wrote such a time had a wrong clock. Without a correction, lists would show the activity before all
/// others until the clock here reaches that time. So the activity counts as changed at the time when this device first
/// saw it. Only this device remembers that time, in notes. The record itself is not changed.
package struct ArrivalTimes: Equatable, Sendable {
    private var arrivals: [RecordIdentity: Arrival] = [:]

    /// The future time of the last change in an activity's record, and the time when this device first saw it.
    private struct Arrival: Equatable {
        let changed, seen: WallTime
    }

    /// The largest number of activities that are remembered; if there are more, the ones that were seen first are
    /// forgotten.
    package static let most = 256
    /// The largest difference between two clocks at which both count as right.
    private static let tolerance = Duration.seconds(60)

    /// Decodes the notes; a note that can't be read is ignored.
    package init(_ notes: [LocalNote] = []) {
        for note in notes {
            guard let identity = note.record, let arrival = note.value.flatMap(Self.arrival) else { continue }
            arrivals[identity] = arrival
        }
    }

    // MARK: Queries

    /// Returns the time at which an activity counts as changed; `changed` is the time in its record.
    package func time(of identity: RecordIdentity, changed: WallTime, at now: WallTime) -> WallTime {
        if !arrivals.isEmpty, let arrival = arrivals[identity], arrival.changed == changed {
            return min(arrival.seen, now)
        }
        return Self.isFuture(changed, at: now) ? now : changed
    }

    private static func isFuture(_ changed: WallTime, at now: WallTime) -> Bool {
        changed.since(now) > tolerance
    }

    // MARK: Commands

    /// Handles a change of an activity; returns the notes to store.
    ///
    /// If `changed`, the time of the change, lies in the future, the present time is remembered.
    package mutating func handleChange(
        _ identity: RecordIdentity, changed: WallTime?, at now: WallTime
    ) -> [LocalNote] {
        guard let changed, Self.isFuture(changed, at: now) || arrivals[identity]?.changed == changed else {
            guard !arrivals.isEmpty, arrivals.removeValue(forKey: identity) != nil else { return [] }
            return [Self.arrivalNote(about: identity, nil)]
        }
        guard arrivals[identity]?.changed != changed else { return [] }
        let arrival = Arrival(changed: changed, seen: now)
        arrivals[identity] = arrival
        var notes = [Self.arrivalNote(about: identity, arrival)]
        while arrivals.count > Self.most,
            let oldest = arrivals.filter({ $0.key != identity })
                .min(by: { ($0.value.seen, $0.key) < ($1.value.seen, $1.key) })
        {
            arrivals[oldest.key] = nil
            notes.append(Self.arrivalNote(about: oldest.key, nil))
        }
        return notes
    }

    /// Called when the clock here was set forward by `clock`; returns the notes to store.
    ///
    /// Some activities lay in the future only because the clock here was behind. They are forgotten.
    package mutating func handleJump(of clock: Duration) -> [LocalNote] {
        guard clock > Self.tolerance else { return [] }
        let right = arrivals.filter { $0.value.changed.since($0.value.seen) <= clock + Self.tolerance }
        for identity in right.keys { arrivals[identity] = nil }
        return right.keys.sorted().map { Self.arrivalNote(about: $0, nil) }
    }

    // MARK: Notes

    private static func arrivalNote(about identity: RecordIdentity, _ arrival: Arrival?) -> LocalNote {
        let value = arrival.map { arrival in
            var writer = CBORWriter()
            writer.array(count: 2)
            writer.integer(arrival.changed.milliseconds)
            writer.integer(arrival.seen.milliseconds)
            return writer.bytes
        }
        return LocalNote(space: .arrivalTime, about: identity, value: value)
    }

    private static func arrival(_ bytes: [UInt8]) -> Arrival? {
        do throws(CBORError) {
            return try CBORReader.whole(bytes[...]) { (reader) throws(CBORError) in
                try reader.array(count: 2)
                return Arrival(
                    changed: WallTime(milliseconds: try reader.integer()),
                    seen: WallTime(milliseconds: try reader.integer()))
            }
        } catch {
            return nil
        }
    }
}
