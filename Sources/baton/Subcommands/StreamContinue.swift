import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal
import Glibc

/// `baton continue --stream`: connects this command's input and output to the app that has an activity.
enum StreamContinue {
    static var option: CommandSpecification.Option {
        .flag("stream", "connect input and output with those of `baton start --stream`")
    }

    static var notes: [String] {
        [
            "With --stream nothing is run: the output is what the other machine sends, and",
            "the input goes there. The end of the input ends that direction alone. Input from",
            "a terminal ends when the other side does. There are no streams while one of the",
            "two machines is private.",
        ]
    }

    /// How long to wait for the other machine and its app, including some time for the network.
    private static var patience: Duration { Limits().streamOpeningTime + .seconds(5) }

    static func run(_ call: Call, _ selection: ActivitySelection) throws(LocalFailure) {
        guard !call.isJSON, !["print", "no-handler", "take"].contains(where: call.arguments.has) else {
            throw LocalFailure(
                .usage,
                "--stream can't be combined with --json, --print, --no-handler or --take."
            )
        }
        var node = try call.connect(waitingFor: "Waiting for the other machine")
        let continued = try node.ask(OpenStream(selection), within: patience).continued
        try call.console.explain(
            "Connected to \(continued.summary.label) on “\(continued.summary.device.name)”.")
        var copier = StreamCopier(node, input: STDIN_FILENO, output: STDOUT_FILENO)
        try copier.run()
    }
}
