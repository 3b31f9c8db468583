/// Methods that read activities within the limits.
///
/// The cost grows with the number of returned activities, not with the number of activities that a device has.
extension LaneStore {
    /// Visits the current activities of a device, most recently changed first.
    ///
    /// The visit ends at the limits of a device, or when the closure returns false.
    package func visitListed(
        on device: DeviceIdentifier, at now: WallTime,
        _ body: (ActivityEntry) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        try visit(.current(on: device), at: now, body)
    }

    /// Returns the ended activities of a device, most recently changed first.
    ///
    /// The limits for the current activities of a device apply here, too.
    package func recordsFinished(
        on device: DeviceIdentifier, at now: WallTime
    ) throws(StoreFailure) -> [Record] {
        try records(.finishedOn(device), at: now)
    }

    /// Returns the current activities of a device, within its limits.
    package func recordsListed(
        on device: DeviceIdentifier, at now: WallTime
    ) throws(StoreFailure) -> [Record] {
        try records(.current(on: device), at: now)
    }

    private func records(_ query: ActivityQuery, at now: WallTime) throws(StoreFailure) -> [Record] {
        var identities: [RecordIdentity] = []
        try visit(query, at: now) { entry in
            identities.append(entry.identity)
            return true
        }
        var records: [Record] = []
        for identity in identities {
            if let record = try record(identity), record.isThere { records.append(record) }
        }
        return records
    }

    private func visit(
        _ query: ActivityQuery, at now: WallTime, _ body: (ActivityEntry) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        let isAll = query == .finished
        let most = isAll ? Limits.finishedActivities : Limits.deviceActivities
        let bytesMost = isAll ? Limits.finishedActivitiesBytes : Limits.deviceActivitiesBytes
        var (count, bytes) = (0, 0)
        try visitActivities(query, at: now) { (entry) throws(StoreFailure) in
            (count, bytes) = (count + 1, bytes + entry.byteCount)
            guard count <= most, bytes <= bytesMost else { return false }
            return try body(entry)
        }
    }

    /// Returns the ended activities that come after a place in the list and satisfy `isWanted`, most recently changed
    /// first.
    ///
    /// The result has at most `Limits.listedActivities` activities, which is the limit of one answer. `isLast` says
    /// whether there are no more.
    ///
    /// A change that lies in the future counts with its arrival time instead, which is never later.
    package func entriesFinished(
        after place: ListPlace?, at now: WallTime, arrivals: ArrivalTimes,
        where isWanted: (ActivityEntry) -> Bool
    ) throws(StoreFailure) -> (entries: [ActivityEntry], isLast: Bool) {
        var (first, count) = (FirstEntries(most: Limits.listedActivities), 0)
        try visit(.finished, at: now) { entry in
            let dated = entry.dated(by: arrivals, at: now)
            guard place.map(dated.isBehind) ?? true, isWanted(dated) else { return true }
            first.add(dated)
            // An entry with its own time comes before all entries that are visited later. An entry with an arrival time
            // may not.
            if dated.changed == entry.changed { count += 1 }
            return count <= Limits.listedActivities
        }
        return first.taken
    }

    /// Returns the current activities of these devices that come after a place in the list and satisfy `isWanted`, most
    /// recently changed first.
    ///
    /// The result has at most `Limits.listedActivities` activities, which is the limit of one answer. `isLast` says
    /// whether there are no more.
    package func entriesListed(
        on devices: [DeviceIdentifier], after place: ListPlace?, at now: WallTime, arrivals: ArrivalTimes,
        where isWanted: (ActivityEntry) -> Bool
    ) throws(StoreFailure) -> (entries: [ActivityEntry], isLast: Bool) {
        var first = FirstEntries(most: Limits.listedActivities)
        for device in devices {
            try visitListed(on: device, at: now) { entry in
                let dated = entry.dated(by: arrivals, at: now)
                if place.map(dated.isBehind) ?? true, isWanted(dated) { first.add(dated) }
                return true
            }
        }
        return first.taken
    }

    /// Returns the numbers of current activities in the store that lists leave out.
    ///
    /// There is one number for each device of `devices` that exceeds its limits, and one number for all other devices
    /// together.
    package func unlistedActivities(
        besides devices: Set<DeviceIdentifier>, at now: WallTime
    ) throws(StoreFailure) -> UnlistedActivities {
        var (unlisted, crowded) = (UnlistedActivities(), [ActivityTotal]())
        try visitActivityTotals(at: now) { total in
            if !devices.contains(total.device) {
                unlisted.ofOthers += total.count
            } else if total.count > Limits.deviceActivities || total.bytes > Limits.deviceActivitiesBytes {
                crowded.append(total)
            }
        }
        for total in crowded {
            var listed = 0
            try visitListed(on: total.device, at: now) { _ in
                listed += 1
                return true
            }
            unlisted.ofDevices[total.device] = total.count - listed
        }
        return unlisted
    }
}

/// The numbers of current activities that are stored and passed on to other devices, but not listed.
package struct UnlistedActivities: Equatable, Sendable {
    /// The number of unlisted activities of each device that exceeds its limits.
    package var ofDevices: [DeviceIdentifier: Int] = [:]
    /// The number of activities of devices that are not listed at all.
    package var ofOthers = 0

    package init() {}
}

/// Collects the entries that come first in the order of a list.
///
/// It never holds more than twice the wanted number of entries.
private struct FirstEntries {
    private let most: Int
    private var entries: [(place: ListPlace, entry: ActivityEntry)] = []
    private var isCut = false

    init(most: Int) { self.most = most }

    mutating func add(_ entry: ActivityEntry) {
        entries.append((entry.place, entry))
        if entries.count >= 2 * most { cut() }
    }

    private mutating func cut() {
        entries.sort { $0.place < $1.place }
        guard entries.count > most else { return }
        entries.removeLast(entries.count - most)
        isCut = true
    }

    /// The first entries, and whether no other entries were added.
    var taken: (entries: [ActivityEntry], isLast: Bool) {
        var first = self
        first.cut()
        return (first.entries.map(\.entry), !first.isCut)
    }
}

extension ActivityEntry {
    /// Returns the entry with the time at which the activity counts as changed on this device.
    fileprivate func dated(by arrivals: ArrivalTimes, at now: WallTime) -> ActivityEntry {
        var dated = self
        dated.changed = arrivals.time(of: identity, changed: changed, at: now)
        return dated
    }

    /// The activity's place in a list.
    package var place: ListPlace { ListPlace(changed: changed, identifier: identity.hash.description) }

    /// Whether the activity comes after a place in the list.
    ///
    /// The identifier of the activity is encoded only if the times are equal.
    package func isBehind(_ place: ListPlace) -> Bool {
        changed == place.changed ? self.place > place : changed < place.changed
    }
}
