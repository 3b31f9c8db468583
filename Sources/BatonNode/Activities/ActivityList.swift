import BatonCore

/// Activities of all devices, the one that changed last first.
struct ActivityList {
    private let own: DeviceIdentifier
    private let dismissals: Dismissals
    let entries: [ListedActivity]

    init(_ entries: [ListedActivity], dismissals: Dismissals, own: DeviceIdentifier, now: WallTime) {
        (self.own, self.dismissals) = (own, dismissals)
        self.entries = entries.filter { !$0.activity.isExpired(at: now) }.map { ($0.place, $0) }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// As many as one answer holds, after that place, and whether they are the last.
    func part(
        after place: ListPlace?, withForgotten: Bool, _ summary: (ListedActivity) -> ActivitySummary
    ) -> LocalAnswer {
        var (part, bytes): ([ActivitySummary], Int) = ([], 0)
        for entry in entries where withForgotten || !isForgotten(entry) {
            if let place, entry.place <= place { continue }
            bytes += entry.answeredBytes
            if !part.isEmpty, bytes > Limits.frameBytes / 2 { return .activities(part, isLast: false) }
            part.append(summary(entry))
        }
        return .activities(part, isLast: true)
    }

    // MARK: Queries

    /// The activity to go on with if the person names none: what was sent here last, else what another device changed last.
    func last() throws(LocalFailure) -> ListedActivity {
        let offered = entries.filter { $0.device != own && !isForgotten($0) }
        let sent = offered.filter { $0.isSent(to: own) }.max { $0.sentTime < $1.sentTime }
        guard let last = sent ?? offered.first else {
            throw LocalFailure(.notFound, "Nothing is going on on your other devices.")
        }
        return last
    }

    /// The activity whose identifier begins so, if there is one; of several that have ended and were the same one while they
    /// were going on, the last.
    func identified(_ text: String) throws(LocalFailure) -> ListedActivity? {
        let prefix = text.lowercased()
        guard !prefix.isEmpty else { return nil }
        let found = entries.filter { $0.isCalled(prefix) }
        if found.count > 1 {
            let origins = Set(found.map { $0.wasCalled(prefix) ? $0.activity.origin?.identity : $0.identity })
            guard origins.count == 1 else {
                throw LocalFailure(
                    .notFound,
                    "\(found.count) activities begin with “\(text)”. Type more of it; `baton list` shows them."
                )
            }
        }
        return found.max { $0.endTime < $1.endTime }
    }

    /// The last one of that type that is to be shown, rather one of another device.
    func last(ofType type: String) -> ListedActivity? {
        let found = entries.filter { $0.activity.type == type && !isForgotten($0) }
        return found.first { $0.device != own } ?? found.first
    }

    /// Returns the activity with that text in its title, whatever its case and accents; nil if there is none.
    ///
    /// A title that is the text itself goes before those that only contain it. Several are listed in the failure.
    func titled(_ text: String) throws(LocalFailure) -> ListedActivity? {
        let folding = Folding.search
        let part = folding.fold(text)
        guard !part.isEmpty else { return nil }
        let titled = entries.filter { !isForgotten($0) }.compactMap { entry in
            entry.activity.title.map { (entry: entry, title: folding.fold($0)) }
        }
        let exact = titled.filter { $0.title == part }
        let found = exact.isEmpty ? titled.filter { $0.title.contains(part) } : exact
        guard found.count > 1 else { return found.first?.entry }
        throw LocalFailure(
            .notFound,
            "\(found.count) activities have “\(text)” in their titles. Name one by its ID:\n"
                + Self.enumerated(found.map(\.entry)))
    }

    /// Lists activities with what tells them apart, in one line.
    private static func enumerated(_ entries: [ListedActivity]) -> String {
        let shown = entries.prefix(namedMost).map { entry in
            let title = entry.title.count > 40 ? entry.title.prefix(40) + "…" : entry.title[...]
            return "\(entry.shortIdentifier) “\(title)”"
        }
        let rest = entries.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more in `baton list`" : "")
    }

    /// How many activities a failure lists at most.
    private static let namedMost = 8

    private func isForgotten(_ entry: ListedActivity) -> Bool {
        dismissals.hide(entry.identity, entry.activity)
    }
}

extension ListedActivity {
    /// About how much of an answer it takes.
    var answeredBytes: Int {
        fields.encodedCount + app.utf8.count + (instance?.utf8.count ?? 0) + 256
    }

    fileprivate var sentTime: WallTime { activity.sent?.time ?? activity.changed }

    fileprivate var endTime: WallTime { activity.finished ?? activity.changed }
}
