import BatonCore
import BatonNetwork
import BatonNode
import Glibc

// The node's executable. People type `baton`, which starts this one:
//
//     baton-node run [--home DIR] [--listen ADDRESS:PORT]…
//     baton-node init --name NAME [--home DIR] [--account NAME] [--confirm]
//     baton-node join CODE --at HOST:PORT --name NAME [--home DIR] [--account NAME]
//     baton-node recover --name NAME [--at HOST:PORT] [--home DIR] [--account NAME]
//     baton-node promote [--home DIR] [--account NAME]
//     baton-node examine-leaving [--home DIR] [--account NAME]
//     baton-node leave [--home DIR] [--account NAME]
//     baton-node backup FILE [--home DIR] [--account NAME]
//     baton-node backup-anew FILE [--home DIR] [--account NAME]
//     baton-node examine FILE [--home DIR] [--account NAME]
//     baton-node restore FILE [--home DIR] [--account NAME]
//
// `run` talks to people on the standard error. The others write answers of the local protocol to the standard
// output, and nothing else: the last says what came of it. `join` says before who lets this machine in. With
// `--confirm`, `init` says before what it would make, and makes it once a line of the standard input is the recovery
// code; it answers each other line by a failure, and makes nothing if the input ends. `recover` and `promote` read the
// code so, too.

/// Writes everything; false if the other end is gone or full.
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

/// Ends the process as the failure says.
func end(_ failure: LocalFailure) -> Never {
    // What happened, and on a line of its own what to type. Where nobody reads it, the status still tells.
    let lines = failure.text.split(separator: "\n", maxSplits: 1).map { VisibleText($0).text }
    // The system's journal takes each line by itself, and three for an error.
    let text = Log.isJournal ? lines.map { "<3>\($0)" } : ["baton: \(lines.first ?? "")"] + lines.dropFirst()
    _ = writeAll(Array((text.joined(separator: "\n") + "\n").utf8), to: STDERR_FILENO)
    exit(Int32(failure.code.rawValue))
}

/// Writes an answer for the command that started this process, which goes on.
func tell(_ answer: Frame) throws(LocalFailure) {
    guard writeAll(answer.encoded, to: STDOUT_FILENO) else {
        throw LocalFailure(.failed, "The answer could not be written.")
    }
}

/// Tells the command what is wrong with a line that it wrote.
func refuse(_ failure: LocalFailure) throws(LocalFailure) { try tell(LocalAnswer.frame(failure, number: 0)) }

/// Writes the last answer for the command that started this process.
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
        // The command that gave up has said so; only that something was done after all would be news.
        if status != 0 { exit(status) }
        end(LocalFailure(.failed, "The answer could not be written."))
    }
    exit(status)
}

// A peer that is gone shows as an error where it is written to.
signal(SIGPIPE, SIG_IGN)
// Whatever is made here, by SQLite too, is for this user alone.
umask(0o077)
// What a crash leaves behind would have the keys of this device in it.
var noCore = rlimit()
setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
do throws(LocalFailure) {
    let arguments = try NodeArguments(Array(CommandLine.arguments.dropFirst()))
    let home = try arguments.home()
    switch arguments.verb {
    case .run:
        try home.demandPrivacy()
        // What flows through a node is put into memory again and again.
        FreedMemory.keep()
        try Node(home, listen: try arguments.addresses()).run()
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
            // Whoever can't start a node because others may read the home can leave all the same.
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
            // Who started this is told who lets it in; where it is gone, that is no reason not to join.
            return try Joining(
                home, code: code, at: try arguments.address(), name: try arguments.name(),
                greeted: { try? tell($0.frame(number: 0)) }
            ).run()
        }
    }
} catch {
    end(error)
}
