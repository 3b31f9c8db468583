import BatonCore
import BatonSecurity
import Testing

/// The value by which a device shows that it knows an account.
@Suite struct `An account's hint` {
    private static let hour: Int64 = 3600
    private let account: TestAccount
    private let key: HintKey
    private let device = DeviceIdentifier(high: 1, low: 2)

    init() throws {
        account = try TestAccount()
        key = try HintKey(root: account.root.certificate.publicKey)
    }

    @Test func `a hint is a label of 52 characters, and no two hints are equal`() throws {
        var seen: Set<AccountHint> = []
        for _ in 0..<100 { seen.insert(try key.makeHint(for: device, at: TestAccount.now)) }
        #expect(seen.count == 100)
        for hint in seen {
            #expect(hint.description.count == 52)
            #expect(hint.description.allSatisfy { $0.isLowercase || $0.isNumber })
        }
    }

    @Test func `the example hints of the specification are reproduced`() throws {
        let head: [UInt8] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
        let key = try HintKey(root: PublicKey(der: head + Array(0..<32)))
        let device = try #require(DeviceIdentifier(bytes: Array(0..<16)))
        func hint(_ device: DeviceIdentifier?, _ tolerance: ClockTolerance) throws -> String {
            try key.makeHint(
                for: device, at: 1_728_000_000, tolerating: tolerance, nonce: 0x0123_4567_89ab_cdef
            ).description
        }
        #expect(try hint(device, .hours) == "04hmasw9nf6yymqty32z5095xvevx7h2hr7n6hykbfptrzyn9t80")
        #expect(try hint(nil, .days) == "04hmasw9nf6yymqty32z5095xx961pvtaa6wntvy9mm2ncpqayk0")
    }

    @Test func `a hint is accepted for the one device that it names, or for any device of the account`()
        throws
    {
        let other = try HintKey(root: TestAccount().root.certificate.publicKey)
        let (time, neighbour) = (TestAccount.now, DeviceIdentifier(high: 1, low: 3))
        let hint = try key.makeHint(for: device, at: time)
        #expect(try key.read(hint, for: device, at: time) != nil)
        #expect(try key.read(hint, for: neighbour, at: time) == nil)
        #expect(try other.read(hint, for: device, at: time) == nil)
        let general = try key.makeHint(for: nil, at: time)
        #expect(try key.read(general, for: device, at: time) != nil)
        #expect(try key.read(general, for: neighbour, at: time) != nil)
        #expect(try other.read(general, for: device, at: time) == nil)
    }

    @Test(arguments: [(ClockTolerance.hours, Int64(3)), (.days, 7 * 24)])
    func `a hint is accepted if the clocks differ by at most its tolerance`(
        tolerance: ClockTolerance, hours: Int64
    ) throws {
        for difference in [
            -hours * Self.hour - 1, -hours * Self.hour, 0, hours * Self.hour, hours * Self.hour + 1,
        ] {
            let hint = try key.makeHint(
                for: device, at: TestAccount.now + difference, tolerating: tolerance)
            let isRead = try key.read(hint, for: device, at: TestAccount.now) != nil
            #expect(isRead == (abs(difference) <= hours * Self.hour), "\(difference) s")
        }
    }

    @Test func `a hint with any changed character is refused`() throws {
        let text = try key.makeHint(for: device, at: TestAccount.now).description
        var wrong = ["", "0", text + "0", String(text.dropLast()), text.uppercased()]
        for place in text.indices {
            wrong.append(text.replacingCharacters(at: place, with: text[place] == "0" ? "1" : "0"))
        }
        for text in wrong {
            #expect(try key.read(AccountHint(text: text), for: device, at: TestAccount.now) == nil, "\(text)")
        }
    }

    @Test func `used hints take bounded memory, and the hints that expire last are kept`() throws {
        let used = UsedHints()
        let time = TestAccount.now
        for nonce in 0..<UInt64(3 * UsedHints.limit) {
            let isNew = used.use(HintKey.Reading(nonce: nonce, expires: time + Int64(nonce)), at: time)
            #expect(isNew)
        }
        // The hints that expire last are shown again first: a hint that was forgotten is remembered anew, in the place
        // of one that expires earlier.
        var remembered: [UInt64] = []
        for nonce in (0..<UInt64(3 * UsedHints.limit)).reversed() {
            let isNew = used.use(HintKey.Reading(nonce: nonce, expires: time + Int64(nonce)), at: time)
            if !isNew { remembered.append(nonce) }
        }
        #expect(remembered.first == UInt64(3 * UsedHints.limit - 1) && remembered.count <= UsedHints.limit)
    }
}

extension String {
    /// Returns the text with another character at a place.
    fileprivate func replacingCharacters(at place: Index, with character: Character) -> String {
        self[..<place] + String(character) + self[index(after: place)...]
    }
}
