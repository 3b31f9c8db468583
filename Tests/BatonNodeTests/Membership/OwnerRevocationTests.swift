import BatonCore
import BatonNode
import BatonSecurity
import BatonStore
import Foundation
import Support
import Testing

/// Owners that admitted more devices than one statement can name.
@Suite struct `Revoking an owner that admitted many devices` {
    /// The node of one owner, and the home of another owner, whose node does not run.
    private struct Stage {
        let folder: TemporaryFolder
        var node: RunningNode
        let near: Credentials
        let far: Credentials
        /// A third owner, whose machine is never there.
        let third: Credentials
        let account: AccountIdentifier
        static let count = Revocation.keptMost + 4

        init() throws {
            folder = try TemporaryFolder()
            let now = Int64(Date().timeIntervalSince1970)
            let root = try RootAuthority(recoveryCode: .random(), now: now)
            (near, far) = (
                try Credentials(root: root, deviceName: "near", now: now),
                try Credentials(root: root, deviceName: "far", now: now)
            )
            third = try Credentials(root: root, deviceName: "third", now: now)
            account = near.account
            for (name, credentials) in [("near", near), ("far", far)] {
                let home = try RunningNode.home(folder, name)
                try FileManager.default.createDirectory(
                    atPath: (home.identity() as NSString).deletingLastPathComponent,
                    withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try SettingsFiles(folder: home.account()).write(.first)
                try IdentityFolder(path: home.identity()).create(credentials)
            }
            node = try RunningNode(folder, "near")
        }

        /// Sends the node the other device, and many devices that this owner admitted; waits until the node knows them.
        func admitMany(_ count: Int = Self.count, by authority: OwnerAuthority) throws {
            let now = Int64(Date().timeIntervalSince1970)
            var drafts = [record(claiming: far.ownerAuthority?.owner)]
            for number in 0..<count {
                let key = try PrivateKey.generate().publicKey
                let statement = try authority.admit(key, name: "device \(number)", now: now).statement
                drafts.append(Journal.Draft(.full(RosterStatement.content), statement.key))
            }
            try say(drafts) {
                let devices = try node.devices()
                let isToldOwner = devices.contains { $0.device.identifier == far.device && $0.isOwner }
                return devices.count == count + 2 && isToldOwner
            }
        }

        /// Sends the node the other device, which says that it has an owner's key, and a third device, which is an owner.
        func admitThird(claiming owner: OwnerIdentifier?) throws {
            let admission = try third.chain.admission()
            let drafts = [
                record(claiming: owner), Journal.Draft(.full(RosterStatement.content), admission.key),
            ]
            try say(drafts) { try node.devices().count == 3 }
        }

        /// The record of the other device, which says that it has an owner's key.
        private func record(claiming owner: OwnerIdentifier?) -> Journal.Draft {
            let now = WallTime(milliseconds: Int64(Date().timeIntervalSince1970) * 1000)
            let device = Device(identifier: far.device, name: "far", admitted: now, owner: owner)
            return Journal.Draft(.full(Write.Content(fields: device.fields)), Device.key(far.device))
        }

        /// Sends the node writes of the other device, and waits until the node knows all devices.
        private func say(_ drafts: [Journal.Draft], areKnown: () throws -> Bool) throws {
            let now = Int64(Date().timeIntervalSince1970)
            let latest = HybridTime(value: UInt64((now + 60) * 1000) << 16)
            var journal = Journal(
                life: Life(after: latest, of: far.device, random: 1), latest: latest, after: [:],
                signer: try DeviceKeySigner(far))
            let named = journal.transaction(.activities, drafts, now: WallTime(milliseconds: now * 1000))
            let transaction = try #require(named)
            let acted = try ActedDevice(RunningNode.home(folder, "far"), callingPort: node.port)
            acted.say(.batch(Batch(number: 1, lane: .activities, writes: transaction.writes, complete: nil)))
            try eventually("all devices are known: \(node.lines)", areKnown)
        }

        /// Stops the node, and returns the statements of the roster in its store.
        func statements() throws -> [RosterStatement] {
            node.stop()
            let store = try SQLiteStore(folder: node.home.account(), account: account)
            return try store.records(of: .rosterStatement).compactMap { record in
                try record.key.map { try RosterStatement($0) }
            }
        }
    }

    @Test func `revoking an owner keeps all devices that it admitted, even more than one statement can list`()
        throws
    {
        var stage = try Stage()
        try stage.admitMany(by: #require(stage.far.ownerAuthority))
        guard
            case .success(let revoked) = try stage.node.ask(RevokeDevice("far", isConfirmed: true)).map(
                \.device)
        else {
            return #expect(Bool(false), "the owner was not revoked")
        }
        #expect(revoked.revocation?.revoker == "near" && revoked.isOwner == false)
        for round in 0..<2 {
            let out = try stage.node.devices().filter { $0.revocation != nil }
            #expect(out.map(\.device.identifier) == [stage.far.device], "in round \(round)")
            #expect(try stage.node.devices().count == Stage.count + 2)
            guard round == 0 else { break }

            // A third device could come to no other result, because the statements contain all of it.
            let statements = try stage.statements()
            var (kept, admitted) = ([DeviceIdentifier](), 0)
            let verifier = RosterVerifier(root: stage.near.root)
            for statement in statements {
                switch verifier.verify(statement) {
                case .ownerRevocation(_, let devices, _): kept += devices
                case .admission(let admission) where admission.owner == stage.near.ownerAuthority?.owner:
                    admitted += 1
                default: break
                }
            }
            #expect(kept.count == Revocation.keptMost && Set(kept).count == kept.count)
            // Four devices that were admitted again, and this device itself.
            #expect(admitted == 4 + 1)
            stage.node = try RunningNode(stage.folder, "near")
        }
    }

    /// A stolen machine signs its record, and may say anything of the key that it has.
    @Test(arguments: Claim.allCases)
    func `revoking a stolen owner revokes exactly its key, whatever key its machine claims to have`(
        _ claim: Claim
    ) throws {
        let stage = try Stage()
        let owner =
            switch claim {
            case .none: nil as OwnerIdentifier?
            case .own: stage.far.ownerAuthority?.owner
            case .third: stage.third.ownerAuthority?.owner
            }
        try stage.admitThird(claiming: owner)
        #expect(try stage.node.ask(RevokeDevice("far", isConfirmed: true)).isSuccess)
        let verifier = RosterVerifier(root: stage.near.root)
        let revoked = try stage.statements().compactMap { (statement) -> OwnerIdentifier? in
            if case .ownerRevocation(let owner, _, _) = verifier.verify(statement) { owner } else { nil }
        }
        #expect(revoked == [try #require(stage.far.ownerAuthority?.owner)])
    }

    /// The owner whose key a stolen machine claims.
    enum Claim: CaseIterable {
        case none, own, third
    }

    /// The owner's own machine is one of those that it admitted.
    @Test(arguments: [Limits.ownerDevices - 2, Limits.ownerDevices - 1])
    func `inviting is refused if the owner has already admitted as many devices as the limit`(_ count: Int)
        throws
    {
        let stage = try Stage()
        try stage.admitMany(count, by: #require(stage.near.ownerAuthority))
        switch try stage.node.ask(OpenInvitation(asksPerson: false)) {
        case .success: #expect(count < Limits.ownerDevices - 1)
        case .failure(let failure):
            #expect(count == Limits.ownerDevices - 1 && failure.code == .notAllowed)
            #expect(failure.text.contains("\(Limits.ownerDevices) devices"))
        }
    }

    @Test func `an owner can't revoke itself if devices that it admitted would be revoked, too`() throws {
        let stage = try Stage()
        try stage.admitMany(by: #require(stage.near.ownerAuthority))
        guard case .failure(let failure) = try stage.node.ask(RevokeDevice("near", isConfirmed: true)) else {
            return #expect(Bool(false), "an owner revoked itself with others")
        }
        #expect(failure.code == .notAllowed && failure.text.contains("another owner"))
        #expect(try stage.node.devices().allSatisfy { $0.revocation == nil })
        #expect(
            try stage.statements().allSatisfy { if case .admission = $0 { true } else { false } },
            "a statement was written")
    }
}
