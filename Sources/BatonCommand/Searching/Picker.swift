import BatonClient
package import BatonCore
package import BatonTerminal

/// A screen on which a person picks an activity: the current activities of all machines, and the results of a search.
///
/// Until the person types, the list has only activities: first those of other machines and then those of this machine,
/// each with the newest first. After that, the list has the activities that match the typed text, the best match first.
/// The results of a search for this text follow.
///
/// Until the person types, a suggestion is the first row. It is shown only if it is likely enough, can be continued on
/// this machine, and is not current on this machine. It is requested after the list. If a key was pressed before it
/// arrives, it is ignored, so that rows don't move while the person looks at them.
package struct Picker: LiveScreen {
    private(set) var line = TextLine()
    private var watch = ActivityWatch()
    /// Whether the list of activities has arrived.
    private(set) var isListed = false
    /// The results of the search for the present text.
    private var results: [SearchResult] = []
    /// The corrected text, if it was searched for because nothing matches the typed text.
    private var corrected: String?
    /// The number of texts that were searched for.
    ///
    /// Only an answer with this number belongs to the present text.
    private var number = 0
    private var calls: [(call: any LocalCall, purpose: Purpose)] = []
    private(set) var choice = 0
    /// The list's first visible line.
    ///
    /// It is another one if the chosen row would not be visible.
    private(set) var top = 0
    /// The suggestion in the first row, and the sentence that explains it; nil if no suggestion is likely enough.
    private(set) var suggestion: (made: SuggestedActivity, why: (PresentTime) -> VisibleText)?
    /// Whether the person has already pressed a key.
    private var isInUse = false
    /// The devices to which the person can send the chosen activity, or nil while the person picks an activity.
    private(set) var targets: Targets?
    /// Whether the screen shows a preview of the chosen row.
    private(set) var isPreviewing = false
    /// The file that was last read for a preview.
    private(set) var file: ReadFile?
    private(set) var remark: VisibleText = ""
    /// Whether the connection to the node is lost.
    ///
    /// Until it is back, the screen says so instead of other remarks.
    private(set) var isLost = false
    /// Describes the handler that would continue an activity on this machine.
    let handler: (ActivitySummary) -> VisibleText?
    /// Whether this machine can continue an activity now.
    private let continues: (ActivitySummary) -> Bool
    /// Reads the file that an activity names.
    private let read: (ActivitySummary) -> Result<FilePreview, LocalFailure>
    /// The instance of the shell in which the picker was started.
    ///
    /// The shell's own activity is not listed.
    private let ownInstance: String?
    /// The identifiers of the activities that are listed, or nil to list all activities and search results.
    private let among: Set<String>?
    private let makeSearch: (String) -> SearchItems

    package enum Choice {
        case go(ActivitySummary)
        case open(SearchResult, of: String)
    }

    package enum Purpose: Equatable, Sendable {
        case list, search(Int), devices, suggest
        case send(device: String)
        case forget
    }

    /// The devices to which an activity can be sent, and the choice among them.
    struct Targets {
        let activity: ActivitySummary
        var devices: [String] = []
        var choice = 0
        var top = 0
    }

    /// The file that an activity names, as it was when it was read.
    struct ReadFile {
        let identifier: String
        let changed: WallTime
        let content: Result<FilePreview, LocalFailure>
    }

    /// A row of the list.
    struct Row {
        let content: Content
        /// The positions of the typed letters in the activity's texts, or nil before anything is typed.
        var match: FuzzyWords.Match?

        enum Content {
            case suggested(ActivitySummary)
            case activity(ActivitySummary)
            case result(SearchResult)
        }

        /// The activity in the row, or nil if the row has a search result.
        var activity: ActivitySummary? {
            switch content {
            case .suggested(let summary), .activity(let summary): summary
            case .result: nil
            }
        }
    }

    package init(
        ownInstance: String?, among: Set<String>? = nil, search: @escaping (String) -> SearchItems,
        handler: @escaping (ActivitySummary) -> VisibleText?,
        continues: @escaping (ActivitySummary) -> Bool,
        read: @escaping (ActivitySummary) -> Result<FilePreview, LocalFailure>
    ) {
        (self.ownInstance, self.among, makeSearch) = (ownInstance, among, search)
        (self.handler, self.continues, self.read) = (handler, continues, read)
    }

    // MARK: The list

    var rows: [Row] {
        let words = FuzzyWords(line.text)
        let all = shown
        // Activities of this machine come last, because the person is already at this machine.
        let ordered = all.filter { !$0.device.isHere } + all.filter(\.device.isHere)
        guard !words.isEmpty else {
            guard let suggested = suggestedActivity else {
                return ordered.map { Row(content: .activity($0)) }
            }
            let others = ordered.filter { $0.identifier != suggested.identifier }
            return [Row(content: .suggested(suggested))] + others.map { Row(content: .activity($0)) }
        }
        let fitting = ordered.enumerated().compactMap { place, summary in
            words.match(Self.texts(of: summary)).map { (match: $0, place: place, summary: summary) }
        }.sorted { ($1.match.score, $0.place) < ($0.match.score, $1.place) }
        return fitting.map { Row(content: .activity($0.summary), match: $0.match) }
            + results.map { Row(content: .result($0)) }
    }

    /// The activities that can be picked.
    private var shown: [ActivitySummary] {
        if let among { return watch.summaries.filter { among.contains($0.identifier) } }
        return watch.summaries.filter { !$0.device.isHere || $0.instance != ownInstance }.shownToPeople
    }

    /// The suggested activity in its present state.
    ///
    /// It is nil if there is no suggestion, if the activity has ended, or if the list has not arrived.
    private var suggestedActivity: ActivitySummary? {
        guard isListed, let summary = suggestion?.made.summary else { return nil }
        let listed = watch.summaries.first { $0.identifier == summary.identifier }
        return listed ?? (summary.activity.finished == nil ? nil : summary)
    }

    /// The number of suggestions that are compared, and the lowest probability with which the best one is shown.
    private static let comparedMost = 20
    private static let chanceLeast = 0.4

    /// The texts in which typed letters are looked for.
    ///
    /// The first two texts are columns of the row.
    private static func texts(of summary: ActivitySummary) -> [String] {
        let info = summary.activity.info
        return [
            summary.title, summary.device.name, summary.activity.type,
            info[.string("folder")]?.string ?? info[.string("file")]?.string ?? "",
            summary.activity.webpage ?? "",
        ]
    }

    // MARK: Keys

    /// The numbers of rows by which a page key and a step of the mouse wheel move the choice.
    private static let (page, wheel) = (10, 3)

    package mutating func press(_ key: Key) -> LiveStep<Choice> {
        isInUse = true
        if targets != nil { return pressAmongTargets(key) }
        if key == .end, line.text.isEmpty { return .leave }
        let before = line.text
        if line.press(key) {
            guard line.text != before else { return .stay }
            (choice, top, remark) = (0, 0, "")
            search()
            return .stay
        }
        let rows = rows
        let chosen = choice < rows.count ? rows[choice] : nil
        switch key {
        case .escape, .interrupt: return .leave
        case .suspend: return .suspend
        case .up: choose(choice - 1, of: rows.count)
        case .down: choose(choice + 1, of: rows.count)
        case .pageUp: choose(choice - Self.page, of: rows.count)
        case .pageDown: choose(choice + Self.page, of: rows.count)
        case .wheelUp: choose(choice - Self.wheel, of: rows.count)
        case .wheelDown: choose(choice + Self.wheel, of: rows.count)
        case .enter:
            switch chosen?.content {
            case .suggested(let summary)?, .activity(let summary)?: return .choose(.go(summary))
            case .result(let result)?: return .choose(.open(result, of: corrected ?? line.text))
            case nil: break
            }
        case .preview: isPreviewing.toggle()
        case .forget:
            if let summary = chosen?.activity {
                calls.append((ForgetActivity(summary.identifier, everywhere: false), .forget))
                if suggestion?.made.summary.identifier == summary.identifier { suggestion = nil }
                remark = "Hidden on this machine; `baton forget --undo \(summary.short)` shows it again."
            }
        case .send:
            if let summary = chosen?.activity {
                guard summary.device.isHere, summary.activity.finished == nil else {
                    remark = "Only activities of this machine can be sent."
                    break
                }
                targets = Targets(activity: summary)
                calls.append((ListDevices(), .devices))
            }
        default: break
        }
        return .stay
    }

    private mutating func choose(_ place: Int, of count: Int) { choice = max(0, min(place, count - 1)) }

    private mutating func pressAmongTargets(_ key: Key) -> LiveStep<Choice> {
        guard let chosen = targets else { return .stay }
        switch key {
        case .escape, .interrupt: targets = nil
        case .suspend: return .suspend
        case .up, .wheelUp: targets?.choice = max(0, chosen.choice - 1)
        case .down, .wheelDown: targets?.choice = max(0, min(chosen.choice + 1, chosen.devices.count - 1))
        case .enter where chosen.choice < chosen.devices.count:
            let device = chosen.devices[chosen.choice]
            calls.append(
                (SendActivity(.identifier(chosen.activity.identifier), to: device), .send(device: device)))
            targets = nil
        default: break
        }
        return .stay
    }

    package mutating func click(
        line: Int, cell: Int, width: Int, height: Int, at time: PresentTime
    ) -> LiveStep<Choice> {
        let screen = listScreen(width: width, height: height, at: time)
        guard let place = screen.row(atLine: line, cell: cell) else { return .stay }
        if place == screen.choice { return press(.enter) }
        isInUse = true
        // The list is not scrolled, so that a second click hits the same row.
        if targets == nil {
            (choice, top) = (place, screen.firstLine)
        } else {
            targets?.choice = place
            targets?.top = screen.firstLine
        }
        return .stay
    }

    package mutating func prepare() {
        guard isPreviewing, targets == nil, let summary = chosenActivity,
            ActivityKind(summary.activity) == .file
        else { return }
        let changed = summary.activity.changed
        guard file?.identifier != summary.identifier || file?.changed != changed else { return }
        file = ReadFile(identifier: summary.identifier, changed: changed, content: read(summary))
    }

    private mutating func search() {
        number += 1
        (results, corrected) = ([], nil)
        guard among == nil, !Phrase.all(of: line.text).isEmpty else { return }
        calls.append((makeSearch(line.text), .search(number)))
    }

    // MARK: The node

    package mutating func takeCalls() -> [(call: any LocalCall, purpose: Purpose)] {
        defer { calls = [] }
        return calls
    }

    package mutating func receiveAnswer(
        _ answer: LocalAnswer, for purpose: Purpose
    ) throws(LocalFailure) -> LiveStep<Choice> {
        switch purpose {
        case .list:
            let chosen = chosenActivity?.identifier
            let (happenings, next) = try watch.receiveAnswer(answer)
            calls.append((next, .list))
            if !happenings.isEmpty { isListed = true }
            // If the person has chosen a row, it remains chosen, even if its index has changed.
            if let chosen, choice > 0 { choice = place(of: chosen) ?? choice }
            choose(choice, of: max(rows.count, 1))
        case .suggest:
            // After a failure, the list has no suggestion.
            guard case .success(let reply) = try answer.result(of: SuggestActivities.self), !isInUse else {
                break
            }
            let useful = reply.suggestions.filter { !$0.summary.goesOnHere && continues($0.summary) }
            guard let best = useful.first, let chance = useful.map(\.score).chances.first,
                chance >= Self.chanceLeast
            else { break }
            let text = SuggestionText(reply, handler: handler)
            suggestion = (best, { text.why(best, at: $0) })
        case .search(let number):
            let result = try answer.result(of: SearchItems.self)
            guard number == self.number else { break }
            switch result {
            case .success(let reply):
                (results, corrected) = (reply.results, reply.corrected)
                if let corrected {
                    remark = "No indexed item matches what you typed; the results are for “\(corrected)”."
                }
            case .failure(let failure): remark = VisibleText(failure.text)
            }
        case .devices:
            switch try answer.result(of: ListDevices.self) {
            case .success(let reply):
                targets?.devices = reply.devices.filter { status in
                    !status.device.isHere && status.removed == nil && !status.hasLeft
                        && status.revocation == nil
                }.map(\.device.name)
            case .failure(let failure): (targets, remark) = (nil, VisibleText(failure.text))
            }
        case .send(let device):
            switch try answer.result(of: SendActivity.self) {
            case .success: remark = "Sent to “\(device)”."
            case .failure(let failure): remark = VisibleText(failure.text)
            }
        case .forget:
            if case .failure(let failure) = try answer.result(of: ForgetActivity.self) {
                remark = VisibleText(failure.text)
            }
        }
        return .stay
    }

    package mutating func refuse(_ purpose: Purpose, _ failure: LocalFailure) {
        remark = VisibleText(failure.text)
    }

    package mutating func handleLoss() {
        (calls, isLost) = ([], true)
    }

    package mutating func handleReturn() {
        (remark, isLost, calls) = ("", false, [(watch.begin(), .list)])
        if !isInUse, among == nil { calls.append((SuggestActivities(most: Self.comparedMost), .suggest)) }
        search()
    }

    /// The activity in the chosen row, or nil if the row has a search result.
    private var chosenActivity: ActivitySummary? {
        let rows = rows
        return choice < rows.count ? rows[choice].activity : nil
    }

    private func place(of identifier: String) -> Int? {
        rows.firstIndex { $0.activity?.identifier == identifier }
    }
}

extension ActivitySummary {
    /// Whether the activity is current on this machine.
    fileprivate var goesOnHere: Bool { device.isHere && activity.finished == nil }
}
