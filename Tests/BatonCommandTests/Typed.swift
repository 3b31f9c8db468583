import BatonCommand
import BatonCore
import BatonTerminal
import ClientSupport
import Support
import Synchronization
import baton

/// The output and exit status of one run of the command.
struct Typed: Equatable {
    var status: Int32
    var output: String
    var errors: String
    /// The commands that would have replaced the process.
    var started: [[String]]

    /// Runs the command with an empty environment; a command that would not end is stopped once it has printed `end`.
    init(_ words: [String], width: Int? = nil, height: Int? = nil, until end: String? = nil) {
        let output = Mutex(""), errors = Mutex(""), started = Mutex<[[String]]>([])
        let console = Console(
            width: { width }, height: { height },
            output: { (text) throws(LocalFailure) in
                let all = output.withLock {
                    $0 += text
                    return $0
                }
                if let end, all.contains(end) { throw LocalFailure(.failed, "stopped") }
            },
            errors: { text in errors.withLock { $0 += text } })
        status = Program(
            console: console, environment: { _ in nil },
            start: { words in started.withLock { $0.append(words) } }
        ).run(words)
        (self.output, self.errors) = (output.withLock { $0 }, errors.withLock { $0 })
        self.started = started.withLock { $0 }
    }

    /// Runs the command on the home of a node.
    init(
        _ node: FakeNode, _ words: String..., width: Int? = nil, height: Int? = nil, until end: String? = nil
    ) {
        self.init(words + ["--home", node.folder.path], width: width, height: height, until: end)
    }
}
