import BatonClient
import BatonCore

/// `baton search --watch`: shows the results and each change of them, until it is stopped.
struct SearchWatching: ~Copyable {
    private let call: Call
    private var link: NodeLink
    private var watch: SearchWatch
    private let words: String
    /// Whether all results were shown at least once.
    private var isTold = false

    /// How often the results are redrawn to update their times.
    private static let tick = Duration.seconds(5)

    init(_ call: Call, _ home: Home, _ search: SearchItems) {
        (self.call, words) = (call, search.text)
        link = NodeLink(home)
        watch = SearchWatch(search)
    }

    mutating func run() throws(LocalFailure) {
        try link.connect()
        try ask(watch.begin())
        while true {
            switch link.wait(within: draws && isTold ? Self.tick : nil).event {
            case .answers(let answers)?: for answer in answers { try take(answer) }
            case .returned?: try ask(watch.begin())
            case .failed(let failure)?: try lose(failure)
            case nil: break
            }
            if draws, isTold, link.isConnected { try draw() }
        }
    }

    /// Whether the results are redrawn on a terminal.
    private var draws: Bool { !call.isJSON && call.console.width != nil }

    private mutating func ask(_ call: WatchSearch) throws(LocalFailure) {
        do throws(LocalFailure) {
            _ = try link.send(call)
        } catch {
            try lose(error)
        }
    }

    private mutating func take(_ answer: LocalAnswer) throws(LocalFailure) {
        let (happenings, next): ([SearchWatch.Happening], WatchSearch)
        do throws(LocalFailure) {
            (happenings, next) = try watch.take(answer)
        } catch {
            return try lose(error)
        }
        try ask(next)
        if happenings.contains(.anew) {
            if isTold, !call.isJSON, !draws { try call.console.explain("All results again:") }
            isTold = true
        }
        if draws { return }
        for happening in happenings {
            if call.isJSON {
                call.console.print(JSON(happening))
            } else if let line = FoundList.line(happening) {
                call.console.print(line)
            }
        }
        try call.console.flush()
    }

    private func draw() throws(LocalFailure) {
        var lines: [VisibleText] = []
        if let corrected = watch.corrected {
            let note = Search.note(corrected).text
            lines.append(
                VisibleText(harmless: call.console.width.map { CellWidth.cut(note, to: $0) } ?? note))
        }
        if watch.results.isEmpty {
            lines.append("Nothing found yet.")
        } else {
            let list = FoundList(watch.results, of: watch.corrected ?? words)
            lines += list.table(at: .here).lines(width: call.console.width, inBold: call.console.hasStyle)
        }
        try call.console.draw(lines)
    }

    /// Called when the node is gone; the link looks for it.
    private mutating func lose(_ failure: LocalFailure) throws(LocalFailure) {
        try link.lose(failure)
        if call.isJSON {
            call.console.print(.event("lost"))
            try call.console.flush()
        } else {
            call.console.leaveDrawing()
            try call.console.explain("The node has stopped. Waiting until it is started again.")
        }
    }
}
