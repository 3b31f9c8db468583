import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton status`: shows the status of the node and its connections.
enum Status {
    static var specification: CommandSpecification {
        CommandSpecification(
            "status", "Show the state of the node, and whether your machines are in step.",
            options: [
                .flag("wait", "wait until the node is running and all machines are connected and in step"),
                .flag(
                    "digest",
                    "print a digest of the state, which is the same on all machines in step"),
                .value("at", "TIME", "for --digest: leave out what has expired at TIME (now)"),
                .value("timeout", "SECONDS", "how long to wait (30)"),
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let timeout = try timeout(call.arguments)
        if call.arguments.has("digest") { return try printDigest(call) }
        guard !call.arguments.has("at") else {
            throw LocalFailure(.usage, "--at works with --digest only.")
        }
        if !call.arguments.has("wait") {
            var node = try call.connect()
            return try print(try node.ask(GetStatus()), &node, call)
        }
        let watch = Stopwatch()
        while true {
            let missing: LocalFailure
            do throws(LocalFailure) {
                let status = try wholeStatus(call, watch, timeout: timeout)
                var node = try call.connect()
                return try print(status, &node, call)
            } catch  where error.code == .noNode || error.code == .failed {
                missing = error
            }
            guard watch.elapsed < timeout else {
                throw LocalFailure(
                    missing.code, "Gave up after \(HumanTime.span(timeout)): \(missing.text)")
            }
            call.progress("Waiting for the node").tell(watch.elapsed)
            LocalClock.pause(pause)
        }
    }

    /// Waits until all machines are in step, and returns the status.
    ///
    /// After the timeout, throws which machines are not.
    private static func wholeStatus(
        _ call: Call, _ watch: Stopwatch, timeout: Duration
    ) throws(LocalFailure) -> NodeStatus {
        var node = try call.connect()
        while true {
            let status = try node.ask(GetStatus())
            let missing = status.missing
            if missing.isEmpty { return status }
            guard watch.elapsed < timeout else {
                throw LocalFailure(.failed, missing.joined(separator: "; ") + ".")
            }
            call.progress("Waiting").tell(watch.elapsed, VisibleText(missing.joined(separator: "; ")))
            LocalClock.pause(pause)
        }
    }

    private static func print(
        _ status: NodeStatus, _ node: inout NodeConnection, _ call: Call
    ) throws(LocalFailure) {
        guard !call.isJSON else { return call.console.print(JSON(status)) }
        let isPrivate = try node.ask(GetSettings())[.private] != 0
        for line in StatusText(status, isPrivate: isPrivate).lines(at: .here) { call.console.print(line) }
    }

    private static func printDigest(_ call: Call) throws(LocalFailure) {
        let time: WallTime
        if let text = call.arguments.value("at") {
            time = try PresentTime.here.expiry(text)
        } else {
            time = LocalClock.now
        }
        var node = try call.connect()
        let (watch, line) = (Stopwatch(), call.progress("Waiting for the node's disk"))
        let (state, toClear) = try node.digest(at: time) { left in
            line.tell(watch.elapsed, StatusText.settling(left))
        }
        let digest = state.bytes.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        if call.isJSON {
            call.console.print(
                .object([.init("digest", .string(digest)), .init("toClear", .integer(Int64(toClear)))]))
        } else {
            if let text = StatusText.clearing(toClear) { try call.console.explain(text) }
            call.console.print(VisibleText(digest))
        }
    }

    private static func timeout(_ arguments: Arguments) throws(LocalFailure) -> Duration {
        guard let text = arguments.value("timeout") else { return .seconds(30) }
        guard arguments.has("wait") else { throw LocalFailure(.usage, "--timeout works with --wait only.") }
        guard let seconds = Double(text), (0...1_000_000).contains(seconds) else {
            throw LocalFailure(.usage, "\(text) is not a number of seconds.")
        }
        return .milliseconds(Int64(seconds * 1000))
    }

    /// The time between two calls to the node.
    private static var pause: Duration { .milliseconds(50) }
}
