import BatonLogin
import LoginSupport
import Testing

@Suite(.enabled(if: PrivateBus.isThere, Comment(rawValue: PrivateBus.advice)))
struct `Values on a bus` {
    @Test func `arrive as they were sent, with what is in them`() throws {
        let bus = try PrivateBus()
        let echo = try FakeBusService("org.example.Echo", at: bus.address) { _, _, arguments in
            .values(arguments)
        }
        let values: [BusValue] = [
            .text("tea ☕"), .path("/org/example"), .flag(true), .flag(false), .signed32(-7),
            .unsigned32(.max), .unsigned64(.max), .variant(.structure([.unsigned32(1), .text("")])),
            .details([("user", .unsigned32(1000)), ("name", .text(":1.2"))]), .list([], of: "{ss}"),
        ]
        try withExtendedLifetime(echo) {
            let connection = try SystemBus(address: bus.address)
            let call = BusCall(
                "Echo", of: "org.example.Echo", at: "/", service: "org.example.Echo", arguments: values)
            #expect(try connection.call(call) == values)
        }
    }

    @Test func `have the signatures of D-Bus`() {
        #expect(BusValue.details([]).signature == "a{sv}")
        #expect(BusValue.structure([.text("a"), .details([])]).signature == "(sa{sv})")
    }

    @Test func `are refused in a list of another type`() throws {
        let bus = try PrivateBus()
        let connection = try SystemBus(address: bus.address)
        let call = BusCall(
            "GetId", of: "org.freedesktop.DBus", at: "/", service: "org.freedesktop.DBus",
            arguments: [.list([.text("one")], of: "u")])
        #expect(throws: BusError.unexpected(operation: "add a value to a message")) {
            try connection.call(call)
        }
    }
}
