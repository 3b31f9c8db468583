import BatonCore
import BatonNetwork
import BatonNode
import BatonSecurity
import Glibc

// The node's executable. People type `baton`, which starts this one:
//
//     baton-node run [--home DIR] [--listen ADDRESS:PORT]… [--discovery off] [--announce INTERFACE]…
//     baton-node init --name NAME [--home DIR] [--account NAME] [--confirm]
//     baton-node join CODE [--at HOST:PORT] --name NAME [--home DIR] [--account NAME] [--discovery off]
//         [--announce INTERFACE]…
//     baton-node recover --name NAME [--at HOST:PORT] [--home DIR] [--account NAME]
//     baton-node promote [--home DIR] [--account NAME]
//     baton-node examine-leaving [--home DIR] [--account NAME]
//     baton-node leave [--home DIR] [--account NAME]
//     baton-node backup FILE [--home DIR] [--account NAME]
//     baton-node backup-anew FILE [--home DIR] [--account NAME]
//     baton-node examine FILE [--home DIR] [--account NAME]
//     baton-node restore FILE [--home DIR] [--account NAME]
//
// `run` logs to the standard error. All other verbs write only answers of the local protocol to the standard output.
// The last answer is the result. Before it, `join` writes an answer that names the inviting machine. With `--confirm`,
// `init` first writes an answer with the account that it would create, and then reads lines of the standard input. It
// creates the account when a line is the recovery code. Every other line is answered with a failure. If the input ends
// before that, nothing is created. `recover` and `promote` read the recovery code in the same way.

/// Writes all bytes.
///
/// Returns false if the other end was closed or accepts no more bytes.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}

/// Reports a failure on the standard error, and ends the process with the failure's exit status.
func end(_ failure: LocalFailure) -> Never {
    // The system's journal treats each line separately. The prefix 3 means an error.
    let lines =
        Log.isJournal
        ? failure.lines(width: nil, name: "").map { "<3>\($0.text)" }
        : failure.lines(width: TerminalSize.find(of: STDERR_FILENO)?.width).map(\.text)
    // If nobody reads the lines, the exit status still says that the command failed.
    _ = writeAll(Array((lines.joined(separator: "\n") + "\n").utf8), to: STDERR_FILENO)
    exit(Int32(failure.code.rawValue))
}

/// Writes an answer to the command that started this process.
///
/// The process continues.
func tell(_ answer: Frame) throws(LocalFailure) {
    guard writeAll(answer.encoded, to: STDOUT_FILENO) else {
        throw LocalFailure(.failed, "The answer could not be written.")
    }
}

/// Tells the command that it has written a line that can't be accepted, and why.
func refuse(_ failure: LocalFailure) throws(LocalFailure) { try tell(LocalAnswer.frame(failure, number: 0)) }

/// Writes the last answer to the command that started this process, and ends the process.
func answer<Reply: LocalReply>(_ make: () throws(LocalFailure) -> Reply) -> Never {
    let answer: Frame
    var status: Int32 = 0
    do throws(LocalFailure) {
        answer = try make().frame(number: 0)
    } catch {
        answer = LocalAnswer.frame(error, number: 0)
        status = Int32(error.code.rawValue)
    }
    guard writeAll(answer.encoded, to: STDOUT_FILENO) else {
        // The command may have ended. Then nobody needs to know about a failure, but a success must be reported.
        if status != 0 { exit(status) }
        end(LocalFailure(.failed, "The answer could not be written."))
    }
    exit(status)
}

// With this, writing to a closed connection fails with an error. Otherwise, it would end this process.
signal(SIGPIPE, SIG_IGN)
// Only this user may access files that this process creates, including the files of SQLite.
umask(0o077)
// A core dump would contain the keys of this device.
var noCore = rlimit()
setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
// Every change is hashed several times. Therefore, OpenSSL should use the processor's instructions for hashing.
SHA256.preferred = SHA256.byProcessor
do throws(LocalFailure) {
    let arguments = try NodeArguments(Array(CommandLine.arguments.dropFirst()))
    let home = try arguments.home()
    switch arguments.verb {
    case .run:
        try home.demandPrivacy()
        // A node keeps freed memory and uses it again. This is cheaper than getting new memory from the kernel.
        FreedMemory.keep()
        let node = try Node(home, listen: try arguments.addresses(), discovery: try arguments.discovery())
        if let next = try node.run() { throw next.begin() }
    case .initialise:
        answer { () throws(LocalFailure) in
            try home.demandPrivacy()
            let account = try NewAccount(in: home, name: try arguments.name())
            if arguments.isConfirming {
                try tell(account.reply.frame(number: 0))
                try account.awaitConfirmation(line: { readLine() }, refuse: refuse)
            }
            return try account.make()
        }
    case .recover:
        answer { () throws(LocalFailure) in
            try home.demandPrivacy()
            return try Recovering(home, name: try arguments.name(), at: arguments.possibleAddress)
                .run(line: { readLine() }, refuse: refuse)
        }
    case .promote:
        answer { () throws(LocalFailure) in
            try home.demandPrivacy()
            return try home.promote(line: { readLine() }, refuse: refuse)
        }
    case .leave(let isConfirmed):
        answer { () throws(LocalFailure) in
            // If other users can read the home, this must not prevent leaving.
            try home.leave(isConfirmed: isConfirmed)
        }
    case .backUp(let path, let replaces):
        answer { () throws(LocalFailure) in
            try home.demandPrivacy()
            return try home.backUp(to: path, replaces: replaces)
        }
    case .restore(let path, let isConfirmed):
        answer { () throws(LocalFailure) in
            try home.demandPrivacy()
            return try home.restore(path, isConfirmed: isConfirmed)
        }
    case .join(let code):
        answer { () throws(LocalFailure) in
            try home.demandPrivacy()
            // The command is told which machine invites this machine. If the command has ended, the machine joins
            // anyway.
            return try Joining(
                home, code: code, at: arguments.possibleAddress, name: try arguments.name(),
                discovery: try arguments.discovery(),
                greeted: { try? tell($0.frame(number: 0)) }
            ).run()
        }
    }
} catch {
    end(error)
}
