import DiscoverySupport
import Support
import Testing

@testable import BatonDiscovery

@Suite struct `DNS messages` {
    /// The head of a message with this many questions and answers.
    private static func head(questions: UInt8 = 0, answers: UInt8 = 0, flags: UInt8 = 0x84) -> [UInt8] {
        [0, 0, flags, 0, 0, questions, 0, answers, 0, 0, 0, 0]
    }

    private static let kind: [UInt8] =
        [6] + Array("_baton".utf8) + [4] + Array("_tcp".utf8) + [5]
        + Array("local".utf8) + [0]

    private func error(of bytes: [UInt8]) -> DNSError? {
        do throws(DNSError) {
            _ = try DNSMessage(bytes)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Reading

    @Test func `a response with compressed names from another program is read`() throws {
        // A PTR record whose data ends in the name of the record itself, and an SRV record of that name.
        let pointer = Self.kind + [0, 12, 0, 1, 0, 0, 0, 120, 0, 4, 1, UInt8(ascii: "x"), 0xc0, 12]
        let place = UInt8(12 + Self.kind.count + 10)
        let service: [UInt8] =
            [0xc0, place, 0, 33, 0x80, 1, 0, 0, 0, 60, 0, 10]
            + [0, 0, 0, 0, 0x12, 0xd1, 1, UInt8(ascii: "h"), 0xc0, 24]
        let message = try DNSMessage(Self.head(answers: 2) + pointer + service)
        let instance = Records.name("x._baton._tcp.local")
        #expect(
            message.answers == [
                DNSRecord(Records.kind, .pointer(instance), timeToLive: 120, isUnique: false),
                DNSRecord(
                    instance,
                    .service(priority: 0, weight: 0, port: 4817, host: Records.name("h.local")),
                    timeToLive: 60, isUnique: true),
            ])
    }

    @Test func `a compression pointer to itself, forward or in a circle is refused`() {
        let rest: [UInt8] = [0, 12, 0, 1]
        #expect(error(of: Self.head(questions: 1) + [0xc0, 12] + rest) == .pointerForward)
        #expect(error(of: Self.head(questions: 1) + [0xc0, 14] + rest) == .pointerForward)
        #expect(
            error(of: Self.head(questions: 1) + [1, UInt8(ascii: "a"), 0xc0, 12] + rest) == .pointerForward)
        // Two names that point at each other.
        let first: [UInt8] = [1, UInt8(ascii: "a"), 0xc0, 20] + rest
        #expect(error(of: Self.head(questions: 2) + first + [0xc0, 12] + rest) == .pointerForward)
    }

    @Test func `reserved label lengths are refused`() {
        for length: UInt8 in [0x40, 0x80, 0xbf] {
            let name = [length] + [UInt8](repeating: 1, count: 200) + [0]
            #expect(error(of: Self.head(questions: 1) + name + [0, 12, 0, 1]) == .malformedName)
        }
    }

    @Test func `a name of 255 bytes is read, and a longer one is refused`() throws {
        func message(last: Int) -> [UInt8] {
            let labels = [63, 63, 63, last].flatMap { [UInt8($0)] + [UInt8](repeating: 0x61, count: $0) }
            return Self.head(questions: 1) + labels + [0, 0, 12, 0, 1]
        }
        #expect(try DNSMessage(message(last: 61)).questions.first?.name.labels.count == 4)
        #expect(error(of: message(last: 62)) == .malformedName)
    }

    @Test func `a message cut off anywhere is refused`() throws {
        var whole = DNSMessage.response(Records().all)
        whole.additionals = [
            DNSRecord(Records.kind, .kinds(next: Records.kind, [.ptr]), timeToLive: 1, isUnique: true)
        ]
        let bytes = try #require(whole.encoded())
        for count in 0..<bytes.count {
            #expect(error(of: Array(bytes.prefix(count))) != nil, "cut after \(count) bytes")
        }
        #expect(error(of: bytes + [0]) == .trailingBytes)
    }

    @Test func `record data that does not match its length is refused`() {
        func message(_ kind: UInt8, _ data: [UInt8], length: UInt8) -> [UInt8] {
            Self.head(answers: 1) + [0, 0, kind, 0, 1, 0, 0, 0, 9, 0, length] + data
        }
        #expect(error(of: message(1, [1, 2, 3, 4, 5], length: 5)) == .malformedData)
        #expect(error(of: message(1, [1, 2, 3], length: 3)) != nil)
        #expect(error(of: message(12, [0, 0], length: 2)) == .malformedData)
        #expect(error(of: message(16, [5, 1], length: 2)) == .malformedData)
        #expect(error(of: message(33, [0, 0, 0, 0, 0, 1], length: 6)) != nil)
        #expect(error(of: message(47, [0, 0, 0], length: 3)) == .malformedData, "a bitmap without bytes")
        #expect(
            error(of: message(47, [0, 0, 33] + [UInt8](repeating: 0, count: 33), length: 36))
                == .malformedData)
        #expect(error(of: message(47, [0, 1, 1, 1, 0, 1, 1], length: 7)) == .malformedData, "windows fall")
        #expect(error(of: message(99, [1, 2, 3], length: 3)) == nil)
    }

    @Test func `record counts beyond the message's bytes reserve no memory`() {
        let bytes: [UInt8] = [0, 0, 0x84, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
        #expect(error(of: bytes) == .cutOff)
    }

    @Test func `messages with another operation, an error code or too many bytes are refused`() {
        for flags: [UInt8] in [[0x28, 0], [0x84, 3], [0x78, 0]] {
            #expect(error(of: [0, 0] + flags + [UInt8](repeating: 0, count: 8)) == .unknownOperation)
        }
        #expect(error(of: [UInt8](repeating: 0, count: 9001)) == .tooLong)
    }

    @Test func `records and questions of other classes are skipped`() throws {
        let options: [UInt8] = [0, 0, 41, 0x05, 0xa0, 0, 0, 0x11, 0x94, 0, 2, 1, 2]
        let bytes = Self.head(questions: 1, answers: 1) + Self.kind + [0, 12, 0, 3] + options
        let message = try DNSMessage(bytes)
        #expect(message.questions.isEmpty && message.records.isEmpty)
    }

    @Test func `a text record without a string counts as one with an empty string`() throws {
        let message = try DNSMessage(Self.head(answers: 1) + [0, 0, 16, 0, 1, 0, 0, 0, 9, 0, 0])
        #expect(message.answers.map(\.data) == [.text([[]])])
    }

    @Test func `long chains of pointers, and too many long names, are refused`() {
        // Each question's name is a pointer to the one before.
        var bytes = Self.head(questions: 200) + [0, 0, 12, 0, 1]
        for place in 1..<200 {
            let target = place == 1 ? 12 : 12 + 5 + (place - 2) * 6
            bytes += [0xc0 | UInt8(target >> 8), UInt8(target & 255), 0, 12, 0, 1]
        }
        #expect(error(of: bytes) == .malformedName)
        // One name of 255 bytes, to which many others point.
        let label: [UInt8] = [1, UInt8(ascii: "a")]
        let long = [[UInt8]](repeating: label, count: 127).joined() + [0]
        var many: [UInt8] = [0, 0, 0, 0, 0x04, 0, 0, 0, 0, 0, 0, 0] + long + [0, 12, 0, 1]
        for _ in 1..<1024 { many += [0xc0, 12, 0, 12, 0, 1] }
        #expect(error(of: many) == .tooLong)
    }

    // MARK: Writing

    @Test func `names are compressed without regard to case, and keep their case when read`() throws {
        var message = DNSMessage(isResponse: false)
        message.questions = [
            DNSQuestion(Records.name("a.b.local"), .ptr), DNSQuestion(Records.name("x.B.LOCAL"), .srv),
            DNSQuestion(Records.name("b.local"), .txt),
        ]
        let bytes = try #require(message.encoded())
        #expect(bytes.count == 12 + (11 + 4) + (4 + 4) + (2 + 4))
        #expect(try DNSMessage(bytes) == message)
    }

    @Test func `a message that exceeds the size limit is not encoded`() throws {
        let message = DNSMessage.response(Records().all)
        let bytes = try #require(message.encoded())
        #expect(message.encoded(limit: bytes.count) == bytes)
        #expect(message.encoded(limit: bytes.count - 1) == nil)
    }

    @Test(arguments: Seeds.first(200))
    func `a random message survives encoding`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let message = generator.message()
            let bytes = try #require(message.encoded())
            #expect(try DNSMessage(bytes) == message)
            try FuzzTarget.dnsMessages.check(bytes)
            var damaged = bytes
            for _ in 0..<generator.number(1...4) {
                damaged[generator.number(0...damaged.count - 1)] = UInt8(truncatingIfNeeded: generator.next())
            }
            try FuzzTarget.dnsMessages.check(damaged)
        }
    }

    // MARK: Names and texts

    @Test func `names are compared without regard to the case of ASCII letters`() throws {
        let name = Records.name("Some.Name.local")
        #expect(name == Records.name("some.nAME.LOCAL"))
        #expect(name.hashValue == Records.name("some.nAME.LOCAL").hashValue)
        #expect(name != Records.name("some.name.local.local"))
        #expect(Records.name("é") != Records.name("É"))
        #expect(DNSName(labels: [[0x01, 0x61]]) != DNSName(labels: [[UInt8(ascii: "a")]]))
    }

    @Test func `a name has labels of 1 to 63 bytes, and at most 255 bytes`() {
        #expect(DNSName("") == nil && DNSName("a..b") == nil && DNSName(".a") == nil && DNSName("a.") == nil)
        let label = String(repeating: "x", count: 63)
        #expect(DNSName(label) != nil && DNSName(label + "x") == nil)
        #expect(
            DNSName([label, label, label, String(repeating: "x", count: 61)].joined(separator: ".")) != nil)
        #expect(
            DNSName([label, label, label, String(repeating: "x", count: 62)].joined(separator: ".")) == nil)
    }

    @Test func `a name is printed with escaped bytes`() {
        #expect(DNSName(labels: [Array("a.b".utf8), [7, 0x5c, 0xff]])?.description == #"a\.b.\007\\\255"#)
    }

    @Test func `text entries are found in any case, and the first of several equal keys is used`() {
        let entries = ServiceEntries(
            strings: ["v=1", "V=2", "flag", "=no key", "", "empty="].map { Array($0.utf8) })
        #expect(entries.entries.map(\.key) == ["v", "flag", "empty"])
        #expect(entries["V"] == Array("1".utf8) && entries["flag"] == nil && entries["empty"] == [])
        #expect(ServiceEntries(strings: [[0x80, UInt8(ascii: "=")], [7]]).entries.isEmpty)
    }

    @Test func `text entries that DNS can't express are refused`() {
        #expect(ServiceEntries(["": "x"]).strings == nil)
        #expect(ServiceEntries(["a=b": "x"]).strings == nil)
        #expect(ServiceEntries(["é": "x"]).strings == nil)
        #expect(ServiceEntries(["k": String(repeating: "x", count: 253)]).strings?.first?.count == 255)
        #expect(ServiceEntries(["k": String(repeating: "x", count: 254)]).strings == nil)
        #expect(ServiceEntries([]).strings == [[]])
    }
}

extension SeededGenerator {
    /// Returns a DNS name of a few labels, which often ends like others.
    fileprivate mutating func name() -> DNSName {
        let labels = (0..<number(0...3)).map { _ in
            chance(80)
                ? Array(pick(["a", "A", "_baton", "_tcp", "host", "local"]).utf8)
                : (0..<number(1...63)).map { _ in UInt8(truncatingIfNeeded: next()) }
        }
        guard let name = DNSName(labels: labels) else { preconditionFailure("three labels fit a name") }
        return name
    }

    private mutating func someBytes(_ most: Int) -> [UInt8] {
        (0..<number(0...most)).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    private mutating func data() -> DNSRecord.Data {
        switch number(0...6) {
        case 0: .address4(UInt32(truncatingIfNeeded: next()))
        case 1: .address6(high: next(), low: next())
        case 2: .pointer(name())
        case 3:
            .service(
                priority: UInt16(truncatingIfNeeded: next()), weight: 7,
                port: UInt16(truncatingIfNeeded: next()), host: name())
        case 4: .text((0...number(0...3)).map { _ in someBytes(255) })
        case 5:
            .kinds(
                next: name(),
                Set((0..<number(0...9)).map { _ in UInt16(number(0...255)) }).sorted().map(DNSKind.init))
        default: .other(DNSKind(rawValue: pick([2, 5, 13, 41, 65, 300])), someBytes(40))
        }
    }

    private mutating func records() -> [DNSRecord] {
        (0..<number(0...4)).map { _ in
            DNSRecord(name(), data(), timeToLive: UInt32(truncatingIfNeeded: next()), isUnique: chance(50))
        }
    }

    fileprivate mutating func message() -> DNSMessage {
        var message = DNSMessage(isResponse: chance(50))
        (message.identifier, message.isTruncated) = (UInt16(truncatingIfNeeded: next()), chance(20))
        message.questions = (0..<number(0...3)).map { _ in
            DNSQuestion(name(), DNSKind(rawValue: pick([1, 12, 33, 255])), wantsUnicast: chance(50))
        }
        (message.answers, message.authorities, message.additionals) = (records(), records(), records())
        return message
    }
}
