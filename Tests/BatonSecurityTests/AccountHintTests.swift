import BatonSecurity
import Testing

/// The value by which a device shows that it knows an account.
@Suite struct `An account's hint` {
    static let day: Int64 = 86_400
    let account: TestAccount
    let key: HintKey

    init() throws {
        account = try TestAccount()
        key = try HintKey(root: account.root.certificate.publicKey)
    }

    @Test func `a hint is a label of 26 characters that changes at midnight UTC`() throws {
        let midnight = TestAccount.now / Self.day * Self.day
        let hint = try key.hint(at: midnight)
        #expect(hint.description.count == 26)
        #expect(hint.description.allSatisfy { $0.isLowercase || $0.isNumber })
        #expect(try key.hint(at: midnight + Self.day - 1) == hint)
        #expect(try key.hint(at: midnight + Self.day) != hint)
        #expect(try key.hint(at: midnight - 1) != hint)
    }

    @Test func `the protocol page's example hint is reproduced`() throws {
        let head: [UInt8] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
        let key = try HintKey(root: PublicKey(der: head + Array(0..<32)))
        #expect(try key.hint(at: 20_000 * Self.day).description == "98r0z29zwb6vwq7m7r3wrtww0r")
    }

    @Test func `all devices of an account have the same hint, and other accounts have another`() throws {
        let other = try TestAccount()
        let same = try HintKey(root: account.makeDevice().root.publicKey)
        #expect(try same.hint(at: 0) == key.hint(at: 0))
        #expect(try HintKey(root: other.root.certificate.publicKey).hint(at: 0) != key.hint(at: 0))
    }

    @Test func `a hint is accepted if the clocks differ by at most a week`() throws {
        let table = HintTable([key])
        for days in Int64(-9)...9 {
            let hint = try key.hint(at: TestAccount.now + days * Self.day)
            let index = try table.index(of: hint, at: TestAccount.now)
            #expect(index == (abs(days) <= HintKey.toleratedDays ? 0 : nil), "\(days) days")
        }
    }

    @Test func `a hint finds its account among several on any day`() throws {
        let others = try (0..<3).map { _ in try HintKey(root: TestAccount().root.certificate.publicKey) }
        let table = HintTable(others + [key])
        for days in [Int64(0), 20, 3, -20] {
            let time = TestAccount.now + days * Self.day
            #expect(try table.index(of: key.hint(at: time), at: time) == 3)
            #expect(try table.index(of: others[1].hint(at: time), at: time) == 1)
            #expect(try table.index(of: AccountHint(text: ""), at: time) == nil)
        }
    }
}
