import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc
import Support
import Testing

@testable import BatonNode

/// The packets of a real node with short periods, as another machine on its network hears them.
@Suite(
    .enabled(
        if: NetworkNamespaces.arePossible,
        "network namespaces can't be made here: this takes root and the `ip` command")
)
struct `A listener on a bridge` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The packets that came from the first machine.
    private func packets(in output: String, from address: String) -> [[UInt8]] {
        output.split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == address else { return nil }
            return [UInt8](hex: String(words[2]))
        }
    }

    private func hears(_ output: String, from address: String) throws -> HeardPackets {
        var heard = HeardPackets()
        for packet in packets(in: output, from: address) { try heard.take(packet, on: 1, at: .now) }
        return heard
    }

    @Test func `can't link two periods of a node with two accounts, and sees no name`()
        throws
    {
        let bridge = try Bridge(machines: 2)
        let home = try RunningNode.home(folder)
        let names = ["default", "work"]
        for name in names { _ = try home.of(AccountName(name)).makeAccount(name: "laptop of Ada") }
        let credentials = try names.map { name in
            try IdentityFolder(path: folder.path + "/home/accounts/\(name)/identity").load()
        }
        let listener = try ChildProcess(
            bridge.on(2, [LANScript.path("listener"), "eth0"]),
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], files: folder.path + "/listener")
        try eventually("a listener: \(listener.errors)") { listener.output.hasPrefix("listening\n") }
        let address = try bridge.read(1, "/sys/class/net/eth0/address").filter(\.isHexDigit)
        let node = try RunningNode(folder, at: "[::]:4817", in: bridge.namespace(of: 1)) {
            $0.announcementPeriod = .milliseconds(1000)...(.milliseconds(2000))
        }
        var heard = HeardPackets()
        try eventually("six periods of each account: \(node.lines) \(listener.errors)") {
            // A line may be incomplete.
            let output = listener.output
            guard let end = output.lastIndex(of: "\n") else { return false }
            heard = try hears(String(output[..<end]), from: address)
            return heard.instances.count >= 12
        }
        node.stop()

        let keys = try credentials.map { try AnnouncementKey(root: $0.root.publicKey) }
        var owners: [String: String] = [:]
        var accounts: [String: Int] = [:]
        for (instance, told) in heard.instances {
            for value in told.values {
                #expect(owners.updateValue(instance, forKey: value) == nil, "\(value) of \(instance)")
            }
            // Members know which account it is.
            guard let time = told.values.first(where: { $0.hasPrefix("t=") }),
                let hidden = AnnouncementKey.seals(String(time.dropFirst(2)))?.first
            else { continue }
            let present = AnnouncementKey.hour(of: WallTime.now.seconds)
            for (place, key) in keys.enumerated()
            where AnnouncementKey.tolerates(try key.masked(hidden, in: instance), in: present) {
                accounts[instance] = place
            }
        }
        #expect(Set(accounts.values) == [0, 1] && accounts.count >= 10)
        for group in heard.groups {
            let told = group.compactMap { accounts[$0] }
            #expect(Set(told).count == told.count, "\(group)")
        }
        #expect(heard.forms.count <= 8 && !heard.forms.contains { $0.contains("OTHER") }, "\(heard.forms)")
        var buffer = [CChar](repeating: 0, count: 256)
        try #require(gethostname(&buffer, buffer.count) == 0)
        var host = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        // A short name may stand in a random one by chance; as a label it has its length before it.
        if host.count < 6 { host.insert(UInt8(host.count), at: 0) }
        let secrets =
            [host, Array("laptop of Ada".utf8)]
            + credentials.flatMap { [$0.device.bytes, $0.account.bytes, Array($0.device.short.utf8)] }
        for packet in heard.bytes {
            for secret in secrets { #expect(!packet.contains(secret)) }
        }
    }
}
