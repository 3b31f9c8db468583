import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal
import Glibc

/// `baton start --stream`: offers this command's input and output to the machine that continues the activity.
enum StreamStart {
    static var option: CommandSpecification.Option {
        .flag(
            "stream", "wait until another machine continues it, and connect its input and output with these")
    }

    static var notes: [String] {
        [
            "With --stream the activity lasts as long as this command, and is continued once:",
            "  tar c FOLDER | baton start org.example.tar --stream",
            "  baton continue org.example.tar --stream | tar x      (on the other machine)",
            "If the node stops before that, it waits for the next one. `baton private on`",
            "breaks the stream. Exit status: 0 once both sides have received everything, 20",
            "if the stream broke.",
        ]
    }

    /// The time in which the activity must be continued, which is practically unlimited.
    private static var patience: Duration { .seconds(100 * 365 * 86_400) }

    static func run(_ call: Call, _ type: String, _ change: ActivityChange) throws(LocalFailure) {
        guard !call.isJSON else {
            throw LocalFailure(
                .usage, "--stream can't be combined with --json.")
        }
        let instance = try ShellInstance.stream(call.arguments.value("instance"))
        var change = change
        change.supportsStreams = true
        let start = StartActivity(
            app: ShellInstance.app, instance: instance.name,
            lifetime: instance.process.map { .process($0) } ?? .connection, type: type, change: change)
        var copier = StreamCopier(try offer(call, start), input: STDIN_FILENO, output: STDOUT_FILENO)
        try copier.run()
    }

    /// Offers the activity until another machine continues it with a stream.
    ///
    /// Returns the connection that carries the stream. A person may take long to continue the activity. So if the node
    /// stops, this waits until a node runs again, and offers the activity there.
    private static func offer(
        _ call: Call, _ start: StartActivity
    ) throws(LocalFailure) -> NodeConnection {
        var node = try call.connect()
        try begin(call, &node, start)
        while true {
            do throws(LocalFailure) {
                return try wait(call, node, start.instance)
            } catch  where error.isPassing {
                try call.console.explain("The node has stopped. Waiting until it is started again.")
                node = try again(call, start)
            }
        }
    }

    private static func begin(
        _ call: Call, _ node: inout NodeConnection, _ start: StartActivity
    ) throws(LocalFailure) {
        let summary = try node.ask(start)
        try call.console.explain(
            summary.isPrivate
                ? "\(summary.label) waits, but this machine is private: type `baton private off` to offer it."
                : "\(summary.label) waits for another machine. Type there: baton continue \(summary.short) --stream"
        )
    }

    /// Waits until a node runs again, and starts the activity there.
    private static func again(_ call: Call, _ start: StartActivity) throws(LocalFailure) -> NodeConnection {
        while true {
            do throws(LocalFailure) {
                var node = try call.connect()
                try begin(call, &node, start)
                return node
            } catch  where error.isPassing {
                _ = Waiting.forOne(of: [], within: NodeLink.pause)
            }
        }
    }

    /// Waits until another machine continues the activity with a stream; returns the connection that carries the
    /// stream.
    ///
    /// The connection that was used for waiting is closed. Otherwise, other machines could wait for this command to
    /// save, while it copies.
    private static func wait(
        _ call: Call, _ node: consuming NodeConnection, _ instance: String
    ) throws(LocalFailure) -> NodeConnection {
        var node = node
        node.waited = call.progress("Waiting for another machine").tell
        while true {
            switch try node.ask(AwaitEvent(), within: patience) {
            case .streamWanted(let number, _, let device):
                var stream = try call.connect()
                do throws(LocalFailure) {
                    _ = try stream.ask(AcceptStream(number))
                } catch  where error.code == .notFound {
                    // The other machine has given up. The loop waits for the next machine.
                    continue
                }
                try call.console.explain("“\(device.name)” is connected.")
                // This command has only one input and output. So no other machine can get a stream.
                var change = ActivityChange()
                change.supportsStreams = false
                do throws(LocalFailure) {
                    _ = try node.ask(
                        UpdateActivity(.instance(app: ShellInstance.app, instance: instance), change))
                } catch  where error.isPassing {
                    // The node has stopped. The stream, which the node carries, reports this.
                }
                return stream
            case .ended: throw LocalFailure(.notFound, "The activity ended before anybody continued it.")
            case .wasContinued(_, let device, isTaken: true):
                throw LocalFailure(
                    .takenOver, "“\(device.name)” took over the activity, without a stream.")
            // The activity does not change after its start, so there is nothing to save.
            case .save(let number, _): _ = try node.ask(ReportSaved(number, nil))
            case .wasContinued, .continues, .opens: continue
            }
        }
    }
}
