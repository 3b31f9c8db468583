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
// `run` logs to the standard error. The others write answers of the local protocol to the standard output, and
// nothing else; the last answer is the result. Before it, `join` names the machine that invites this one. With
// `--confirm`, `init` first answers with the account that it would create, and creates it once a line of the standard
// input is the recovery code; every other line is answered with a failure, and the end of the input creates nothing.
// `recover` and `promote` read the code in the same way.

/// Writes everything; returns false if the other end is gone or full.
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

/// Reports a failure and ends the process with its status.
func end(_ failure: LocalFailure) -> Never {
    // The system's journal reads each line by itself, and 3 means an error.
    let lines =
        Log.isJournal
        ? failure.lines(width: nil, name: "").map { "<3>\($0.text)" }
        : failure.lines(width: TerminalSize.find(of: STDERR_FILENO)?.width).map(\.text)
    // If nobody reads the lines, the exit status still tells of the failure.
    _ = writeAll(Array((lines.joined(separator: "\n") + "\n").utf8), to: STDERR_FILENO)
    exit(Int32(failure.code.rawValue))
}

/// Writes an answer for the command that started this process, and continues.
func tell(_ answer: Frame) throws(LocalFailure) {
    guard writeAll(answer.encoded, to: STDOUT_FILENO) else {
        throw LocalFailure(.failed, "The answer could not be written.")
    }
}

/// Tells the command what is wrong with a line that it wrote.
func refuse(_ failure: LocalFailure) throws(LocalFailure) { try tell(LocalAnswer.frame(failure, number: 0)) }

/// Writes the last answer for the command that started this process, and ends.
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
        // A command that is gone needs no report of a failure, but it must learn that something was done.
        if status != 0 { exit(status) }
        end(LocalFailure(.failed, "The answer could not be written."))
    }
    exit(status)
}

// Writing to a closed connection then fails with an error, instead of ending this process.
signal(SIGPIPE, SIG_IGN)
// All files made here, including those of SQLite, are for this user alone.
umask(0o077)
// A core dump would contain the keys of this device.
var noCore = rlimit()
setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
// Every change is hashed several times, so OpenSSL does it with the processor's instructions for that.
SHA256.preferred = SHA256.byProcessor
do throws(LocalFailure) {
    let arguments = try NodeArguments(Array(CommandLine.arguments.dropFirst()))
    let home = try arguments.home()
    switch arguments.verb {
    case .run:
        try home.demandPrivacy()
        // A node reuses freed memory, which is cheaper than getting new memory from the kernel.
        FreedMemory.keep()
        try Node(home, listen: try arguments.addresses(), discovery: try arguments.discovery()).run()
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
            // A home that others may read is no obstacle to leaving.
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
            // The command is told who invites this machine; if the command is gone, the machine joins anyway.
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
