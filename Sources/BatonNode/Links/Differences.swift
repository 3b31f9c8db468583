import BatonCore

/// The devices that were found to differ from this one although both claim the same writes, with the outcome of each
/// repair.
///
/// A difference is a fault of a device or of this program, so it is shown until the node ends, whether it was repaired
/// or not.
struct Differences {
    private var entries: [DeviceIdentifier: Entry] = [:]

    private struct Entry {
        var found: WallTime
        var count: Int
        var name: String
        /// The difference that remains; nil once both devices have the same data.
        var difference: Difference?
    }

    /// Notes the result of a comparison; returns a line for the log if it is news.
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

    /// The problems to show to a person, in the order of devices.
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
