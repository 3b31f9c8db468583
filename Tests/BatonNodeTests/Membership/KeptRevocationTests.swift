import BatonCore
import BatonNode
import BatonSecurity
import BatonStore
import Foundation
import Support
import Testing

/// Tests that a revoked device stays revoked, whatever is lost, damaged or put back on the node that knows of it.
@Suite struct `Revocations beside the databases` {
    private static let quick: @Sendable (inout Limits) -> Void = { limits in
        limits.redialTime = .milliseconds(10)...(.milliseconds(50))
        limits.diskPause = .milliseconds(50)
    }

    /// Two connected nodes, the first of which revokes the second; no third one could tell them what they lose.
    private struct Pair {
        let folder: TemporaryFolder
        var near: RunningNode
        let lost: RunningNode
        /// The address of the first node, which the second one dials all the time.
        let address: String

        init() throws {
            folder = try TemporaryFolder()
            near = try RunningNode.first(folder, "near", `Revocations beside the databases`.quick)
            address = "127.0.0.1:\(near.port)"
            try near.admit("lost")
            lost = try RunningNode(folder, "lost", `Revocations beside the databases`.quick)
            try eventually("two in step: \(near.lines)") { [near] in
                try near.peers().first?.isInStep == true
            }
        }

        var account: String { near.home.account() }
        var paths: [String] { RevocationFiles(folder: account).paths }

        func revoke() throws {
            #expect(try near.ask(RevokeDevice("lost", isConfirmed: true)).isSuccess)
        }

        mutating func restart() throws {
            near.stop()
            near = try RunningNode(folder, "near", at: address, `Revocations beside the databases`.quick)
        }

        /// Expects that the second device dials, is turned away, and is listed as revoked.
        func expectOut(_ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) throws {
            let device = try near.status().device.identifier
            try eventually("the other one is refused: \(near.lines)") {
                near.lines.contains { $0.contains("is refused") }
            }
            let others = try near.devices().filter { $0.device.identifier != device }
            #expect(others.count == 1, comment, sourceLocation: sourceLocation)
            #expect(others.first?.revocation != nil, comment, sourceLocation: sourceLocation)
            #expect(others.first?.isConnected == false, comment, sourceLocation: sourceLocation)
        }

        /// Returns the revocations in the store of the first node, which must not run.
        func revocations() throws -> [RecordKey] {
            let account = try IdentityFolder(path: near.home.identity()).load().account
            let store = try SQLiteStore(folder: near.home.account(), account: account)
            return try store.records(of: .rosterStatement).compactMap(\.key).filter { key in
                if case .revocation = try RosterStatement(key) { true } else { false }
            }
        }
    }

    @Test func `a revoked device stays out after damage or loss of a database or of one file`() throws {
        var pair = try Pair()
        try pair.revoke()
        pair.near.stop()
        let before = Set(try pair.revocations())
        #expect(before.count == 1)
        for loss in AccountLoss.allCases {
            try loss.strike(pair.account, pair.paths)
            try pair.restart()
            try pair.expectOut("\(loss)")
            #expect(!pair.near.hasLogged("connected with"), "\(loss)")
            pair.near.stop()
            // They are ordinary statements again, and both files have them.
            #expect(try Set(pair.revocations()) == before, "\(loss)")
            #expect(RevocationFiles(folder: pair.account).read().damaged.isEmpty, "\(loss)")
            for path in pair.paths { #expect(FileManager.default.fileExists(atPath: path), "\(loss)") }
        }
    }

    @Test func `restoring an older backup does not readmit a revoked device`() throws {
        let pair = try Pair()
        let path = pair.folder.path + "/backup"
        try pair.near.backUp(to: path)
        try pair.revoke()
        try pair.near.restore(from: path)
        try pair.expectOut("restored")
        #expect(pair.near.hasLogged("lacks 1 revocation"))
        pair.near.stop()
        #expect(try pair.revocations().count == 1)
    }

    @Test func `a database damaged at run time gets its revocations back from the files`() throws {
        var pair = try Pair()
        try pair.revoke()
        try pair.restart()
        try FileDamage.flipPages(of: "\(pair.account)/activities.sqlite")
        let near = pair.near
        // A backup reads everything, and has the database rescued; the node may also find the damage before it.
        _ = try near.ask(WriteBackup(path: pair.folder.path + "/backup", replaces: true))
        try eventually("the loss: \(near.lines)") { near.hasLogged("lacks 1 revocation") }
        try pair.expectOut("damaged")
        near.stop()
        #expect(try pair.revocations().count == 1)
    }

    @Test func `a revocation received from another device is stored in the files, too`() throws {
        let nodes = try ConnectedNodes(["near", "far", "lost"])
        #expect(try nodes[0].ask(RevokeDevice("lost", isConfirmed: true)).isSuccess)
        let files = RevocationFiles(folder: nodes[1].home.account())
        try eventually("the files on the other node: \(nodes[1].lines)") {
            let found = files.read()
            return found.keys.count == 1 && found.damaged.isEmpty
        }
    }

    @Test func `revocations of owners are stored in the files, too`() throws {
        let folder = try TemporaryFolder()
        let code = try RunningNode.home(folder, "near").makeAccount(name: "near").recoveryCode
        var near = try RunningNode(folder, "near", Self.quick)
        try near.admit("lost")
        let lost = try RunningNode(folder, "lost", Self.quick)
        #expect(try lost.ask(PromoteDevice(code: code)).isSuccess)
        try eventually("another owner: \(near.lines)") { try near.peers().first?.isOwner == true }
        #expect(try near.ask(RevokeDevice("lost", isConfirmed: true)).isSuccess)
        near.stop()
        let account = near.home.account()
        #expect(RevocationFiles(folder: account).read().keys.count == 2)
        for lane in Lane.allCases { try AccountLoss.removeDatabase(of: lane, in: account) }
        near = try RunningNode(folder, "near", Self.quick)
        #expect(near.hasLogged("lacks 2 revocations"))
    }

    @Test
    func `damaged files are rewritten from the database, and invalid statements in them are ignored`()
        throws
    {
        var pair = try Pair()
        try pair.revoke()
        pair.near.stop()
        let before = RevocationFiles(folder: pair.account).read().keys
        for path in pair.paths { try AccountLoss.damage(path) }
        try pair.restart()
        for path in pair.paths { #expect(pair.near.hasLogged("\(path) can't be read")) }
        try pair.expectOut("damaged")
        pair.near.stop()
        #expect(RevocationFiles(folder: pair.account).read().keys == before)

        // A statement whose signature is wrong says nothing.
        var forged = try #require(before.first).name
        forged[forged.count - 1] ^= 1
        try RevocationFiles(folder: pair.account)
            .write(before + [RecordKey(kind: .rosterStatement, name: forged)])
        try pair.restart()
        #expect(pair.near.hasLogged("1 of the revocations beside the database are not valid"))
        try pair.expectOut("forged")
        pair.near.stop()
        #expect(RevocationFiles(folder: pair.account).read().keys == before)
    }

    @Test func `revoking reports that the files can't be written, and the files are written once possible`()
        throws
    {
        let pair = try Pair()
        // A folder can't be replaced by a file.
        let obstacle = pair.paths[0]
        try FileManager.default.createDirectory(
            atPath: obstacle + "/inside", withIntermediateDirectories: true)
        guard case .failure(let failure) = try pair.near.ask(RevokeDevice("lost", isConfirmed: true)) else {
            return #expect(Bool(false), "the revocation is not kept beside the database")
        }
        #expect(
            failure.text.contains("beside the database")
                && failure.text.contains("The revocation is in force"))
        try pair.expectOut("in force")
        try FileManager.default.removeItem(atPath: obstacle)
        try eventually("both files: \(pair.near.lines)") {
            pair.paths.allSatisfy { FileManager.default.fileExists(atPath: $0) }
        }
        #expect(RevocationFiles(folder: pair.account).read().keys.count == 1)
    }
}
