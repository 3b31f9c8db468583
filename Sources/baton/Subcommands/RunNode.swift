import BatonClient
import BatonCore

/// `baton node`: replaces itself with the node.
enum RunNode {
    static var specification: CommandSpecification {
        CommandSpecification(
            "node", "Run the node of this machine, in the foreground.",
            options: [
                .value(
                    "listen", "ADDRESS:PORT",
                    "the address to listen on (port \(Home.port) of all addresses)",
                    repeats: true)
            ], isOfAccount: false, notes: ["It serves all accounts of this machine, on one port."])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let listen = call.arguments.values("listen").flatMap { ["--listen", $0] }
        try NodeProgram.find().replaceThisProcess(["run"] + call.homeArguments + listen)
    }
}
