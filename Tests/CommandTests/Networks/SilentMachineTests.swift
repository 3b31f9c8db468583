import Foundation
import Support
import Testing

/// The words of a machine about another one that does not answer, each in its own network namespace.
@Suite(
    .enabled(
        if: NetworkNamespaces.arePossible,
        "network namespaces can't be made here: this takes root and the `ip` command")
)
struct `A machine that does not answer` {
    /// The most time until it is noticed while something waits for it, and some for a busy machine.
    private static let noticed = Duration.seconds(15)

    private let folder: TemporaryFolder
    private let network: Network
    private let laptop: Machine
    private let desktop: Machine

    init() throws {
        folder = try TemporaryFolder()
        network = try Network(machines: 2)
        (laptop, desktop) = (Machine("laptop", in: folder), Machine("desktop", in: folder))
        try laptop.must("init", "--no-confirm", "--name", "laptop")
        try startNode(laptop, 0)
        let code = try laptop.invite()
        let words = [Products.baton, "join", code, "--at", "10.77.1.1", "--name", "desktop"]
        let answer = try desktop.type(network.on(1, words))
        try #require(answer.status == 0, "\(answer)")
        try startNode(desktop, 1)
        try desktop.waitUntilConnected(with: laptop)
    }

    private func startNode(_ machine: Machine, _ place: Int) throws {
        try machine.startNode(by: network.on(place, [Products.baton, "node"]))
        try eventually("a node on \(machine.name): \(machine.log)") {
            try machine.baton("status").status == 0
        }
    }

    private func desktopStatus() throws -> JSONValue { try laptop.json("status")["peers"].list[0] }

    /// Makes a change that waits for the desktop, and waits until the laptop says that it is not connected.
    private func awaitLoss() throws {
        try laptop.must("start", "editing", "--title", "waiting")
        try eventually("the end of the connection: \(laptop.log)", within: Self.noticed) {
            try desktopStatus()["connected"].boolean == false
        }
    }

    @Test func `a stopped program is noticed within seconds, and the reason names no outdated address`()
        throws
    {
        try network.renumber(1, of: 1, from: "10.77.1.2/24", to: "10.77.1.9/24")
        try network.ip(1, "route", "replace", "default", "via", "10.77.1.1")
        try eventually("the new address: \(laptop.log)", within: .seconds(20)) {
            let status = try desktopStatus()
            return status["inStep"].boolean == true
                && status["addresses"].list.contains(.string("10.77.1.9:4817"))
        }
        desktop.signalNode(SIGSTOP)
        defer { desktop.signalNode(SIGCONT) }
        try laptop.must("start", "editing", "--title", "at once")
        // A person who asks before the loss is noticed learns that nothing answers.
        let early = try Checkup(laptop, by: network.on(0, []))
        #expect(early.answer.status == 21, "\(early)")
        #expect(["unanswering", "notConnected"].contains(early.outcomes("device").last), "\(early)")
        try awaitLoss()
        let first = try desktopStatus()
        #expect(first["trouble"].string?.contains("it no longer answers") == true, "\(first)")
        #expect(first["closeCode"] == .integer(6), "\(first)")
        let line = try laptop.must("status")
        #expect(!line.contains("code") && line.contains("last seen"), "\(line)")
        #expect(line.contains("1 change waits for it") || line.contains("changes wait for it"), "\(line)")
        #expect(!line.contains("just now"), "it was silent for seconds before that was noticed: \(line)")
        // The next round of attempts ends with what the present address says, not with the end of the earlier one.
        // The attempt is known before the round ends.
        var second = first
        try eventually("the outcome of a round: \(laptop.log)", within: .seconds(40)) {
            second = try desktopStatus()
            return second["attempts"].list.contains { $0["outcome"].string == "noAnswer" }
                && second["trouble"].string?.contains("10.77.1.2") == false
        }
        #expect(second["trouble"].string?.contains(": ") == false, "it is one sentence: \(second)")
        let checkup = try Checkup(laptop, by: network.on(0, []))
        #expect(checkup.answer.status == 21 && checkup.outcomes("device") == ["notConnected"], "\(checkup)")
        #expect(try checkup.outcome(at: "10.77.1.9:4817") == "silent", "\(checkup)")

        desktop.signalNode(SIGCONT)
        try eventually("both in step: \(laptop.log)") { try desktopStatus()["inStep"].boolean == true }
    }

    @Test
    func `an unplugged cable is noticed within seconds, and the doctor reports this machine's own cable`()
        throws
    {
        try network.ip(1, "link", "set", "cable", "down")
        try awaitLoss()
        // Without a carrier on its own side, the machine says so and advises nothing about firewalls.
        let checkup = try Checkup(laptop, by: network.on(0, []))
        #expect(checkup.outcomes("firewall") == ["noCarrier"] && checkup.answer.status == 21, "\(checkup)")
        #expect(checkup.outcomes("discovery") == ["noCarrier"], "\(checkup)")
        #expect(!checkup.advises("discovery", "5353"), "\(checkup)")
        try network.ip(1, "link", "set", "cable", "up")
        try network.ip(1, "route", "replace", "default", "via", "10.77.1.1")
        try eventually("both in step: \(laptop.log)") { try desktopStatus()["inStep"].boolean == true }
    }
}
