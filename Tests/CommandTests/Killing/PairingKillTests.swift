import Glibc
import Support
import Synchronization
import Testing

/// Pairing that is cut short at any step leaves each machine a member, or not, and able to go on.
@Suite struct `Killing during pairing` {
    /// More pieces than a pairing has, so that the last runs complete.
    static let pieces = 1...12

    @Test(arguments: pieces) func `pairing recovers from a kill of the inviting node at any step`(piece: Int)
        throws
    {
        let account = try Account("laptop")
        let (laptop, desktop) = (account[0], account.newMachine("desktop"))
        let code = try laptop.invite()
        let node = try #require(laptop.nodeNumber)
        let relay = try Relay(to: laptop.port, before: piece) { kill(node, SIGKILL) }
        let answer = try desktop.baton("join", code, "--at", relay.address, "--name", "desktop")
        if relay.pieces >= piece { try eventually("a dead inviter") { !laptop.isNodeRunning } }
        laptop.killNode()
        try laptop.startNode()

        let what = "the inviter died before piece \(piece) of \(relay.pieces); \(answer)"
        let isMember = try desktop.isMember()
        #expect(isMember == (answer.status == 0), "the joiner was told what is true; \(what)")
        if !isMember {
            #expect([9, 10].contains(answer.status), "\(what)")
            #expect(answer.errors.contains("`baton "), "it says what to type; \(what)")
        }
        try desktop.becomeMember(of: laptop)
    }

    @Test(arguments: pieces) func `pairing recovers from a kill of the joining program at any step`(
        piece: Int
    ) throws {
        let account = try Account("laptop")
        let (laptop, desktop) = (account[0], account.newMachine("desktop"))
        let inviting = try laptop.begin(["baton", "invite"])
        let code = try eventual("a code", attempt: { inviting.output.firstMatch(of: /Code: (\S+)/)?.1 })
        let victim = Victim()
        let relay = try Relay(to: laptop.port, before: piece) { victim.killWorker() }
        let joining = try desktop.begin(
            ["baton", "join", String(code), "--at", relay.address, "--name", "desktop"])
        victim.command = joining.number
        let status = try joining.wait()

        let what = "the joiner died before piece \(piece) of \(relay.pieces): \(joining.errors)"
        let isMember = try desktop.isMember()
        #expect(status == 0 || status == 1, "\(what)")
        #expect(isMember || status != 0, "\(what)")
        try desktop.becomeMember(of: laptop)
        // The inviter learnt that it joined or may not have joined, or its invitation was replaced since.
        let told = try inviting.wait()
        #expect(told == 0 ? isMember : !inviting.errors.isEmpty, "\(what); the inviter: \(inviting.errors)")
    }
}

/// The child of a command, to be killed while the command waits for it.
final class Victim: Sendable {
    private let process = Mutex<pid_t>(0)

    /// The process of the command.
    var command: pid_t {
        get { process.withLock { $0 } }
        set { process.withLock { $0 = newValue } }
    }

    /// Kills the command's child, and waits until it is dead.
    func killWorker() {
        var command: pid_t = 0
        _ = try? eventually("a command") {
            command = self.command
            return command != 0
        }
        let children = File.read("/proc/\(command)/task/\(command)/children") ?? ""
        for child in children.split(separator: " ").compactMap({ pid_t($0) }) {
            kill(child, SIGKILL)
            _ = try? eventually("a dead child") {
                let state = File.read("/proc/\(child)/stat")?.split(separator: ")").last?.first { $0 != " " }
                return state == nil || state == "Z"
            }
        }
    }
}

extension Machine {
    /// Whether there is an account here; in both cases the message must say how to go on.
    fileprivate func isMember() throws -> Bool {
        let answer = try baton("status")
        #expect(answer.status == 3 || answer.status == 4, "\(answer)")
        #expect(
            answer.advice.contains { $0.hasPrefix(answer.status == 3 ? "baton node" : "baton join CODE") },
            "\(answer)")
        return answer.status == 3
    }

    /// Joins, if it has not joined, and hands an activity over.
    fileprivate func becomeMember(of inviter: Machine) throws {
        if try !isMember() { try join(inviter) }
        try startNode()
        try waitUntilConnected(with: inviter)
        try inviter.must("start", "x", "--title", "after all")
        try waitForActivity(titled: "after all")
        // A joiner that died before it stored its certificate has left nothing behind.
        #expect(try inviter.json("devices")["devices"].list.count == 2)
        try inviter.must("status", "--wait", "--timeout", "20")
    }
}
