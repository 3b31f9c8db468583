import BatonClient
import BatonCore

/// `baton list --watch`: shows the list and each change, until it is stopped.
struct ListWatch: ~Copyable {
    private let call: Call
    private var link: NodeLink
    private var watch = ActivityWatch()
    /// Whether the list was complete at least once.
    private var isTold = false

    /// How often the list is redrawn to update its times.
    private static let tick = Duration.seconds(5)

    init(_ call: Call, _ home: Home) {
        self.call = call
        link = NodeLink(home)
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

    /// Whether the list is redrawn on a terminal.
    private var draws: Bool { !call.isJSON && call.console.width != nil }

    private mutating func ask(_ call: some LocalCall) throws(LocalFailure) {
        do throws(LocalFailure) {
            _ = try link.send(call)
        } catch {
            try lose(error)
        }
    }

    private mutating func take(_ answer: LocalAnswer) throws(LocalFailure) {
        let (happenings, next): ([ActivityWatch.Happening], any LocalCall)
        do throws(LocalFailure) {
            (happenings, next) = try watch.take(answer)
        } catch {
            return try lose(error)
        }
        try ask(next)
        if happenings.contains(.anew) {
            if isTold, !call.isJSON, !draws { try call.console.explain("The whole list again:") }
            isTold = true
        }
        if draws { return }
        for happening in happenings {
            if call.isJSON {
                call.console.print(JSON(happening))
            } else if let line = ActivityList.line(happening) {
                call.console.print(line)
            }
        }
        try call.console.flush()
    }

    private func draw() throws(LocalFailure) {
        let summaries = watch.summaries
        let lines =
            summaries.isEmpty
            ? [try List.nothing(call)]
            : ActivityList(summaries).table(at: .here).lines(width: call.console.width)
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
