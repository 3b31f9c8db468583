import BatonSecurity
import Glibc
import Support
import Testing

/// The account that the script makes with the `openssl` command is valid for Baton.
@Suite struct `The script for a test account` {
    /// The path of the script.
    static let path =
        #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        + "/Certs/make-test-account"

    @Test(.enabled(if: run("command -v openssl >/dev/null"), "openssl is not installed"))
    func `the identities that the script makes can be loaded, and trust only each other`() throws {
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
        let friends = try SessionPair.connect(laptop, desk, at: now)
        #expect(friends.client.peer == .device(desk.identity))
        #expect(friends.server.peer == .device(laptop.identity))
        #expect(try !SessionPair.connect(stranger, desk, at: now).server.isEstablished)
    }

    @Test(.enabled(if: run("command -v openssl >/dev/null"), "openssl is not installed"))
    func `the script never overwrites an account`() throws {
        let temporary = try TemporaryFolder()
        #expect(Self.run("'\(Self.path)' '\(temporary.path)'"))
        let before = try TemporaryFolder.read(temporary.path + "/root-key.pem")
        #expect(!Self.run("'\(Self.path)' '\(temporary.path)' 2>/dev/null"))
        #expect(try TemporaryFolder.read(temporary.path + "/root-key.pem") == before)
    }

    @Test(.enabled(if: run("command -v openssl >/dev/null"), "openssl is not installed"))
    func `the account-hint script prints a hint for any device of an account`() throws {
        let temporary = try TemporaryFolder()
        #expect(Self.run("'\(Self.path)' '\(temporary.path)/account' desk"))
        let desk = try IdentityFolder(path: temporary.path + "/account/desk").load()
        let script = String(Self.path.dropLast("make-test-account".count)) + "account-hint"
        for time in [Int64(0), 1, 1_800_000_000, 253_402_300_799] {
            let (root, file) = (temporary.path + "/account/desk/root.pem", temporary.path + "/hint")
            #expect(Self.run("'\(script)' '\(root)' \(time) fedcba9876543210 > '\(file)'"))
            let hint = try HintKey(root: desk.root.publicKey).makeHint(
                for: nil, at: time, tolerating: .days, nonce: 0xfedc_ba98_7654_3210)
            #expect(try TemporaryFolder.read(file) == Array("\(hint)\n".utf8))
        }
    }

    private static func run(_ command: String) -> Bool { system(command) == 0 }
}
