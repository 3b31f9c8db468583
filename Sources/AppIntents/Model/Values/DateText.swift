import Foundation

/// Reads dates as people write them in a shell.
enum DateText {
    /// Reads `2026-03-01`, `2026-03-01 14:30`, `14:30`, or a date of ISO 8601 with a zone.
    static func date(_ text: String) -> Date? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let date = try? Date(text, strategy: .iso8601) { return date }
        if let time = time(text) {
            let today = Calendar.current.dateComponents([.year, .month, .day], from: Date())
            var components = time
            (components.year, components.month, components.day) = (today.year, today.month, today.day)
            return Calendar.current.date(from: components)
        }
        let words = text.replacing("T", with: " ").split(separator: " ")
        guard let first = words.first, words.count <= 2 else { return nil }
        let numbers = first.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.count == 3, numbers.allSatisfy({ $0 > 0 }) else { return nil }
        var components = DateComponents()
        (components.year, components.month, components.day) = (numbers[0], numbers[1], numbers[2])
        if words.count == 2 {
            guard let time = time(String(words[1])) else { return nil }
            (components.hour, components.minute, components.second) = (time.hour, time.minute, time.second)
        }
        guard let date = Calendar.current.date(from: components) else { return nil }
        // A calendar reads the 31st of February as a day in March.
        let read = Calendar.current.dateComponents([.month, .day], from: date)
        return read.month == components.month && read.day == components.day ? date : nil
    }

    /// Reads `14:30` or `14:30:05`.
    static func time(_ text: String) -> DateComponents? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard (2...3).contains(parts.count), numbers.count == parts.count, (0..<24).contains(numbers[0]),
            numbers.dropFirst().allSatisfy((0..<60).contains)
        else { return nil }
        return DateComponents(
            hour: numbers[0], minute: numbers[1], second: numbers.count == 3 ? numbers[2] : nil)
    }

    /// Returns the parts of a date in the person's calendar.
    static func components(of date: Date) -> DateComponents {
        Calendar.current.dateComponents(
            [.calendar, .timeZone, .year, .month, .day, .hour, .minute, .second], from: date)
    }
}
