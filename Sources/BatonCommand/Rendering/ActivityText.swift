package import BatonCore

/// Shows everything about one activity to a person.
package struct ActivityText {
    private let summary: ActivitySummary

    package init(_ summary: ActivitySummary) { self.summary = summary }

    /// The lines to print.
    ///
    /// They contain no characters that control a terminal.
    package func lines(at time: PresentTime) -> [VisibleText] {
        let activity = summary.activity
        var lines = [summary.label]
        if activity.title != nil { lines.append("type: \(activity.type)") }
        lines.append("id: \(summary.identifier)")
        let here: VisibleText = summary.device.isHere ? ", this machine" : ""
        lines.append("device: \(summary.device.name) (\(summary.device.identifier.description))\(here)")
        lines.append(
            summary.instance.isEmpty ? "app: \(summary.app)" : "app: \(summary.app), \(summary.instance)")
        lines.append("started: \(time.text(activity.started))")
        lines.append("changed: \(time.text(activity.changed))")
        if let expiration = activity.expiration { lines.append("expires: \(time.text(expiration))") }
        if let continuation = activity.continuation {
            let place = summary.continuedOn ?? continuation.device.description
            let verb: VisibleText = activity.isTaken ? "taken over: by" : "continued: on"
            lines.append("\(verb) \(place), \(time.text(continuation.time))")
        }
        if let finished = activity.finished { lines.append("finished: \(time.text(finished))") }
        if summary.isSentHere { lines.append("sent: to this machine") }
        if activity.protection?.content != nil {
            lines.append("protected: its content is locked; type `baton unlock`")
        } else if activity.protection != nil {
            lines.append("protected: its content is sealed")
        }
        if summary.isPrivate { lines.append("private: it stays on this machine") }
        if let departure = summary.departure {
            lines.append("departed: its machine \(departure.words), and this is the last state known here")
        }
        if summary.isForgotten { lines.append("forgotten: hidden on this machine") }
        return lines + activity.contentLines
    }
}

extension [ActivitySummary] {
    /// Finds the activity that a text names.
    ///
    /// It is the only activity whose identifier begins with the text. Otherwise, it is the latest activity with the
    /// text as its type. Otherwise, it is the only activity with the text in its title. Activities of other machines
    /// are preferred.
    package func named(_ text: String, at now: WallTime) throws(LocalFailure) -> ActivitySummary {
        let begun = filter { $0.identifier.utf8.starts(with: text.utf8) }
        if begun.count == 1 { return begun[0] }
        let typed = filter { $0.activity.type == text }
        if let found = typed.first(where: { !$0.device.isHere }) ?? typed.first { return found }
        if begun.isEmpty, let found = try titled(text, at: now) { return found }
        throw LocalFailure(
            .notFound,
            begun.isEmpty
                ? "No activity that goes on matches “\(VisibleText(text).text)”.\nSee `baton list`. `baton continue ID` goes on with one that `baton list --finished` shows."
                : "“\(VisibleText(text).text)” matches \(begun.count) activities.\nType more of the ID that `baton list` shows."
        )
    }

    /// Finds all activities that a person may mean by a text.
    ///
    /// In contrast, `named` finds exactly one.
    package func meant(by text: String) -> [ActivitySummary] {
        let begun = filter { $0.identifier.utf8.starts(with: text.utf8) }
        return begun.isEmpty ? titleSearch(text)?.found ?? [] : begun
    }

    /// Finds the only activity with the text in its title; returns nil if the text has no words.
    private func titled(_ text: String, at now: WallTime) throws(LocalFailure) -> ActivitySummary? {
        try titleSearch(text)?.result { summary in
            TitleSearch.Label(
                identifier: summary.short.text, title: summary.activity.title ?? "",
                device: summary.device.isHere ? nil : summary.device.name,
                changed: summary.activity.changed, at: now)
        }.get()
    }

    private func titleSearch(_ text: String) -> TitleSearch<ActivitySummary>? {
        var search = TitleSearch<ActivitySummary>(text)
        for summary in shownToPeople {
            search?.look(at: summary, titled: summary.activity.title, isHere: summary.device.isHere)
        }
        return search
    }
}
