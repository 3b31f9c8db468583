/// One use of a thing on this device: the thing became current, was continued, or was opened.
package struct PastUse: Equatable, Sendable {
    /// The hash of the key under which the thing is stored when it has ended.
    ///
    /// A hash reveals nothing about a thing that was deleted.
    package let thing: KeyHash
    package let moment: WeekMoment
    /// The device from which the thing came; nil if it did not come from another device.
    package let device: DeviceIdentifier?

    package init(_ thing: KeyHash, at moment: WeekMoment, from device: DeviceIdentifier? = nil) {
        (self.thing, self.moment, self.device) = (thing, moment, device)
    }
}

/// A time, together with its place in the person's week.
package struct WeekMoment: Equatable, Sendable {
    package let time: WallTime
    /// The number of minutes since Monday began, by the person's clock.
    package let minute: Int

    /// Creates a moment; the person's clock is `offset` seconds ahead of universal time.
    package init(_ time: WallTime, offset: Int) {
        let civil = CivilTime(time, offset: offset)
        // `CivilTime` counts weekdays from Sunday, and this type counts them from Monday.
        let day = (Int(civil.weekday) + 6) % 7
        self.init(time, minute: day * Self.dayMinutes + Int(civil.hour) * 60 + Int(civil.minute))
    }

    fileprivate init(_ time: WallTime, minute: Int) { (self.time, self.minute) = (time, minute) }

    fileprivate static let dayMinutes = 24 * 60

    /// The day of the week as a number, which is 0 for Monday.
    var day: Int { minute / Self.dayMinutes }

    /// Whether the day is a Saturday or a Sunday.
    var isWeekend: Bool { day >= 5 }

    /// The part of the day.
    var part: WeekPart.Part { WeekPart.Part(hour: minute % Self.dayMinutes / 60) }

    /// Returns the number of minutes between two times of day, which is at most twelve hours.
    func minutesOfDay(to other: Self) -> Int {
        let distance = abs(minute % Self.dayMinutes - other.minute % Self.dayMinutes)
        return min(distance, Self.dayMinutes - distance)
    }

    /// Returns how alike two days of the week are, as a number from 0 to 1.
    static func likeness(_ day: Int, _ other: Int) -> Double {
        day == other ? 1 : (day >= 5) == (other >= 5) ? 0.6 : 0.1
    }
}

/// A part of the week in which a thing is mostly used.
package struct WeekPart: Hashable, Sendable {
    package let days: Days
    package let part: Part

    package init(_ days: Days, _ part: Part) { (self.days, self.part) = (days, part) }

    package enum Days: UInt64, CaseIterable, Sendable {
        case all = 0
        case weekdays = 1
        case weekends = 2
    }

    package enum Part: UInt64, CaseIterable, Sendable {
        case all = 0
        case morning = 1
        case afternoon = 2
        case evening = 3
        case night = 4

        /// Creates the part of the day in which an hour lies.
        init(hour: Int) {
            self =
                switch hour {
                case 5..<12: .morning
                case 12..<17: .afternoon
                case 17..<23: .evening
                default: .night
                }
        }
    }

    /// The smallest number of uses for which a part of the week is named.
    private static let usesLeast = 4

    /// Returns the smallest part of the week in which most of the moments lie; nil if there is no such part.
    static func most(of moments: [WeekMoment]) -> WeekPart? {
        guard moments.count >= usesLeast else { return nil }
        let (most, almostAll) = (moments.count * 6, moments.count * 9)
        for part in [Part.morning, .afternoon, .evening, .night] {
            let inPart = moments.filter { $0.part == part }
            guard inPart.count * 10 >= most else { continue }
            let weekend = inPart.count(where: \.isWeekend)
            if weekend * 10 >= most { return WeekPart(.weekends, part) }
            // Here, all moments must be on weekdays, because five of the seven days are weekdays anyway.
            if weekend == 0 { return WeekPart(.weekdays, part) }
            return WeekPart(.all, part)
        }
        let weekend = moments.count(where: \.isWeekend)
        if weekend * 10 >= most { return WeekPart(.weekends, .all) }
        return (moments.count - weekend) * 10 >= almostAll && moments.count >= 2 * usesLeast
            ? WeekPart(.weekdays, .all) : nil
    }
}

/// The encoding in which a use is stored.
extension PastUse {
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(count: device == nil ? 3 : 4)
        writer.identifier(thing)
        moment.time.encode(to: &writer)
        writer.unsigned(UInt64(moment.minute))
        if let device { writer.identifier(device) }
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws(CBORError) {
        self = try CBORReader.whole(encoded[...]) { (reader) throws(CBORError) in
            let start = reader.offset
            let count = try reader.arrayCount(upTo: 4)
            guard count >= 3 else { throw CBORError(.outOfRange, at: start) }
            let thing: KeyHash = try reader.identifier()
            let time = try WallTime(from: &reader)
            let minute = Int(try reader.unsigned(upTo: UInt64(7 * WeekMoment.dayMinutes - 1)))
            return PastUse(
                thing, at: WeekMoment(time, minute: minute),
                from: count == 4 ? try reader.identifier() : nil)
        }
    }
}
