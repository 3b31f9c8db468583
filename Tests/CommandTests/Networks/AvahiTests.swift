import BatonSecurity
import Foundation
import Support
import Testing

/// Machines on a local network that run Avahi, too, at the same port.
@Suite(
    .enabled(
        if: NetworkNamespaces.arePossible,
        "network namespaces can't be made here: this takes root and the `ip` command"),
    .enabled(
        if: Avahi.isInstalled,
        "Avahi is not installed here: this takes the Debian packages avahi-daemon, avahi-utils and dbus")
)
struct `Machines on a local network beside Avahi` {
    private let network: LocalNetwork

    init() throws { network = try LocalNetwork() }

    @Test
    func `Avahi on any machine of the network finds a node under a random name, and notices its goodbye`()
        throws
    {
        let (bridge, machines) = try network.start("laptop", "desktop")
        let both = [
            try Avahi(on: 1, of: bridge, as: "thinkpad"), try Avahi(on: 2, of: bridge, as: "workstation"),
        ]
        let secrets = try machines[0].json("status")
        let names = ["laptop", "thinkpad", try #require(secrets["account"].string)]
        var seen: [Set<String>] = []
        for avahi in both {
            let services = try eventual("a node, found by Avahi: \(machines[0].log)") {
                // The names change once the IPv6 address can be used.
                let services = try avahi.services()
                return services.map(\.family).sorted() == ["IPv4", "IPv6"]
                    && Set(services.map(\.instance)).count == 1 ? services : nil
            }
            for service in services {
                #expect(service.port == 4817)
                #expect(service.host.hasSuffix(".local") && service.host.utf8.count == 16 + 6, "\(service)")
                #expect(service.text.map { $0.prefix(2) } == ["a=", "h=", "t=", "v="], "\(service)")
                for name in names { #expect(!"\(service)".contains(name)) }
            }
            #expect(services.contains { $0.address == "10.78.0.1" }, "\(services)")
            seen.append(Set(services.map(\.instance)))
        }
        #expect(seen[0] == seen[1])
        #expect(try machines[0].stopNode() == 0)
        for avahi in both {
            try eventually("the end of the announcement") { try avahi.services().isEmpty }
        }
    }

    @Test func `a node finds a machine that Avahi announces`() throws {
        let (bridge, machines) = try network.start(
            "laptop", "desktop", configuration: ["laptop": "{ discovery: false }"])
        try network.join(machines[1], at: 2, of: bridge, by: machines[0], address: "10.78.0.1")
        try network.waitUntilInStep(machines[0], machines[1])
        // Both get new addresses while they are apart, and the laptop announces nothing itself.
        try network.partAndRenumber(machines, on: bridge)
        let avahi = try Avahi(on: 1, of: bridge, as: "thinkpad")
        try bridge.plug(2, true)
        let known = try machines[1].json("devices", "laptop")["devices"].list[0]["addresses"].list
        #expect(known == [.string("10.78.0.1:4817")])
        let credentials = try IdentityFolder(path: machines[0].identity(of: "default")).load()
        let (key, name) = (try AnnouncementKey(root: credentials.root.publicKey), "what a member wrote")
        // The link has no router, so it is recognised by its prefix.
        let prefix: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 78, 0, 0, 120]
        let hour = AnnouncementKey.hour(of: Int64(Date().timeIntervalSince1970))
        let marks = try key.marks(of: credentials.device, in: name, hour: hour, links: [prefix])
        let time = try key.text(ofHour: hour, in: name)
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 78, 0, 11]
        let seal = try key.seal(of: mapped, port: 4817, in: name)
        let publisher = try avahi.publish(
            name, port: 4817,
            text: ["v=1", "t=\(time)", "h=\(marks)", "a=\(AnnouncementKey.text(ofSeals: [seal]))"])
        try network.waitUntilInStep(machines[0], machines[1])
        #expect(publisher.isRunning)
    }

    @Test
    func `nodes stay connected, and find each other, while Avahi is started and stopped beside them`() throws
    {
        let (bridge, machines) = try network.start("laptop", "desktop")
        var avahi = [
            try Avahi(on: 1, of: bridge, as: "thinkpad"), try Avahi(on: 2, of: bridge, as: "workstation"),
        ]
        try network.join(machines[1], at: 2, of: bridge, by: machines[0])
        try network.waitUntilInStep(machines[0], machines[1])
        func since() throws -> [String?] {
            try machines.map { try $0.json("status")["peers"].list[0]["connectedSince"].string }
        }
        let before = try since()
        for one in avahi { one.stop() }
        avahi[0] = try Avahi(on: 1, of: bridge, as: "thinkpad")
        #expect(try since() == before)
        // It runs on one machine, and was stopped on the other.
        try network.partAndRenumber(machines, on: bridge)
        try bridge.plug(2, true)
        try network.waitUntilInStep(machines[0], machines[1])
        #expect(try machines[1].must("status").contains("discovery:") == false)
    }

    @Test func `doctor warns of the name that Avahi announces beside a node`() throws {
        let (bridge, machines) = try network.start("laptop")
        func outcome() throws -> JSONValue {
            try Checkup(machines[0], by: bridge.on(1, [])).finding("names")
        }
        let alone = try outcome()
        #expect(alone["outcome"].string == "hidden" && alone["mark"].string == "ok", "\(alone)")
        let avahi = try Avahi(on: 1, of: bridge, as: "thinkpad")
        let told = try outcome()
        #expect(told["outcome"].string == "announced" && told["mark"].string == "warning", "\(told)")
        #expect(told["found"].string?.contains("thinkpad.local") == true, "\(told)")
        #expect(told["advice"].string?.contains("avahi-daemon") == true, "\(told)")
        avahi.stop()
        #expect(try outcome()["outcome"].string == "hidden")
    }
}
