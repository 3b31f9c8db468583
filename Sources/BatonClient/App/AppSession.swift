package import BatonCore
import BatonNetwork
import Glibc

/// Drives an `AppBridge`: reads the program's lines, speaks with the node, and prints, until the program says no more.
///
/// While the node is gone it reads nothing, so that what the program says waits for the node to come back.
package struct AppSession: ~Copyable {
    private var bridge: AppBridge
    private var link: NodeLink
    /// Where the program's lines come from.
    private let input: Int32
    private let print: (JSON) throws(LocalFailure) -> Void
    private var buffer = LineBuffer()
    private var lineNumber = 0
    private var isInputOver = false
    /// The calls to make once the node reads on.
    private var queue: [(call: any LocalCall, purpose: AppBridge.Purpose)] = []
    /// What the answers that are yet to come are for, by the numbers of their requests.
    private var purposes: [UInt64: AppBridge.Purpose] = [:]

    /// So many requests are left for what the bridge asks of itself.
    private static let spare = 4
    /// When the node answered last.
    private var lastAnswer = MonotonicTime.now
    /// How long the node may answer nothing once all lines were read.
    private static let patience = Duration.seconds(60)

    package init(
        _ home: Home, _ bridge: AppBridge, input: Int32, print: @escaping (JSON) throws(LocalFailure) -> Void
    ) {
        (self.bridge, self.input, self.print) = (bridge, input, print)
        link = NodeLink(home)
    }

    /// Goes on until the program has said all, and was told all.
    package mutating func run() throws(LocalFailure) {
        try link.connect()
        bridge.connected()
        var inputEnd: MonotonicTime?
        while true {
            let hasTakenAll = try takeLines()
            try passOn()
            var end: MonotonicTime?
            if isInputOver {
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
            let ready = wait(until: end)
            if ready.input { try read() }
            if ready.node { try receive() }
            if try link.seek() { bridge.back() }
        }
    }

    /// Whether the program waits for an answer.
    private var isOwed: Bool {
        purposes.values.contains(where: \.isOwed) || queue.contains { $0.purpose.isOwed }
    }

    /// Whether another line may be handled.
    private var mayTake: Bool { link.isConnected && queue.isEmpty && link.room > Self.spare }

    private func wait(until end: MonotonicTime?) -> (input: Bool, node: Bool) {
        // While the node is gone, only the program's end is looked for.
        let listens = !isInputOver && (mayTake || !link.isConnected)
        let time = [link.pause, end.map { max($0 - .now, .zero) }].compactMap(\.self).min()
        let ready = Waiting.forOne(
            of: [
                (listens ? input : -1, Int16(mayTake ? POLLIN : 0)), (link.descriptor, link.events),
            ], within: time)
        return (ready[0], ready[1])
    }

    // MARK: The program

    private mutating func read() throws(LocalFailure) {
        guard link.isConnected else {
            while !isInputOver {
                try readPortion()
                try refuseLines()
            }
            throw LocalFailure(
                .noNode,
                "The program has ended while the node was gone; its last lines were not said to the node.")
        }
        try readPortion()
    }

    private mutating func readPortion() throws(LocalFailure) {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(input, &bytes, bytes.count)
        guard count >= 0 else {
            if errno == EINTR || errno == EAGAIN { return }
            throw LocalFailure(.failed, "The standard input can't be read: \(SystemText.of(errno)).")
        }
        isInputOver = count == 0
        buffer.feed(bytes.prefix(count))
    }

    /// Handles lines, as many as the node may be asked for; says whether these were all.
    private mutating func takeLines() throws(LocalFailure) -> Bool {
        while mayTake {
            guard let line = buffer.next() ?? (isInputOver ? buffer.rest() : nil) else { return true }
            lineNumber += 1
            bridge.take(line, number: lineNumber, at: .here)
            try passOn()
        }
        return false
    }

    /// Answers all lines that are owed an answer, and those that were not handled, with a failure.
    private mutating func giveUp() throws(LocalFailure) {
        let open = purposes.sorted { $0.key < $1.key }.map(\.value) + queue.map(\.purpose)
        (purposes, queue) = ([:], [])
        bridge.refuse(
            open,
            LocalFailure(.failed, "The node did not answer this line in time; it may have done what it says.")
        )
        try refuseLines()
    }

    /// Answers the lines that were read and not handled with a failure.
    private mutating func refuseLines() throws(LocalFailure) {
        let failure = LocalFailure(.failed, "The node was not asked this.")
        while let line = buffer.next() ?? (isInputOver ? buffer.rest() : nil) {
            lineNumber += 1
            bridge.refuse(line, number: lineNumber, failure)
        }
        for line in bridge.takeOutput().lines { try print(line) }
    }

    // MARK: The node

    /// Prints what the bridge says, and asks what it asks.
    private mutating func passOn() throws(LocalFailure) {
        let output = bridge.takeOutput()
        for line in output.lines { try print(line) }
        queue += output.calls
        while let next = queue.first, link.room > 0 {
            queue.removeFirst()
            do throws(LocalFailure) {
                purposes[try link.send(next.call)] = next.purpose
            } catch  where error.code == .tooLarge {
                bridge.take(error, for: next.purpose)
            } catch {
                purposes[.max] = next.purpose
                try lose(error)
            }
        }
    }

    private mutating func receive() throws(LocalFailure) {
        do throws(LocalFailure) {
            let answers = try link.receive()
            if !answers.isEmpty { lastAnswer = .now }
            for answer in answers {
                guard let purpose = purposes[answer.number] else { continue }
                try bridge.take(answer, for: purpose)
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
