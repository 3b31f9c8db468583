import BatonCore
import BatonTerminal

extension Preview {
    /// Creates the preview of an activity.
    ///
    /// It shows the lines of the activity's file, its web page, the state of its command, or all its values.
    init(_ summary: ActivitySummary, file: Result<FilePreview, LocalFailure>?, at time: PresentTime) {
        switch ActivityKind(summary.activity) {
        case .file:
            if case .success(let file)? = file {
                self.init(file)
            } else {
                self.init(values: summary, file: file, at: time)
            }
        case .page: self.init(page: summary, at: time)
        case .command: self.init(command: summary, at: time)
        case .folder, .manual, .copy, .app: self.init(values: summary, file: nil, at: time)
        }
    }

    private init(
        values summary: ActivitySummary, file: Result<FilePreview, LocalFailure>?, at time: PresentTime
    ) {
        let lines = ActivityText(summary).lines(at: time)
        self.init(title: lines[0])
        if case .failure(let failure)? = file {
            self.lines += failure.text.split(whereSeparator: \.isNewline).map {
                Line(text: VisibleText($0), style: .remark)
            }
        }
        self.lines += lines.dropFirst().map { Line(text: $0) }
    }

    private init(_ file: FilePreview) {
        self.init(title: VisibleText(file.path))
        let width = String(file.first + file.lines.count).count
        for (number, text) in zip(file.first..., file.lines) {
            let isMarked = number == file.line
            let digits = String(number)
            let margin = String(repeating: " ", count: width - digits.count) + digits
            let mark: VisibleText = isMarked ? "▌" : " "
            lines.append(
                Line(
                    text: mark + VisibleText(harmless: margin) + "  " + VisibleText(text),
                    style: isMarked ? .bold : .plain, wraps: false))
            if isMarked { focus = lines.count - 1 }
        }
    }

    private init(page summary: ActivitySummary, at time: PresentTime) {
        self.init(title: summary.label)
        let page = PageAddress(
            summary.activity.webpage ?? summary.activity.info[.string("url")]?.string ?? "")
        lines.append(Line(text: VisibleText(page.address), style: .name))
        if let quoted = page.quoted { lines += [Line(text: ""), Line(text: "“\(quoted)”")] }
        lines += [
            Line(text: ""), Self.device(summary),
            Line(text: "changed: " + time.text(summary.activity.changed)),
        ]
    }

    private init(command summary: ActivitySummary, at time: PresentTime) {
        let activity = summary.activity
        self.init(title: VisibleText(activity.toldCommand ?? summary.title))
        if let folder = activity.info[.string("folder")]?.string {
            lines.append(Line(text: "folder: \(folder)"))
        }
        if let repository = Repository(activity.info[.string("repository")]) {
            if let branch = repository.branch { lines.append(Line(text: "branch: \(branch)")) }
            if repository.isChanged == true {
                lines.append(Line(text: "The repository has changes that are not committed."))
            }
        }
        if let finished = activity.finished {
            lines.append(Line(text: "state: ended " + time.text(finished)))
        } else {
            lines.append(Line(text: "state: running for " + time.age(Self.start(of: activity))))
        }
        lines.append(Self.device(summary))
    }

    /// The time when the command began.
    ///
    /// If the shell has not reported it, it is the time when the activity began.
    private static func start(of activity: Activity) -> WallTime {
        guard case .date(let seconds)? = activity.info[.string("since")],
            let milliseconds = Int64(exactly: (seconds * 1000).rounded())
        else { return activity.started }
        return WallTime(milliseconds: milliseconds)
    }

    private static func device(_ summary: ActivitySummary) -> Line {
        Line(text: summary.device.isHere ? "device: this machine" : "device: \(summary.device.name)")
    }

    /// Creates the preview of a search result.
    init(_ result: SearchResult, at time: PresentTime) {
        let thing = result.thing
        self.init(title: VisibleText(thing.name))
        lines = [Line(text: result.whereabouts(at: time), style: .dim)]
        if let url = thing.url { lines.append(Line(text: VisibleText(url), style: .name)) }
        for text in [result.snippet?.text, thing.summary] {
            if let text, !text.isEmpty {
                lines.append(Line(text: ""))
                lines += text.split(whereSeparator: \.isNewline).map { Line(text: VisibleText($0)) }
            }
        }
    }
}

/// The address of a web page, split from the text fragment that it may have.
struct PageAddress: Equatable {
    let address: String
    /// The text that the fragment quotes, or nil if there is no fragment or its text can't be decoded.
    let quoted: String?

    /// The separator before a text fragment: `#:~:text=BEFORE-,START,END,-AFTER`.
    ///
    /// By it, browsers scroll to a text.
    private static let mark = ":~:"

    init(_ whole: String) {
        guard let hash = whole.firstIndex(of: "#"),
            let mark = whole[hash...].firstRange(of: Self.mark)
        else {
            (address, quoted) = (whole, nil)
            return
        }
        let rest = whole[..<mark.lowerBound]
        address = String(rest.last == "#" ? rest.dropLast() : rest)
        let directive = whole[mark.upperBound...].split(separator: "&").first { $0.hasPrefix("text=") }
        let parts = directive?.dropFirst("text=".count).split(separator: ",") ?? []
        let texts = parts.filter { !$0.hasPrefix("-") && !$0.hasSuffix("-") }
        let decoded = texts.compactMap { PercentDecoding.text($0) }
        quoted = decoded.isEmpty || decoded.count < texts.count ? nil : decoded.joined(separator: " … ")
    }
}
