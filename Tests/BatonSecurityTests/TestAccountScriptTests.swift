import BatonSecurity
import Glibc
import Support
import Testing

/// The account that `Certs/make-test-account` makes with the `openssl` command is one of ours.
@Suite struct `The script for a test account` {
    /// The script, beside the tests.
    static let path =
        #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        + "/Certs/make-test-account"

    @Test(.enabled(if: run("command -v openssl >/dev/null"), "openssl is not installed"))
    func `makes identities that load, and trust each other and nobody else`() throws {
        let temporary = try TemporaryFolder()
        #expect(Self.run("'\(Self.path)' '\(temporary.path)/first' desk 'my laptop'"))
        #expect(Self.run("'\(Self.path)' '\(temporary.path)/second'"))
        let desk = try IdentityFolder(path: temporary.path + "/first/desk").load()
        let laptop = try IdentityFolder(path: temporary.path + "/first/my laptop").load()
        let stranger = try IdentityFolder(path: temporary.path + "/second/laptop").load()
        #expect(desk.ownerAuthority != nil && laptop.ownerAuthority == nil)
        #expect(desk.deviceName == "desk" && laptop.deviceName == "my laptop")

        // The script's certificates begin now, by the system's clock.
        let now = Int64(time(nil)) + 60
        let friends = try Pump.connect(laptop, desk, at: now)
        #expect(friends.client.peer == .device(desk.identity))
        #expect(friends.server.peer == .device(laptop.identity))
        #expect(try !Pump.connect(stranger, desk, at: now).server.isEstablished)
    }

    @Test(.enabled(if: run("command -v openssl >/dev/null"), "openssl is not installed"))
    func `never writes over an account`() throws {
        let temporary = try TemporaryFolder()
        #expect(Self.run("'\(Self.path)' '\(temporary.path)'"))
        let before = try TemporaryFolder.read(temporary.path + "/root-key.pem")
        #expect(!Self.run("'\(Self.path)' '\(temporary.path)' 2>/dev/null"))
        #expect(try TemporaryFolder.read(temporary.path + "/root-key.pem") == before)
    }

    private static func run(_ command: String) -> Bool { system(command) == 0 }
}
