import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// A list that a command shows, and shows again after each change, until the command is stopped.
protocol Watched {
    associatedtype Happening: Equatable

    /// The change after which everything shown before is no longer valid.
    static var anew: Happening { get }
    /// The sentence that precedes the whole list when it is printed again.
    ///
    /// A terminal, which is redrawn, does not show it.
    static var again: VisibleText { get }

    /// Returns the first call to make after a node was connected.
    mutating func begin() -> any LocalCall
    /// Reads the answer to the last call, and returns the changes and the next call.
    mutating func receiveAnswer(
        _ answer: LocalAnswer
    ) throws(LocalFailure) -> (happenings: [Happening], next: any LocalCall)

    /// Converts a change to a line of JSON.
    func json(_ happening: Happening) -> JSON
    /// A line that reports a change, or nil if no line reports it.
    func line(_ happening: Happening) -> VisibleText?
    /// The lines that a terminal shows for the present state.
    func lines(_ call: Call) throws(LocalFailure) -> [VisibleText]
}

/// Shows a list and each change of it.
///
/// If the node restarts, this continues.
struct Watching<Thing: Watched>: ~Copyable {
    private let call: Call
    private var link: NodeLink
    private var thing: Thing
    /// Whether the whole list has been shown at least once.
    private var isTold = false

    /// The time after which the lines are redrawn, because the ages in them have changed.
    private static var tick: Duration { .seconds(5) }

    init(_ thing: Thing, _ call: Call, _ home: Home) {
        (self.thing, self.call) = (thing, call)
        link = NodeLink(home)
    }

    mutating func run() throws(LocalFailure) {
        try link.connect()
        try ask(thing.begin())
        while true {
            switch link.wait(within: draws && isTold ? Self.tick : nil).event {
            case .answers(let answers)?: for answer in answers { try receiveAnswer(answer) }
            case .returned?: try ask(thing.begin())
            case .failed(let failure)?: try lose(failure)
            case nil: break
            }
            if draws, isTold, link.isConnected { try call.console.draw(try thing.lines(call)) }
        }
    }

    /// Whether the lines are shown on a terminal and redrawn there.
    private var draws: Bool { !call.isJSON && call.console.width != nil }

    private mutating func ask(_ call: some LocalCall) throws(LocalFailure) {
        do throws(LocalFailure) {
            _ = try link.send(call)
        } catch {
            try lose(error)
        }
    }

    private mutating func receiveAnswer(_ answer: LocalAnswer) throws(LocalFailure) {
        let (happenings, next): ([Thing.Happening], any LocalCall)
        do throws(LocalFailure) {
            (happenings, next) = try thing.receiveAnswer(answer)
        } catch {
            return try lose(error)
        }
        try ask(next)
        if happenings.contains(Thing.anew) {
            if isTold, !call.isJSON, !draws { try call.console.explain(Thing.again) }
            isTold = true
        }
        if draws { return }
        for happening in happenings {
            if call.isJSON {
                call.console.print(thing.json(happening))
            } else if let line = thing.line(happening) {
                call.console.print(line)
            }
        }
        try call.console.flush()
    }

    /// Called when the connection to the node is lost.
    ///
    /// The link then reconnects.
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
