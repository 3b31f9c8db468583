import BatonClient
import BatonCore
import Glibc

/// `baton continue --stream`: joins this command's input and output with those of an activity's app.
enum StreamContinue {
    static var option: CommandSpecification.Option {
        .flag("stream", "join input and output with those of `baton start --stream`")
    }

    static var notes: [String] {
        [
            "With --stream nothing is run: what comes from the other machine is the output,",
            "and the input goes there. The end of the input ends that direction alone; what",
            "a person types is not waited for once the other side has ended. There are no",
            "streams while one of the two machines is private.",
        ]
    }

    /// How long the other machine, and the app there, may take to answer, with some time for the way.
    private static var patience: Duration { Limits().streamOpeningTime + .seconds(5) }

    static func run(_ call: Call, _ selection: ActivitySelection) throws(LocalFailure) {
        guard !call.isJSON, !["print", "no-handler", "take"].contains(where: call.arguments.has) else {
            throw LocalFailure(
                .usage,
                "With --stream the output is what comes from the other machine, and nothing is run or taken over."
            )
        }
        var node = try call.connect(waitingFor: "Waiting for the other machine")
        let continued = try node.ask(OpenStream(selection), within: patience).continued
        try call.console.explain(
            "\(continued.summary.label) is connected, on “\(continued.summary.device.name)”.")
        var copier = StreamCopier(node, input: STDIN_FILENO, output: STDOUT_FILENO)
        try copier.run()
    }
}
