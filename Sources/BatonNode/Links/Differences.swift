import BatonCore

/// The devices that have different data from this device although both claim the same writes.
///
/// A difference is a fault of a device or of this program. Therefore, the difference and the outcome of its repair are
/// shown until the node ends, even if the repair succeeded.
struct Differences {
    private var entries: [DeviceIdentifier: Entry] = [:]

    private struct Entry {
        var found: WallTime
        var count: Int
        var name: String
        /// The difference that remains; nil once both devices have the same data.
        var difference: Difference?
    }

    /// Notes the result of a comparison.
    ///
    /// Returns a line for the log; nil if the result is not new.
    mutating func recordDifference(
        _ difference: Difference?, with device: DeviceIdentifier, _ name: String, now: WallTime = .now
    ) -> String? {
        guard difference != nil || entries[device]?.difference != nil else { return nil }
        var entry = entries[device] ?? Entry(found: now, count: 0, name: name, difference: nil)
        if difference == .found { (entry.found, entry.count) = (now, entry.count + 1) }
        (entry.difference, entry.name) = (difference, name)
        entries[device] = entry
        switch difference {
        case .found:
            return
                "fault: “\(name)” and this device should have the same data but differ; repairing"
        case .remaining:
            return "fault: “\(name)” and this device still differ after a repair"
        case nil: return "“\(name)” and this device have the same data again"
        }
    }

    /// Returns the problems to show to a person, sorted by device.
    func troubles(now: WallTime = .now) -> [String] {
        entries.sorted { $0.key < $1.key }.map { _, entry in
            let outcome =
                switch entry.difference {
                case .found: "which is being repaired"
                case .remaining: "which could not be repaired"
                case nil: "which was repaired"
                }
            let minutes = max(0, now.since(entry.found).components.seconds / 60)
            return "“\(entry.name)” and this device had different data, \(outcome); found "
                + "\(entry.count == 1 ? "once" : "\(entry.count) times"), last \(minutes) min ago"
        }
    }
}
