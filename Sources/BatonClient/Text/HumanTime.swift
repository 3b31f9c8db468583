package import BatonCore

/// Writes times, time spans and numbers in words.
package enum HumanTime {
    /// Describes a time by how long ago it was, or by its date.
    ///
    /// `offset` returns the time zone's offset from universal time at a given time, in seconds.
    package static func text(_ then: WallTime, now: WallTime, offset: (WallTime) -> Int) -> String {
        let seconds = now.since(then).components.seconds
        switch seconds {
        // The clocks of two machines may differ by some seconds.
        case -60..<5: return "just now"
        case 5..<60: return "\(seconds) seconds ago"
        case 60..<3600: return count(seconds / 60, "minute") + " ago"
        default: break
        }
        let (moment, today) = (CivilTime(then, offset: offset(then)), CivilTime(now, offset: offset(now)))
        switch today.days - moment.days {
        case 0 where seconds > 0: return count(seconds / 3600, "hour") + " ago"
        case 0: return "today at " + moment.clock
        case 1: return "yesterday at " + moment.clock
        case 2..<7: return weekdays[Int(moment.weekday)] + " at " + moment.clock
        default:
            let date = "\(moment.day) \(months[Int(moment.month) - 1])"
            return moment.year == today.year ? date + " at " + moment.clock : date + " \(moment.year)"
        }
    }

    /// Describes a time span in its largest unit; for example, `3 minutes`.
    package static func span(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        switch seconds {
        case ..<60: return count(seconds, "second")
        case ..<3600: return count(seconds / 60, "minute")
        case ..<86_400: return count(seconds / 3600, "hour")
        default: return count(seconds / 86_400, "day")
        }
    }

    /// Describes a time span in few characters; for example, `12 s`.
    package static func shortSpan(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
    }

    /// Returns a number followed by a noun; for example, `3 items`.
    package static func count(_ number: Int64, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }

    /// Returns the part of a sentence that says how many things there are: "is 1 result", "are 2 results".
    package static func present(_ number: Int, _ thing: String) -> String {
        (number == 1 ? "is " : "are ") + count(Int64(number), thing)
    }

    private static let weekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]
}
