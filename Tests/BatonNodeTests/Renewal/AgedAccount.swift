import BatonCore
import BatonNode
import BatonSecurity
import BatonStore
import Glibc
import Support
import Testing

/// An account whose certificates have the ages that a test wants, with the homes of its devices.
///
/// Instead of changing the clock, it makes certificates in the past: an expired one was issued long ago.
struct AgedAccount {
    let folder: TemporaryFolder
    let code: RecoveryCode
    let root: RootAuthority
    let owner: OwnerAuthority
    static let day: Int64 = 86_400

    /// Creates an account that is this number of days old.
    init(days: Int64) throws {
        folder = try TemporaryFolder()
        code = try RecoveryCode.random()
        let then = Self.now - days * Self.day
        root = try RootAuthority(recoveryCode: code, now: then)
        owner = try root.makeOwner(now: then)
    }

    static var now: Int64 { Int64(time(nil)) }

    /// Makes a device that was admitted this number of days ago, by the first owner or another one.
    ///
    /// With `hasKey` it also has the owner's key.
    func device(
        _ name: String, days: Int64, by signer: OwnerAuthority? = nil, hasKey: Bool = false
    ) throws -> Credentials {
        let (key, owner) = (try PrivateKey.generate(), signer ?? self.owner)
        let certificate = try owner.certify(key.publicKey, name: name, now: Self.now - days * Self.day)
        let chain = AccountChain(root: root.certificate, owner: owner.certificate, device: certificate)
        return try Credentials(
            chain: chain, deviceKey: key, ownerKey: hasKey ? owner.key : nil,
            protection: .plain(code.contentKey()),
            at: nil)
    }

    /// Makes the home of a device that knows some statements, and the addresses of some nodes.
    @discardableResult func makeHome(
        _ credentials: Credentials, knowing statements: [RosterStatement] = [],
        meeting others: [(Credentials, port: UInt16)] = []
    ) throws -> Home {
        let home = try RunningNode.home(folder, credentials.deviceName)
        for part in ["", "/accounts", "/accounts/default"] { mkdir(home.data + part, 0o700) }
        let store = try SQLiteStore(folder: home.account(), account: credentials.account)
        let now = WallTime(milliseconds: Self.now * 1000)
        var journal = Journal(
            life: Life(after: .zero, of: credentials.device, random: credentials.device.low), latest: .zero)
        let drafts = statements.map { Journal.Draft(.full(RosterStatement.content), $0.key) }
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        if !drafts.isEmpty {
            let named = journal.transaction(.activities, drafts, now: now)
            transaction = try #require(named)
        }
        transaction.notes = others.map { other, port in
            var writer = CBORWriter()
            writer.array(count: 2)
            writer.text(other.deviceName)
            writer.array(count: 1)
            writer.array(count: 4)
            writer.text("127.0.0.1:\(port)")
            writer.unsigned(2)
            writer.boolean(false)
            writer.array(count: 0)
            return LocalNote(space: .address, name: other.device.bytes, value: writer.bytes)
        }
        _ = try store.commit(transaction)
        try SettingsFiles(folder: home.account()).write(.first)
        try IdentityFolder(path: home.identity()).create(credentials)
        return home
    }

    /// Starts the node of a home.
    func start(
        _ credentials: Credentials, at address: String = "127.0.0.1:0",
        _ change: (inout Limits) -> Void = { _ in }
    ) throws -> RunningNode {
        try RunningNode(folder, credentials.deviceName, at: address) { limits in
            limits.redialTime = .milliseconds(10)...(.milliseconds(100))
            change(&limits)
        }
    }

    /// Returns the credentials that a home has now.
    func identity(_ credentials: Credentials) throws -> Credentials {
        let home = try RunningNode.home(folder, credentials.deviceName)
        return try IdentityFolder(path: home.identity()).load()
    }
}

extension RunningNode {
    /// Returns the names of the devices that are connected and in step.
    func inStep() throws -> Set<String> {
        Set(try peers().filter(\.isInStep).map(\.device.name))
    }

    /// Returns the problems that its status shows.
    func troubles() throws -> [String] {
        guard case .success(let status) = try ask(GetStatus()) else { return [] }
        return status.troubles
    }

    /// Returns whether a line of its log contains the text.
    func hasLogged(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
}
