package import BatonCore

/// The picker: what is going on on all machines, newest first, and below it what a search finds, filtered while a person
/// types.
///
/// Above all that stands what the person is most likely to want, if that is likely enough, until they type. It is asked for
/// after the list, and ignored once a key was pressed: what a person looks at never moves because of it.
package struct Picker: LiveScreen {
    private var line = TextLine()
    private var watch = ActivityWatch()
    /// Whether the list has arrived.
    private var isListed = false
    /// The results of the search for the present text.
    private var results: [SearchResult] = []
    /// The text that was searched for instead, because nothing has what was typed.
    private var corrected: String?
    /// Counts the texts that were searched for: only the answer for the present one is of use.
    private var number = 0
    private var calls: [(call: any LocalCall, purpose: Purpose)] = []
    private var choice = 0
    /// The suggestion that stands above the rest, with the sentence that says why; nil if none is likely enough.
    private var suggestion: (made: SuggestedActivity, why: (PresentTime) -> VisibleText)?
    /// Whether the person has pressed a key.
    private var isInUse = false
    /// The devices among which the person chooses where to send an activity; nil while they choose an activity.
    private var targets: Targets?
    private var remark: VisibleText = ""
    /// Whether the node is gone, which is shown in place of any remark until it is back.
    private var isLost = false
    /// Says what continues an activity here.
    private let handler: (ActivitySummary) -> VisibleText?
    /// The instance of the shell from which this was started, whose folder is no news.
    private let ownInstance: String?
    /// The identifiers of the activities among which the person chooses; nil for all, and what a search finds.
    private let among: Set<String>?
    private let makeSearch: (String) -> SearchItems

    package enum Choice {
        case go(ActivitySummary)
        case show(ActivitySummary)
        case open(SearchResult, of: String)
    }

    package enum Purpose: Equatable, Sendable {
        case list, search(Int), devices, suggest
        case send(device: String)
        case forget
    }

    private struct Targets {
        let activity: ActivitySummary
        var devices: [String] = []
        var choice = 0
    }

    /// A row of the list.
    private enum Row {
        case suggested(ActivitySummary)
        case activity(ActivitySummary)
        case result(SearchResult)

        /// The activity; nil for a result of the search.
        var activity: ActivitySummary? {
            switch self {
            case .suggested(let summary), .activity(let summary): summary
            case .result: nil
            }
        }
    }

    package init(
        ownInstance: String?, among: Set<String>? = nil, search: @escaping (String) -> SearchItems,
        handler: @escaping (ActivitySummary) -> VisibleText?
    ) {
        (self.ownInstance, self.among, makeSearch, self.handler) = (ownInstance, among, search, handler)
    }

    // MARK: The list

    private var rows: [Row] {
        let words = FuzzyWords(line.text)
        let all = shown
        // Activities of this machine go on already.
        let ordered = all.filter { !$0.device.isHere } + all.filter(\.device.isHere)
        guard !words.isEmpty else {
            guard let suggested = suggestedActivity else { return ordered.map { .activity($0) } }
            let others = ordered.filter { $0.identifier != suggested.identifier }
            return [.suggested(suggested)] + others.map { .activity($0) }
        }
        let fitting = ordered.enumerated().compactMap { place, summary in
            words.score(Self.texts(of: summary)).map { (score: $0, place: place, summary: summary) }
        }.sorted { ($1.score, $0.place) < ($0.score, $1.place) }
        return fitting.map { .activity($0.summary) } + results.map { .result($0) }
    }

    /// The activities among which the person chooses.
    private var shown: [ActivitySummary] {
        if let among { return watch.summaries.filter { among.contains($0.identifier) } }
        return watch.summaries.filter { !$0.device.isHere || $0.instance != ownInstance }.shownToPeople
    }

    /// The suggested activity as it is now; nil if there is none, if it has ended since, or before the list is there.
    private var suggestedActivity: ActivitySummary? {
        guard isListed, let summary = suggestion?.made.summary else { return nil }
        let listed = watch.summaries.first { $0.identifier == summary.identifier }
        return listed ?? (summary.activity.finished == nil ? nil : summary)
    }

    /// The most suggestions with which the best one is compared, and the chance from which it stands above the rest.
    private static let comparedMost = 20
    private static let chanceLeast = 0.4

    /// The texts of an activity in which a person looks for it.
    private static func texts(of summary: ActivitySummary) -> [String] {
        let info = summary.activity.info
        return [
            summary.activity.title ?? "", summary.device.name, summary.activity.type,
            info[.string("folder")]?.string ?? info[.string("file")]?.string ?? "",
            summary.activity.webpage ?? "",
        ]
    }

    // MARK: Keys

    /// The rows that a page key passes.
    private static let page = 10

    package mutating func press(_ key: Key) -> LiveStep<Choice> {
        isInUse = true
        if targets != nil { return pressAmongTargets(key) }
        if key == .end, line.text.isEmpty { return .leave }
        let before = line.text
        if line.press(key) {
            guard line.text != before else { return .stay }
            (choice, remark) = (0, "")
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
        case .enter:
            switch chosen {
            case .suggested(let summary)?, .activity(let summary)?: return .choose(.go(summary))
            case .result(let result)?: return .choose(.open(result, of: corrected ?? line.text))
            case nil: break
            }
        case .show:
            if let summary = chosen?.activity { return .choose(.show(summary)) }
        case .forget:
            if let summary = chosen?.activity {
                calls.append((ForgetActivity(summary.identifier, everywhere: false), .forget))
                if suggestion?.made.summary.identifier == summary.identifier { suggestion = nil }
                remark = "Hidden on this machine; `baton forget --undo \(summary.short)` shows it again."
            }
        case .send:
            if let summary = chosen?.activity {
                guard summary.device.isHere, summary.activity.finished == nil else {
                    remark = "Only what goes on here can be sent."
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
        case .up: targets?.choice = max(0, chosen.choice - 1)
        case .down: targets?.choice = max(0, min(chosen.choice + 1, chosen.devices.count - 1))
        case .enter where chosen.choice < chosen.devices.count:
            let device = chosen.devices[chosen.choice]
            calls.append(
                (SendActivity(.identifier(chosen.activity.identifier), to: device), .send(device: device)))
            targets = nil
        default: break
        }
        return .stay
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

    package mutating func take(
        _ answer: LocalAnswer, for purpose: Purpose
    ) throws(LocalFailure) -> LiveStep<Choice> {
        switch purpose {
        case .list:
            let chosen = chosenIdentifier
            let (happenings, next) = try watch.take(answer)
            calls.append((next, .list))
            if !happenings.isEmpty { isListed = true }
            // A person who has chosen a row means that one, wherever it stands now.
            if let chosen, choice > 0 { choice = place(of: chosen) ?? choice }
            choose(choice, of: max(rows.count, 1))
        case .suggest:
            // A list without suggestions is as good as before, whatever the reason.
            guard case .success(let reply) = try answer.result(of: SuggestActivities.self), !isInUse,
                let best = reply.suggestions.first,
                let chance = reply.suggestions.map(\.score).chances.first, chance >= Self.chanceLeast
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
                    remark = "Nothing indexed has what you typed; the results are for “\(corrected)”."
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

    private var chosenIdentifier: String? {
        let rows = rows
        guard choice < rows.count else { return nil }
        return rows[choice].activity?.identifier
    }

    private func place(of identifier: String) -> Int? {
        rows.firstIndex { $0.activity?.identifier == identifier }
    }

    // MARK: Showing

    /// The fewest lines of a screen on which the chosen row is described.
    private static let heightForNotes = 8

    package func screen(
        width: Int, height: Int, at time: PresentTime
    ) -> (lines: [MarkedText], cursor: Int) {
        // Terminals disagree about the width of some characters, so the last cell stays free.
        let width = max(width - 1, 1)
        let prompt: VisibleText = "> "
        let typed = line.shown(width: max(width - prompt.width, 1))
        var lines = [MarkedText(prompt + typed.text)]
        let rows = rows
        let notes = notes(rows, width: width, height: height, at: time)
        let room = max(height - 1 - notes.count, 0)
        if let targets {
            for place in targets.devices.indices.prefix(room) {
                let mark: VisibleText = place == targets.choice ? "> " : "  "
                lines.append(MarkedText(mark) + MarkedText(VisibleText(targets.devices[place])).inPlace)
            }
        } else {
            let top = max(choice - room + 1, 0)
            for place in rows.indices.dropFirst(top).prefix(room) {
                lines.append(shown(rows[place], isChosen: place == choice, width: width, at: time))
            }
        }
        lines += repeatElement(MarkedText(""), count: max(height - notes.count - lines.count, 0)) + notes
        lines = lines.prefix(max(height, 1)).map { $0.cut(to: width) }
        return (lines, min(prompt.width + typed.cursor, width - 1))
    }

    private func shown(_ row: Row, isChosen: Bool, width: Int, at time: PresentTime) -> MarkedText {
        let mark: VisibleText = isChosen ? "> " : "  "
        // The place is cut before the time is.
        let (name, place, end): (VisibleText, VisibleText, VisibleText)
        switch row {
        case .suggested(let summary):
            name = VisibleText(summary.activity.title ?? summary.activity.type)
            (place, end) = (Self.place(of: summary), ", suggested")
        case .activity(let summary):
            name = VisibleText(summary.activity.title ?? summary.activity.type)
            place = Self.place(of: summary)
            end = ", " + time.text(summary.activity.changed)
        case .result(let result):
            (name, place) = (VisibleText(result.thing.name), "found in " + VisibleText(result.thing.app))
            end = ""
        }
        let room = max(width - 2, 1)
        let least = min(Self.placeLeast + end.width, room * 2 / 3)
        let rest = min(place.width + end.width, max(room / 2, least))
        guard rest >= 6 else { return MarkedText(mark) + MarkedText(name).cut(to: room).inPlace }
        let short = MarkedText(name).cut(to: room - rest - 2)
        let shortPlace = MarkedText(place).cut(to: max(rest - end.width, Self.placeLeast))
        let about = (shortPlace.inPlace + MarkedText(end)).cut(to: rest)
        let gap = String(repeating: " ", count: max(room - short.width - about.width, 1))
        return MarkedText(mark) + short.inPlace + MarkedText(VisibleText(harmless: gap)) + about
    }

    private static func place(of summary: ActivitySummary) -> VisibleText {
        summary.device.isHere ? "here" : VisibleText(summary.device.name)
    }

    /// The cells in which the name of a device can still be told.
    private static let placeLeast = 4

    /// The lines at the bottom: about the chosen row, and what keys do.
    private func notes(_ rows: [Row], width: Int, height: Int, at time: PresentTime) -> [MarkedText] {
        var help: VisibleText = "Enter continues, ^S sends, ^X hides, ^O shows, Esc leaves."
        if targets != nil { help = "Enter sends it there, Esc goes back." }
        if width < help.width {
            help = targets == nil ? "Enter continues, Esc leaves." : "Enter sends, Esc goes back."
        }
        if rows.isEmpty, isListed, targets == nil {
            help = line.text.isEmpty ? "Nothing is going on. Esc leaves." : "Nothing fits. Esc leaves."
        }
        let last = isLost ? LiveSearch.loss : remark.isEmpty ? help : remark
        guard height >= Self.heightForNotes else { return height > 2 ? [MarkedText(last)] : [] }
        if let targets { return [MarkedText("Send " + targets.activity.label + " to:"), MarkedText(last)] }
        guard choice < rows.count else { return [MarkedText(last)] }
        return about(rows[choice], at: time).map { MarkedText($0).inPlace } + [MarkedText(last)]
    }

    private func about(_ row: Row, at time: PresentTime) -> [VisibleText] {
        switch row {
        case .suggested(let summary):
            let why = suggestion.map { [$0.why(time)] } ?? []
            return about(.activity(summary), at: time) + why
        case .activity(let summary):
            let activity = summary.activity
            let place: VisibleText = summary.device.isHere ? "this machine" : "“\(summary.device.name)”"
            var first =
                VisibleText(activity.type) + " on " + place + ", started " + time.text(activity.started)
            if !summary.marks.isEmpty { first = first + ", " + summary.marks }
            let info = activity.info
            let target = info[.string("folder")]?.string ?? info[.string("file")]?.string ?? activity.webpage
            let action = handler(summary) ?? "Nothing here continues it."
            return [first, target.map { VisibleText($0) + ": " + action } ?? action]
        case .result(let result):
            return [result.whereabouts(at: time), VisibleText(result.thing.url ?? "")]
        }
    }
}
