import Foundation
import Support
import Testing

/// Kills of a node that shuts a machine out, or withholds something, and loses its database with it.
@Suite struct `Killing a node that revokes or withholds` {
    /// The moments of the kill; the last one is after the answer.
    static let moments = 0..<8

    /// Runs a command, kills the node at a moment, removes its database, and starts it again; returns whether the command
    /// was answered.
    private func kill(_ machine: Machine, during words: [String], at moment: Int) throws -> Bool {
        let command = try machine.begin(["baton"] + words)
        if moment == Self.moments.upperBound - 1 {
            #expect(try command.wait() == 0, "\(command.errors)")
        } else {
            usleep(UInt32(moment) * 8_000)
        }
        machine.killNode()
        let isAnswered = try command.wait() == 0
        for part in ["", "-wal", "-shm"] {
            let path = "\(machine.home)/accounts/default/activities.sqlite\(part)"
            if FileManager.default.fileExists(atPath: path) {
                try FileManager.default.removeItem(atPath: path)
            }
        }
        try machine.startNode()
        return isAnswered
    }

    @Test(arguments: moments)
    func `a revocation that was answered is never lost`(moment: Int) throws {
        let account = try Account("laptop", "phone")
        let (laptop, phone) = (account[0], account[1])
        // Nobody is there who could tell the laptop what it has lost.
        phone.killNode()
        let isAnswered = try kill(laptop, during: ["revoke", "phone", "--yes"], at: moment)
        let isRevoked = try laptop.json("devices", "--all")["devices"].list.contains {
            $0["revoked"]["at"] != .null
        }
        #expect(isRevoked || !isAnswered, "\(laptop.log)")
        guard isRevoked else { return }
        try phone.startNode()
        try eventually("a refusal; \(laptop.log)") { laptop.log.contains("is refused") }
    }

    @Test(arguments: moments)
    func `the change by baton private on is never lost once the command was answered`(moment: Int) throws {
        let laptop = try Account("laptop")[0]
        let isAnswered = try kill(laptop, during: ["private", "on"], at: moment)
        #expect(try laptop.json("private")["private"].boolean == true || !isAnswered, "\(laptop.log)")
    }
}
