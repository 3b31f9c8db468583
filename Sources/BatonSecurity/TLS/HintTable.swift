import Synchronization

/// Whose hint one is, among several accounts; the only place where hints are compared.
///
/// The hints of all days that are taken now stand in a table, which is made anew when somebody asks on another day.
package final class HintTable: Sendable {
    private let keys: [HintKey]
    private let table = Mutex(Table())

    private struct Table {
        var day: Int64?
        var places: [AccountHint: Int] = [:]
    }

    /// A table of the accounts that have these keys.
    package init(_ keys: [HintKey]) { self.keys = keys }

    /// The place of the account's key, if the hint is one of these days; the time is in seconds since 1970.
    package func place(of hint: AccountHint, at time: Int64) throws(SecurityError) -> Int? {
        let day = HintKey.day(of: time)
        return try table.withLock { (table) throws(SecurityError) in
            if table.day != day { table = Table(day: day, places: try places(around: day)) }
            return table.places[hint]
        }
    }

    private func places(around day: Int64) throws(SecurityError) -> [AccountHint: Int] {
        var places: [AccountHint: Int] = [:]
        for (place, key) in keys.enumerated() {
            for day in (day - HintKey.daysApart)...(day + HintKey.daysApart) {
                places[try key.hint(onDay: day)] = place
            }
        }
        return places
    }
}
