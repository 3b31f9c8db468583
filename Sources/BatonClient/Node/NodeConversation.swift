package import BatonCore
@preconcurrency import Glibc

/// The node's program while it works for this one: it writes answers to its standard output, and may read lines.
///
/// It hears the end of its input, and is waited for, when its owner lets go.
package struct NodeConversation: ~Copyable {
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private var decoder = FrameDecoder()
    /// Hears each second for how long an answer has been awaited.
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

    /// The next answer; throws if there is none, with how the program ended.
    package mutating func next() throws(LocalFailure) -> LocalAnswer {
        do throws(CloseReason) {
            while true {
                if let frame = try decoder.next() { return try LocalAnswer.read(frame).answer }
                let bytes = read()
                guard !bytes.isEmpty else { break }
                decoder.feed(bytes)
            }
        } catch {
            throw LocalFailure(.failed, "\(NodeProgram.name) gave an answer that makes no sense: \(error).")
        }
        // It has closed its output, so it ends, too.
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

    /// What the program writes; nothing once it writes no more.
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

    /// Waits until the program has ended, and says how it did.
    private static func ending(of process: pid_t) -> String {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return "its end was not told (\(SystemText.of(errno)))" }
        }
        let signal = status & 0x7f
        return signal == 0 ? "it ended with status \(status >> 8 & 0xff)" : "signal \(signal) ended it"
    }
}
