import Foundation
import LoginSupport
import Support
import Testing

/// A node that locks itself, with real processes, and with a logind of the test.
@Suite(
    .enabled(if: getuid() == 0, "only root can mount"),
    .enabled(if: PrivateBus.isThere, Comment(rawValue: PrivateBus.advice)))
struct `A node on a machine with logind` {
    private static let marker = "zanzibar-heron"

    /// Starts the node of a machine where the bus of a test stands at the usual place.
    private func startNode(of machine: Machine, on bus: PrivateBus) throws {
        let path = try #require(bus.address.split(separator: "=").last)
        let script = """
            mount -t tmpfs none /run && mkdir /run/dbus && touch /run/dbus/system_bus_socket &&
            mount --bind "$1" /run/dbus/system_bus_socket && exec "$2" node --listen "$3"
            """
        try machine.startNode(by: [
            "/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, "sh", String(path), Products.baton,
            machine.address,
        ])
        try eventually("the node; its log: \(machine.log)") { try machine.baton("status").status == 0 }
    }

    @Test func `locks before the machine sleeps, and lets it sleep then`() throws {
        let bus = try PrivateBus()
        let logind = try FakeLogind(on: bus, FakeLogind.Session())
        let laptop = try Account("laptop")[0]
        laptop.killNode()
        try startNode(of: laptop, on: bus)
        let process = try #require(laptop.nodeNumber)
        try laptop.must("start", "org.example.editing", "--protected", "--title", Self.marker)
        #expect(logind.inhibitions == [], "without a passphrase nothing makes the machine wait")
        #expect(try laptop.baton("lock", "--set", reading: "tiger").status == 0)
        try eventually("the watch; the log: \(laptop.log)") { !logind.inhibitions.isEmpty }
        _ = try laptop.list()
        #expect(try ProcessMemory.contains(Self.marker, process))
        logind.announceSleep(true)
        #expect(logind.isInhibitorReleased(), "\(laptop.log)")
        try eventually("a locked node") { try laptop.json("status")["locked"] == .boolean(true) }
        #expect(try !ProcessMemory.contains(Self.marker, process))
        #expect(laptop.log.contains("the machine is about to sleep"))
        #expect(try laptop.baton("unlock", reading: "tiger").status == 0)
        #expect(try laptop.list().first?["title"] == .string(Self.marker))
    }
}
