import BatonClient
import BatonCore
import Glibc

/// `baton start --stream`: offers this command's input and output to who continues the activity.
enum StreamStart {
    static var option: CommandSpecification.Option {
        .flag("stream", "wait until another machine continues it, and join its input and output with these")
    }

    static var notes: [String] {
        [
            "With --stream the activity lasts as long as this command, and goes on once:",
            "  tar c FOLDER | baton start org.example.tar --stream",
            "  baton continue org.example.tar --stream | tar x      (on the other machine)",
            "While the node is gone it waits for the next one. `baton private on` breaks it.",
            "Exit status: 0 once each side has all that the other said, 20 if the stream",
            "broke.",
        ]
    }

    /// How long a person may take.
    private static var patience: Duration { .seconds(100 * 365 * 86_400) }

    static func run(_ call: Call, _ type: String, _ change: ActivityChange) throws(LocalFailure) {
        guard !call.isJSON else {
            throw LocalFailure(
                .usage, "With --stream the output is what comes from the other machine, not JSON.")
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

    /// Offers the activity until somebody continues it with a stream; answers with the connection that carries it.
    ///
    /// A node that goes away is waited for, as a person may take long to come, and it is offered by the next one.
    private static func offer(
        _ call: Call, _ start: StartActivity
    ) throws(LocalFailure) -> NodeConnection {
        var node = try call.connect()
        try begin(call, &node, start)
        while true {
            do throws(LocalFailure) {
                return try wait(call, node, start.instance)
            } catch  where error.isPassing {
                try call.console.explain("The node is gone. This goes on once it is started again.")
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
                ? "\(summary.label) waits, but stays on this machine for now: `baton private off` ends that."
                : "\(summary.label) waits for another machine: baton continue \(summary.short) --stream")
    }

    /// Seeks the node until it is there, and begins the activity with it.
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

    /// Waits until somebody continues the activity with a stream; answers with the connection that carries it.
    ///
    /// The other connection ends here, so that nobody waits for this command to save while it has something else to do.
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
                    // Who wanted it has given up; the next one may be more patient.
                    continue
                }
                try call.console.explain("“\(device.name)” is connected.")
                // Only one can have it.
                var change = ActivityChange()
                change.supportsStreams = false
                do throws(LocalFailure) {
                    _ = try node.ask(
                        UpdateActivity(.instance(app: ShellInstance.app, instance: instance), change))
                } catch  where error.isPassing {
                    // The node is gone, and the stream that goes through it says so itself.
                }
                return stream
            case .ended: throw LocalFailure(.notFound, "The activity was ended before anybody continued it.")
            case .wasContinued(_, let device, isTaken: true):
                throw LocalFailure(
                    .takenOver, "The activity was taken over by “\(device.name)”, which wants no streams.")
            // Nothing is known of it that was not said at the start.
            case .save(let number, _): _ = try node.ask(ReportSaved(number, nil))
            case .wasContinued, .continues: continue
            }
        }
    }
}
