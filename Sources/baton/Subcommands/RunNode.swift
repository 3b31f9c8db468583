import BatonCommand
import BatonCore

/// `baton node`: replaces this process with the node.
enum RunNode {
    static var specification: CommandSpecification {
        CommandSpecification(
            "node", "Run the node of this machine, in the foreground.",
            options: [
                .value(
                    "listen", "ADDRESS:PORT",
                    "the address to listen on (port \(Home.port) of all addresses)",
                    repeats: true),
                HandlerOptions.file,
            ], isOfAccount: false,
            notes: [
                "It serves all accounts of this machine, on one port. The configuration file,",
                "~/.config/baton/config.json5, may have these settings, read at the start:",
                "  discovery: false,  // do not find machines on local networks",
                "  announce: [\"eth0\"],  // be found on these interfaces or addresses only",
                "  listen: [\"192.0.2.7:4817\"],  // as --listen, which overrides it",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let configuration = try call.configuration() ?? Configuration()
        let typed = call.arguments.values("listen")
        // A service manager has opened the sockets, so it has already decided on which addresses the node listens.
        let isPassed = call.environment("LISTEN_FDS") != nil
        let addresses = typed.isEmpty && !isPassed ? configuration.listen : typed
        let listen = addresses.flatMap { ["--listen", $0] }
        try NodeProgram.find().replaceThisProcess(
            ["run"] + call.homeArguments + listen + configuration.discoveryArguments)
    }
}
