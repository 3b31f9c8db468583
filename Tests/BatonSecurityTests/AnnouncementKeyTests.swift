import BatonCore
import BatonSecurity
import Testing

/// The marks by which devices of an account recognise each other's announcements.
@Suite struct `Announcement key` {
    private let key: AnnouncementKey
    private let other: AnnouncementKey
    private let device = DeviceIdentifier(high: 0x0123_4567_89ab_cdef, low: 42)

    init() throws {
        key = try AnnouncementKey(root: PrivateKey.generate().publicKey)
        other = try AnnouncementKey(root: PrivateKey.generate().publicKey)
    }

    private static let (hour, link): (UInt32, [UInt8]) = (500_000, [1, 2, 3])

    @Test func `a member reads the device from a mark, and another account can't`() throws {
        let (hour, link) = (Self.hour, Self.link)
        let marks = try key.marks(of: device, in: "name", hour: hour, links: [link, [4]])
        #expect(marks.utf8.count == 26)
        let numbers = try #require(AnnouncementKey.numbers(marks))
        for (number, link) in zip(numbers, [link, [4]]) {
            #expect(try key.tag(in: number, named: "name", hour: hour, link: link) == key.tag(of: device))
            #expect(try key.tag(in: number, named: "other", hour: hour, link: link) != key.tag(of: device))
            #expect(try key.tag(in: number, named: "name", hour: hour + 1, link: link) != key.tag(of: device))
            #expect(try key.tag(in: number, named: "name", hour: hour, link: [9]) != key.tag(of: device))
            #expect(try other.tag(in: number, named: "name", hour: hour, link: link) != other.tag(of: device))
        }
    }

    @Test func `a member reads the hour of an announcement, and another account can't`() throws {
        let hidden = try #require(
            AnnouncementKey.seals(key.text(ofHour: Self.hour, in: "name"))?.first)
        #expect(try key.masked(hidden, in: "name") == Self.hour)
        #expect(try key.masked(hidden, in: "other") != Self.hour)
        #expect(try other.masked(hidden, in: "name") != Self.hour)
        #expect(AnnouncementKey.hour(of: 1_800_000_000) == Self.hour)
        #expect(AnnouncementKey.tolerates(Self.hour - 2, in: Self.hour))
        #expect(AnnouncementKey.tolerates(Self.hour + 2, in: Self.hour))
        #expect(!AnnouncementKey.tolerates(Self.hour - 3, in: Self.hour))
        #expect(!AnnouncementKey.tolerates(.max, in: 0))
    }

    @Test func `marks of one device under many names look random in every bit`() throws {
        var ones = [Int](repeating: 0, count: 64)
        var marks: Set<UInt64> = []
        for name in 0..<2000 {
            let text = try key.marks(of: device, in: "\(name)", hour: Self.hour, links: [Self.link])
            let mark = try #require(AnnouncementKey.numbers(text)?.first)
            marks.insert(mark)
            for bit in 0..<64 where mark >> bit & 1 == 1 { ones[bit] += 1 }
        }
        #expect(marks.count == 2000)
        // Five standard deviations of 2,000 tosses of a coin.
        #expect(ones.allSatisfy { abs($0 - 1000) < 112 }, "\(ones)")
    }

    @Test(arguments: ["", "0", "00000000000000", "000000000000!", "zzzzzzzzzzzzz"])
    func `text that is not a mark is refused`(_ text: String) {
        #expect(AnnouncementKey.numbers(text) == nil)
    }

    @Test func `the example mark of the specification is reproduced`() throws {
        let head: [UInt8] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
        let key = try AnnouncementKey(root: PublicKey(der: head + Array(0..<32)))
        let device = try #require(DeviceIdentifier(bytes: Array(0..<16)))
        let router: [UInt8] = [1, 2, 0, 0x5e, 0x10, 0, 1]
        let prefix: [UInt8] = [2] + [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 192, 0, 2, 0, 120]
        #expect(
            try key.marks(of: device, in: "0123456789abcdef", hour: 480_000, links: [router, prefix])
                == "rt791e5g72h88b9jv2xdp8z92c")
        #expect(try key.text(ofHour: 480_000, in: "0123456789abcdef") == "mdjgnv0")
        let address = [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 192, 0, 2, 7]
        let seal = try key.seal(of: address, port: 4817, in: "0123456789abcdef")
        #expect(AnnouncementKey.text(ofSeals: [seal]) == "y5mygkg")
    }

    @Test func `seals survive encoding, and malformed seals are refused`() throws {
        for count in [0, 1, 3, 16] {
            let seals = (0..<count).map { UInt32($0) &* 0x9e37_79b9 }
            #expect(AnnouncementKey.seals(AnnouncementKey.text(ofSeals: seals)) == Set(seals))
        }
        for text in ["0", "00", "!", String(repeating: "0", count: 300)] {
            #expect(AnnouncementKey.seals(text) == nil, "\(text)")
        }
    }

    @Test func `an invitation announces only ten bits of its code`() throws {
        #expect(try PairingCode(text: "lemon tiger cloud").announcedBits() == "b6")
        var bits: Set<String> = []
        for _ in 0..<2000 { bits.insert(try PairingCode.random().announcedBits()) }
        #expect(bits.allSatisfy { $0.utf8.count == 2 } && bits.count > 700 && bits.count <= 1024)
    }
}
