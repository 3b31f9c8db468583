package import BatonCore
@preconcurrency import Glibc

/// A run of the node's program on behalf of this one.
///
/// It writes answers to its standard output, and may read lines.
///
/// When its owner releases it, the program's input ends, and the program is waited for.
package struct NodeConversation: ~Copyable {
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private var decoder = FrameDecoder()
    /// Is told each second how long the answer has been awaited.
    package var waited: ((Duration) -> Void)?

    /// Takes over a program that runs, and our ends of its input and output.
    init(process: pid_t, input: Int32, output: Int32) {
        (self.process, self.input, self.output) = (process, input, output)
    }

    deinit {
        close(input)
        close(output)
        _ = Self.ending(of: process)
    }

    /// Returns the next reply; throws the failure that the program answers in its place.
    ///
    /// If there is no answer, throws how the program ended.
    package mutating func next<Reply: LocalReply>(_: Reply.Type) throws(LocalFailure) -> Reply {
        try answer(Reply.self).get()
    }

    private mutating func answer<Reply: LocalReply>(
        _: Reply.Type
    ) throws(LocalFailure) -> Result<Reply, LocalFailure> {
        do throws(CloseReason) {
            while true {
                if let frame = try decoder.next() { return try LocalAnswer(frame).result(Reply.self) }
                let bytes = read()
                guard !bytes.isEmpty else { break }
                decoder.feed(bytes)
            }
        } catch {
            throw LocalFailure(.failed, "\(NodeProgram.name) gave an answer that makes no sense: \(error).")
        }
        // The program has closed its output, so it is about to end.
        throw LocalFailure(.failed, "\(NodeProgram.name) gave no answer: \(Self.ending(of: process)).")
    }

    /// Sends a line; whether it is read shows in the answer.
    package func say(_ line: String) {
        var rest = Array("\(line)\n".utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns what the program writes next; empty once it writes no more.
    private func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let began = ContinuousClock.now
        while true {
            if let waited {
                var question = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
                if poll(&question, 1, Int32(ProgressLine.silence.components.seconds * 1000)) == 0 {
                    waited(ContinuousClock.now - began)
                    continue
                }
            }
            let count = Glibc.read(output, &buffer, buffer.count)
            if count >= 0 { return Array(buffer.prefix(count)) }
            guard errno == EINTR else { return [] }
        }
    }

    /// Waits until the program has ended, and returns how it ended.
    private static func ending(of process: pid_t) -> String {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return "its end was not told (\(SystemText.of(errno)))" }
        }
        let signal = status & 0x7f
        return signal == 0 ? "it ended with status \(status >> 8 & 0xff)" : "signal \(signal) ended it"
    }
}
