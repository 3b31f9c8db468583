package import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// Runs an `AppBridge`: reads the program's lines, sends calls to the node, and prints the answers.
///
/// The session ends when the program's lines have ended. No lines are read while the node is not running, so the
/// program's commands wait for the node.
package struct AppSession: ~Copyable {
    private var bridge: AppBridge
    private var link: NodeLink
    /// The lines of the program.
    private var input: InputLines
    private let print: (JSON) throws(LocalFailure) -> Void
    /// Whether to wait for the node if it is not running at the start.
    private let waitsForNode: Bool
    private var lineNumber = 0
    /// The calls that are sent as soon as the node accepts more calls.
    private var queue: [(call: any LocalCall, purpose: AppBridge.Purpose)] = []
    /// The purposes of the unanswered calls, by the number of the call.
    private var purposes: [UInt64: AppBridge.Purpose] = [:]

    /// The number of calls that the program's commands may not use up, because the bridge makes calls of its own.
    private static let spare = 4
    /// The time when the last answer arrived.
    private var lastAnswer = MonotonicTime.now
    /// How long to wait for the next answer after the input has ended.
    private static let patience = Duration.seconds(60)

    package init(
        _ home: Home, _ bridge: AppBridge, input: Int32, _ framing: InputLines.Framing = .lines,
        waitsForNode: Bool = false, print: @escaping (JSON) throws(LocalFailure) -> Void
    ) {
        (self.bridge, self.print, self.waitsForNode) = (bridge, print, waitsForNode)
        self.input = InputLines(input, framing)
        link = NodeLink(home)
    }

    /// Runs until the input has ended and every command is answered.
    package mutating func run() throws(LocalFailure) {
        do throws(LocalFailure) {
            try link.connect()
            bridge.connected()
        } catch  where waitsForNode && error.isPassing {
            bridge.begunWithoutNode()
            try passOn()
        }
        var inputEnd: MonotonicTime?
        while true {
            let hasTakenAll = try takeLines()
            try passOn()
            var end: MonotonicTime?
            if input.isOver {
                guard isOwed || !hasTakenAll else { return }
                let began = inputEnd ?? .now
                inputEnd = began
                let deadline = max(began, lastAnswer) + Self.patience
                guard deadline > .now else {
                    try giveUp()
                    throw LocalFailure(.failed, "The node did not answer the last lines in time.")
                }
                end = deadline
            }
            // While no node runs, the input is polled only for its end.
            let listens = !input.isOver && (mayTake || !link.isConnected)
            let question = (listens ? input.descriptor : -1, Int16(mayTake ? POLLIN : 0))
            let (ready, event) = link.wait(beside: [question], within: end.map { max($0 - .now, .zero) })
            if ready[0], try read() { return }
            switch event {
            case .answers(let answers)?: try receiveAnswers(answers)
            case .returned?: bridge.back()
            case .failed(let failure)?: try lose(failure)
            case nil: break
            }
        }
    }

    /// Whether the program still waits for an answer.
    private var isOwed: Bool {
        purposes.values.contains(where: \.isOwed) || queue.contains { $0.purpose.isOwed }
    }

    /// Whether the bridge can process another line now.
    private var mayTake: Bool { link.isConnected && queue.isEmpty && link.room > Self.spare }

    // MARK: The program

    /// Reads the available input; returns true if the session can end at once.
    ///
    /// This is so if the program ended while no node was running, and no line of the program was lost.
    private mutating func read() throws(LocalFailure) -> Bool {
        guard link.isConnected else {
            let taken = lineNumber
            while !input.isOver {
                try input.read()
                try refuseLines()
            }
            // The program sent no further lines before it ended, so nothing was lost.
            guard lineNumber > taken || isOwed else { return true }
            throw LocalFailure(
                .noNode,
                "The program ended while the node was not running. Its last lines were not sent.")
        }
        try input.read()
        return false
    }

    /// Passes lines to the bridge until the node accepts no more calls; returns whether all lines were passed.
    private mutating func takeLines() throws(LocalFailure) -> Bool {
        while mayTake {
            guard let line = input.arrived() else { return true }
            lineNumber += 1
            bridge.receiveLine(line, number: lineNumber, at: .here)
            try passOn()
        }
        return false
    }

    /// Reports a failure as the answer to all unanswered commands, and to all lines that the bridge did not get.
    private mutating func giveUp() throws(LocalFailure) {
        let open = purposes.sorted { $0.key < $1.key }.map(\.value) + queue.map(\.purpose)
        (purposes, queue) = ([:], [])
        bridge.refuse(
            open,
            LocalFailure(
                .failed,
                "The node did not answer this line in time. It may still have done what the line says.")
        )
        try refuseLines()
    }

    /// Reports a failure as the answer to the lines that were read but did not reach the bridge.
    private mutating func refuseLines() throws(LocalFailure) {
        let failure = LocalFailure(.failed, "This line was not sent to the node.")
        while let line = input.arrived() {
            lineNumber += 1
            bridge.refuse(line, number: lineNumber, failure)
        }
        for line in bridge.takeOutput().lines { try print(line) }
    }

    // MARK: The node

    /// Prints the bridge's lines, and sends its calls to the node.
    private mutating func passOn() throws(LocalFailure) {
        let output = bridge.takeOutput()
        for line in output.lines { try print(line) }
        queue += output.calls
        while let next = queue.first, link.room > 0 {
            queue.removeFirst()
            do throws(LocalFailure) {
                purposes[try link.send(next.call)] = next.purpose
            } catch  where error.code == .tooLarge {
                bridge.receiveFailure(error, for: next.purpose)
            } catch {
                purposes[.max] = next.purpose
                try lose(error)
            }
        }
    }

    private mutating func receiveAnswers(_ answers: [LocalAnswer]) throws(LocalFailure) {
        if !answers.isEmpty { lastAnswer = .now }
        do throws(LocalFailure) {
            for answer in answers {
                guard let purpose = purposes[answer.number] else { continue }
                try bridge.receiveAnswer(answer, for: purpose)
                purposes[answer.number] = nil
            }
        } catch {
            try lose(error)
        }
    }

    private mutating func lose(_ failure: LocalFailure) throws(LocalFailure) {
        try link.lose(failure)
        let open = purposes.sorted { $0.key < $1.key }.map(\.value) + queue.map(\.purpose)
        (purposes, queue) = ([:], [])
        bridge.lost(open, failure)
        let lines = bridge.takeOutput().lines
        for line in lines { try print(line) }
    }
}
