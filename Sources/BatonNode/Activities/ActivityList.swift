import BatonCore

/// What is going on on all devices, as commands see it.
struct ActivityList {
    private let own: DeviceIdentifier
    private let devices: [DeviceIdentifier: Device]
    /// The activities that are going on, the one that changed last first.
    private let entries: [(name: ActivityName, activity: Activity)]

    init(_ records: [Record], devices: [DeviceIdentifier: Device], own: DeviceIdentifier, now: WallTime) {
        (self.own, self.devices) = (own, devices)
        entries = records.compactMap(\.activity).filter { !$0.activity.isExpired(at: now) }
            .map {
                (
                    place: ListPlace(changed: $0.activity.changed, identifier: $0.name.shortIdentifier),
                    entry: $0
                )
            }
            .sorted { $0.place < $1.place }.map(\.entry)
    }

    /// As many as one answer holds, after that place, and whether they are the last.
    func part(after place: ListPlace?) -> LocalAnswer {
        var (part, bytes): ([ActivitySummary], Int) = ([], 0)
        for (name, activity) in entries {
            let summary = summary(name, activity)
            if let place, summary.place <= place { continue }
            bytes += activity.fields.encodedCount + name.key.name.count
            if !part.isEmpty, bytes > Limits.frameBytes / 2 { return .activities(part, isLast: false) }
            part.append(summary)
        }
        return .activities(part, isLast: true)
    }

    func summary(_ name: ActivityName, _ activity: Activity) -> ActivitySummary {
        ActivitySummary(
            identifier: name.shortIdentifier, device: reference(name.device), app: name.app,
            instance: name.instance,
            activity: activity, continuedOn: activity.continuation.map { reference($0.device).name })
    }

    func reference(_ device: DeviceIdentifier) -> DeviceReference {
        DeviceReference(
            identifier: device, name: devices[device]?.name ?? device.short, isHere: device == own)
    }

    /// The activity that a person wants to continue.
    func find(_ selection: ActivitySelection) throws(LocalFailure) -> (name: ActivityName, activity: Activity)
    {
        switch selection {
        case .last:
            guard let last = entries.first(where: { $0.name.device != own }) else {
                throw LocalFailure(.notFound, "Nothing is going on on your other devices.")
            }
            return last
        case .named(let text):
            if let exact = try only(
                entries.filter { $0.name.shortIdentifier.hasPrefix(text.lowercased()) }, text)
            {
                return exact
            }
            let ofType = entries.filter { $0.activity.type == text }
            guard let found = ofType.first(where: { $0.name.device != own }) ?? ofType.first else {
                throw LocalFailure(
                    .notFound,
                    "No activity has “\(text)” as its identifier or its type. `baton list` shows what is going on."
                )
            }
            return found
        }
    }

    private func only(
        _ found: [(name: ActivityName, activity: Activity)], _ text: String
    ) throws(LocalFailure) -> (name: ActivityName, activity: Activity)? {
        guard found.count < 2 else {
            throw LocalFailure(
                .notFound,
                "\(found.count) activities begin with “\(text)”. Type more of it; `baton list` shows them.")
        }
        return found.first
    }
}
