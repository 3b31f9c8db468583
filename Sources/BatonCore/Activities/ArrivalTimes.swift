/// Remembers the arrival of each activity whose last change lies in the future by the clock here.
///
/// The device that wrote such a time had a wrong clock, and the activity would stand before all others until the clock
/// here shows that time. So such an activity counts as changed when it was first seen here. Only this device remembers
/// that time, in notes; the record stays as it was written.
package struct ArrivalTimes: Equatable, Sendable {
    private var arrivals: [RecordIdentity: Arrival] = [:]

    /// The time of the last change in an activity's record, and when this device first saw that it lies in the future.
    private struct Arrival: Equatable {
        let changed, seen: WallTime
    }

    /// The largest number of activities that are remembered; beyond it, the ones seen first are forgotten.
    package static let most = 256
    /// The largest difference between clocks that count as right.
    private static let tolerance = Duration.seconds(60)

    /// Decodes the notes; a note that can't be read is ignored.
    package init(_ notes: [LocalNote] = []) {
        for note in notes {
            guard let identity = note.record, let arrival = note.value.flatMap(Self.arrival) else { continue }
            arrivals[identity] = arrival
        }
    }

    // MARK: Queries

    /// Returns the time at which an activity counts as changed if its record says that it changed at `changed`.
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

    /// Remembers when an activity was seen if `changed`, its last change, lies in the future; returns the notes to
    /// store.
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

    /// Called when the clock here was set forward by `clock`: forgets activities that lay in its future only because it
    /// was behind.
    ///
    /// Returns the notes to store.
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
