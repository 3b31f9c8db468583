import BatonCore

extension InMemoryStore {
    /// Returns the activities that match a query, in its order.
    func activities(_ query: ActivityQuery, at now: WallTime) -> [ActivityEntry] {
        switch query {
        case .current(let device):
            return entries(of: .currentActivity, at: now).filter { $0.device == device }
                .sorted { $0.place < $1.place }
        case .finishedOn(let device):
            return entries(of: .savedActivity, at: now).filter { $0.device == device }
                .sorted { $0.place < $1.place }
        case .finished:
            return entries(of: .savedActivity, at: now).sorted { $0.place < $1.place }
        case .finishedCalled(let range):
            return entries(of: .savedActivity, at: now).filter { range.contains($0.identity.hash) }
        case .finishedFrom(let range):
            let found = entries(of: .savedActivity, at: now).compactMap { entry in
                entry.origin.flatMap { range.contains($0) ? (origin: $0, entry: entry) : nil }
            }
            return found.sorted { left, right in
                left.origin == right.origin
                    ? left.entry.finish > right.entry.finish : left.origin < right.origin
            }.map(\.entry)
        }
    }

    /// Returns the number of current activities of each device, in the order of devices.
    func activityTotals(at now: WallTime) -> [ActivityTotal] {
        var totals: [DeviceIdentifier: ActivityTotal] = [:]
        for entry in entries(of: .currentActivity, at: now) {
            guard let device = entry.device else { continue }
            totals[device, default: ActivityTotal(device: device, count: 0, bytes: 0)].count += 1
            totals[device]?.bytes += entry.byteCount
        }
        return totals.values.sorted { $0.device < $1.device }
    }

    private func entries(of kind: RecordKind, at now: WallTime) -> [ActivityEntry] {
        records(of: kind).compactMap { ActivityEntry($0) }.filter { $0.expires.map { $0 > now } ?? true }
    }
}
