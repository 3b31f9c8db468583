package import BatonCore
package import BatonTerminal

extension Picker {
    package func screen(
        width: Int, height: Int, at time: PresentTime
    ) -> (lines: [MarkedText], cursor: Int) { listScreen(width: width, height: height, at: time).lines }

    /// Returns the list of the activities, or the list of the devices to which the person can send an activity.
    func listScreen(width: Int, height: Int, at time: PresentTime) -> ListScreen {
        if let targets {
            return ListScreen(
                prompt: "> ", line: line, count: "",
                rows: targets.devices.map { ListRow(title: MarkedText(VisibleText($0))) },
                choice: targets.choice, top: targets.top,
                notes: [MarkedText("Send " + targets.activity.label + " to:").inPlace],
                help: help(["Enter sends it there, Esc goes back.", "Enter sends, Esc goes back."], width),
                preview: nil, width: width, height: height)
        }
        let rows = rows
        let chosen = choice < rows.count ? rows[choice] : nil
        return ListScreen(
            prompt: "> ", line: line, count: Self.count(rows), rows: rows.map { listRow($0, at: time) },
            choice: choice, top: top,
            notes: chosen.map { notes($0, at: time).map { MarkedText($0).inPlace } } ?? [],
            help: help(keys(rows), width), preview: isPreviewing ? chosen.map { preview($0, at: time) } : nil,
            width: width, height: height)
    }

    // MARK: The rows

    private static func count(_ rows: [Row]) -> VisibleText {
        let activities = rows.count { $0.activity != nil }
        let found = rows.count - activities
        let words: VisibleText = activities == 1 ? "1 activity" : "\(activities) activities"
        return found == 0 ? words : words + ", \(found) found"
    }

    private func listRow(_ row: Row, at time: PresentTime) -> ListRow {
        switch row.content {
        case .suggested(let summary):
            var shown = listRow(summary, row.match, at: time)
            (shown.group, shown.age, shown.isDim) = (nil, MarkedText("suggested", .remark), false)
            return shown
        case .activity(let summary): return listRow(summary, row.match, at: time)
        case .result(let result):
            let thing = result.thing
            return ListRow(
                group: "found", sign: thing.listedKind.sign, title: MarkedText(VisibleText(thing.name)),
                device: MarkedText(VisibleText(thing.app)), age: Self.age(thing.time, at: time))
        }
    }

    private func listRow(
        _ summary: ActivitySummary, _ match: FuzzyWords.Match?, at time: PresentTime
    ) -> ListRow {
        let isHere = summary.device.isHere
        // While the person types, the rows are ordered by how well they match. So both groups have the same heading.
        let group: VisibleText = match != nil ? "going on" : isHere ? "this machine" : "other machines"
        let ranges = match?.ranges ?? [[], []]
        return ListRow(
            group: group, sign: ActivityKind(summary.activity).sign,
            title: MarkedText(summary.title, marking: ranges[0], as: .match),
            device: isHere
                ? MarkedText("here", ranges[1].isEmpty ? .plain : .match)
                : MarkedText(summary.device.name, marking: ranges[1], as: .match),
            age: Self.age(summary.activity.changed, at: time), isDim: isHere)
    }

    private static func age(_ then: WallTime?, at time: PresentTime) -> MarkedText {
        MarkedText(then.map { VisibleText($0.shortAge(at: time.now)) } ?? "", .dim)
    }

    // MARK: The chosen row

    private func preview(_ row: Row, at time: PresentTime) -> Preview {
        switch row.content {
        case .suggested(let summary), .activity(let summary):
            let isRead = file?.identifier == summary.identifier
            return Preview(summary, file: isRead ? file?.content : nil, at: time)
        case .result(let result): return Preview(result, at: time)
        }
    }

    /// Returns notes about the chosen row: where the thing is, since when it exists, and what Enter does.
    private func notes(_ row: Row, at time: PresentTime) -> [VisibleText] {
        switch row.content {
        case .suggested(let summary):
            return notes(summary, at: time) + (suggestion.map { [$0.why(time)] } ?? [])
        case .activity(let summary): return notes(summary, at: time)
        case .result(let result):
            return [result.whereabouts(at: time), VisibleText(result.thing.url ?? "")]
        }
    }

    private func notes(_ summary: ActivitySummary, at time: PresentTime) -> [VisibleText] {
        let activity = summary.activity
        let place: VisibleText = summary.device.isHere ? "this machine" : "“\(summary.device.name)”"
        var first = VisibleText(activity.type) + " on " + place + ", started " + time.text(activity.started)
        if !summary.marks.isEmpty { first = first + ", " + summary.marks }
        let info = activity.info
        let target = info[.string("folder")]?.string ?? info[.string("file")]?.string ?? activity.webpage
        let action = handler(summary) ?? "Nothing here continues it."
        return [first, target.map { VisibleText($0) + ": " + action } ?? action]
    }

    // MARK: The last line

    /// Texts that explain the keys, from the longest to the shortest.
    private func keys(_ rows: [Row]) -> [VisibleText] {
        guard rows.isEmpty, isListed else {
            let preview: VisibleText = isPreviewing ? "^O closes the preview" : "^O previews"
            return [
                "Enter continues, " + preview + ", ^S sends, ^X hides, Esc leaves.",
                "Enter continues, Esc leaves.",
            ]
        }
        return [line.text.isEmpty ? "Nothing is going on. Esc leaves." : "Nothing matches. Esc leaves."]
    }

    /// Returns the remark, or the longest text that fits if there is no remark.
    private func help(_ keys: [VisibleText], _ width: Int) -> MarkedText {
        if isLost { return MarkedText(LiveSearch.loss, .remark) }
        if !remark.isEmpty { return MarkedText(remark, .remark).inPlace }
        return MarkedText(keys.first { $0.width < width } ?? keys.last ?? "", .dim)
    }
}
