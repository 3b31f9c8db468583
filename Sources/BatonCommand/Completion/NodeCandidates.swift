import BatonClient
package import BatonCore

/// Asks the node for candidates.
///
/// If the node does not answer quickly, there are no candidates, but also no error.
package struct NodeCandidates {
    private let home: Home

    package init(_ home: Home) { self.home = home }

    /// How long completion waits for the node.
    private static let patience = Duration.milliseconds(300)

    /// Returns the candidates of a kind.
    ///
    /// If the node does not answer in time, only those are returned that this program knows.
    package func candidates(for place: CompletionPlace) -> [CompletionPlace.Candidate] {
        do throws(LocalFailure) {
            switch place {
            case .devices: return try devices()
            case .activityNames:
                let shown = try activities().shownToPeople
                return
                    (shown.compactMap(Self.title) + shown.flatMap { [Self.identifier($0), Self.type($0)] })
                    .distinct
            case .activities:
                return try activities().shownToPeople.flatMap { [Self.identifier($0), Self.type($0)] }
                    .distinct
            case .types: return try types()
            case .accounts:
                return home.standingAccounts.map { CompletionPlace.Candidate($0.text) }
            // The places after `folders` are those of `IntentCandidates`.
            case .nothing, .words, .files, .folders, .intentApps, .intents, .intentArguments, .entityTypes,
                .openable, .entities, .properties, .phrases, .focusWords, .focusOperands:
                return []
            }
        } catch {
            // An error message would disturb the person, who only pressed a key.
            return place == .types ? Self.knownTypes : []
        }
    }

    private func devices() throws(LocalFailure) -> [CompletionPlace.Candidate] {
        var node = try NodeConnection(home, within: Self.patience)
        let devices = try node.ask(ListDevices(), within: Self.patience).devices
        return devices.filter { $0.revocation == nil }.map { status in
            CompletionPlace.Candidate(status.device.name, status.device.isHere ? "this machine" : "device")
        }.distinct
    }

    private func activities() throws(LocalFailure) -> [ActivitySummary] {
        var node = try NodeConnection(home, within: Self.patience)
        return try node.ask(ListActivities(), within: Self.patience).activities
    }

    private func types() throws(LocalFailure) -> [CompletionPlace.Candidate] {
        (try activities().map(Self.type) + Self.knownTypes).distinct
    }

    private static var knownTypes: [CompletionPlace.Candidate] {
        WellKnownType.allCases.map { CompletionPlace.Candidate($0.rawValue, $0.summary) }
    }

    private static func title(_ summary: ActivitySummary) -> CompletionPlace.Candidate? {
        guard let title = summary.activity.title else { return nil }
        let place = summary.device.isHere ? "this machine" : summary.device.name
        return CompletionPlace.Candidate(title, "\(ActivityKind(summary.activity).rawValue) on \(place)")
    }

    private static func identifier(_ summary: ActivitySummary) -> CompletionPlace.Candidate {
        CompletionPlace.Candidate(summary.short.text, "\(summary.activity.title ?? summary.activity.type)")
    }

    private static func type(_ summary: ActivitySummary) -> CompletionPlace.Candidate {
        CompletionPlace.Candidate(summary.activity.type, "type")
    }
}

extension [CompletionPlace.Candidate] {
    /// The candidates without those whose word occurred before.
    fileprivate var distinct: [Element] {
        var words: Set<String> = []
        return filter { words.insert($0.word).inserted }
    }
}
