import BatonClient
import BatonCore

/// `baton list --watch`: shows what is going on, and each change as it happens, until somebody stops it.
struct ListWatch: ~Copyable {
    private let call: Call
    private var link: NodeLink
    private var watch = ActivityWatch()
    /// Whether the list was told at least once.
    private var isTold = false

    /// How often times are told anew, which say how long ago something was.
    private static let tick = Duration.seconds(5)

    init(_ call: Call, _ home: Home) {
        self.call = call
        link = NodeLink(home)
    }

    mutating func run() throws(LocalFailure) {
        try link.connect()
        try ask(watch.begin())
        while true {
            let tick = draws && isTold ? Self.tick : nil
            let ready = Waiting.forOne(
                of: [(link.descriptor, link.events)], within: [link.pause, tick].compactMap(\.self).min())
            for answer in ready[0] ? try received() : [] { try take(answer) }
            if try link.seek() { try ask(watch.begin()) }
            if draws, isTold, link.isConnected { try draw() }
        }
    }

    /// Whether the list is drawn over and over.
    private var draws: Bool { !call.isJSON && call.console.width != nil }

    private mutating func received() throws(LocalFailure) -> [LocalAnswer] {
        do throws(LocalFailure) {
            return try link.receive()
        } catch {
            try lose(error)
            return []
        }
    }

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
            if isTold, !call.isJSON, !draws { try call.console.explain("The list, from the beginning:") }
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

    /// The node is gone, and is sought until it is back.
    private mutating func lose(_ failure: LocalFailure) throws(LocalFailure) {
        try link.lose(failure)
        if call.isJSON {
            call.console.print(.event("lost"))
            try call.console.flush()
        } else {
            call.console.leaveDrawing()
            try call.console.explain("The node is gone. This goes on once it is started again.")
        }
    }
}
