import BatonCore
import Support

extension Vector {
    /// Bytes that must be refused, with the reason and the offset in the body where this implementation sees it.
    static let refusals: [Vector] = frames + hellos + vectors + batches + others + values

    // MARK: Frames

    private static let frames: [Vector] = [
        frame(
            "frame-too-large", "A length of 2,097,153; nothing of the body needs to have come.", "200001 03"),
        frame("frame-unknown-kind", "Kind 62 is of no version yet.", "000000 3e"),
        frame("frame-of-local-protocol", "A local request between nodes.", "000001 41 f6"),
        frame("frame-of-pairing", "A pairing message between nodes.", "000001 63 a0"),
    ]

    private static func frame(_ name: String, _ description: String, _ hex: String) -> Vector {
        let bytes = [UInt8](hex: hex)
        var decoder = FrameDecoder()
        decoder.feed(bytes)
        do throws(CloseReason) {
            if let frame = try decoder.next() { _ = try PeerMessage(frame) }
            preconditionFailure("\(name) is not refused")
        } catch {
            let entries: [(String, Value)] = [
                ("hex", .text(bytes.hex)), ("close_code", .number(error.code.rawValue)),
            ]
            return Vector(name, description, entries)
        }
    }

    // MARK: Messages

    private static let hellos: [Vector] = [
        message("hello-empty", "No body at all.", .hello, ""),
        message("hello-missing-account", "The account, field 1, is not there.", .hello, "a0"),
        message("hello-missing-device", "The device, field 2, is not there.", .hello, "a1 01 50" + account),
        message("hello-trailing", "A byte behind the map.", .hello, wholeHello + "00"),
        message("hello-cut", "The last byte is not there.", .hello, String(wholeHello.dropLast(2))),
        message("hello-indefinite", "A map of indefinite length.", .hello, "bf 01 50" + account + "ff"),
        message(
            "hello-short-account", "An account of fifteen bytes.", .hello, "a1 01 4f" + account.dropLast(2)),
        message(
            "hello-long-number", "A key that is not in its shortest form.", .hello, "a1 1801 50" + account),
        message(
            "hello-keys-unordered", "Field 2 stands before field 1.", .hello,
            "a2 02 50\(account) 01 50\(account)"),
        message("hello-key-twice", "Field 1 stands twice.", .hello, "a2 01 50\(account) 01 50\(account)"),
        message("hello-key-text", "A field whose name is text.", .hello, "a1 6161 00"),
        message("hello-invalid-text", "A name that is not UTF-8.", .hello, "a1 03 62c328"),
        message(
            "hello-long-name", "A name of 65 bytes.", .hello,
            "a1 03 7841" + String(repeating: "61", count: 65)),
        message("hello-port-too-large", "Port 65,536.", .hello, "a1 05 1a00010000"),
        message("hello-array", "An array in the place of the map.", .hello, "80"),
        message("hello-huge-text", "A text of 2^64 - 1 bytes.", .hello, "a1 03 7bffffffffffffffff"),
    ]

    private static let account = String(repeating: "ac", count: 16)
    private static let wholeHello =
        ("a5 01 50\(account) 02 50\(account) 03 6161 04 5820" + String(repeating: "00", count: 32) + "06 6161")
        .filter { $0 != " " }

    private static let origin = "83 50" + String(repeating: "11", count: 16)

    private static let vectors: [Vector] = [
        message("standing-missing", "Field 1 is not there.", .standing, "a0"),
        message(
            "standing-unordered", "Lane 1 stands before lane 0 of the same life.", .standing,
            "a1 01 82 \(origin) 01 01 \(origin) 00 01"),
        message(
            "standing-origin-twice", "An origin stands twice.", .standing,
            "a1 01 82 \(origin) 00 01 \(origin) 00 02"),
        message("standing-sequence-zero", "Sequences count from 1.", .standing, "a1 01 81 \(origin) 00 00"),
        message("standing-lane-unknown", "There is no lane 2.", .standing, "a1 01 81 \(origin) 02 01"),
        message(
            "standing-sequence-too-large", "A sequence of 2^63.", .standing,
            "a1 01 81 \(origin) 00 1b8000000000000000"),
        message(
            "standing-too-many", "32,769 origins are announced; 32,768 are allowed.", .standing,
            "a1 01 998001"),
        message(
            "standing-count-beyond-bytes", "Two origins are announced, and none follows.", .standing,
            "a1 01 82"),
    ]

    /// A batch of lane 0 with these writes, one life, base time 5, and one empty scope in its tables.
    private static func batch(_ writes: String, scopes: String = "81 80") -> String {
        "a6 01 01 02 00 04 05 05 81 50" + String(repeating: "11", count: 16) + "06" + scopes + "07" + writes
    }
    private static let hash = "50" + String(repeating: "aa", count: 16)

    private static let batches: [Vector] = [
        message("batch-array", "An array in the place of the map.", .batch, "87 01 00 f6 00 80 80 80"),
        message("batch-without-lane", "Field 2 is not there.", .batch, "a5 01 01 04 00 05 80 06 80 07 80"),
        message("batch-lane-unknown", "There is no lane 2.", .batch, "a6 01 02 02 02"),
        message(
            "batch-complete-null", "A vector that is absent is left out.", .batch, "a7 01 01 02 00 03 f6"),
        message(
            "batch-base-too-large", "A base time of 2^63.", .batch, "a6 01 01 02 00 04 1b8000000000000000"),
        message(
            "batch-base-unused", "No write has the base as its time, for there is none.", .batch,
            "a6 01 01 02 00 04 05 05 80 06 80 07 80"),
        message(
            "batch-scope-of-numbers", "A scope has texts only.", .batch,
            "a6 01 01 02 00 04 00 05 80 06 81 81 01"),
        message(
            "batch-life-unused", "A life that no write names.", .batch,
            "a6 01 01 02 00 04 00 05 81 50" + String(repeating: "11", count: 16) + "06 80 07 80"),
        message(
            "batch-life-twice", "A life stands in the table twice.", .batch,
            "a6 01 01 02 00 04 00 05 82 \(hash) \(hash) 06 80 07 81 88 00 01 00 08 \(hash) 00 01 01"),
        message(
            "batch-scope-twice", "A scope stands in the table twice.", .batch,
            batch(
                "82 8b 00 01 00 08 00 41 01 00 00 00 00 a0 8b 00 01 01 08 00 41 02 00 00 00 01 a0",
                scopes: "82 80 80")),
        message(
            "batch-scopes-unordered", "Scope 1 is used before scope 0.", .batch,
            batch("81 8b 00 01 00 08 00 41 01 00 00 00 01 a0", scopes: "82 80 81 6161")),
        message(
            "write-life-unknown", "Life 1 of a table that has one.", .batch,
            batch("81 88 01 01 00 08 \(hash) 05 00 01")),
        message(
            "write-scope-unknown", "Scope 1 of a table that has one.", .batch,
            batch("81 8b 00 01 00 08 00 41 01 05 00 00 01 a0")),
        message(
            "write-sequence-zero", "Sequences count from 1.", .batch,
            batch("81 88 00 00 00 08 \(hash) 05 00 01")),
        message(
            "write-place-too-large", "A place of 2^32.", .batch,
            batch("81 88 00 01 1b0000000100000000 08 \(hash) 05 00 01")),
        message(
            "write-kind-too-large", "A kind of 2^63.", .batch,
            batch("81 88 00 01 00 1b8000000000000000 \(hash) 05 00 01")),
        message(
            "write-kind-of-other-lane", "Kind 9 belongs to lane 1.", .batch,
            batch("81 88 00 01 00 09 \(hash) 05 00 01")),
        message(
            "write-too-many-fields", "1,025 fields are announced; 1,024 are allowed.", .batch,
            batch("81 8b 00 01 00 08 00 41 01 00 00 00 00 b90401")),
    ]

    private static let others: [Vector] = [
        message(
            "hello-short-digest", "A digest of 31 bytes.", .hello,
            "a1 04 581f" + String(repeating: "00", count: 31)),
        message("hello-features-unordered", "Feature 2 stands before feature 1.", .hello, "a1 07 82 02 01"),
        message("hello-features-none", "No features are said by leaving them out.", .hello, "a1 07 80"),
        message(
            "standing-dropped-nothing", "A `dropped` that covers nothing is left out.", .standing, "a1 04 80"),
        message("batch-flag-false", "A flag is `true` or absent.", .batch, "a1 0a f4"),
        message(
            "continue-request-flag-false", "A flag is `true` or absent.", .continueRequest,
            "a4 01 01 02 08 03 \(hash) 04 f4"),
        message(
            "continue-answer-flag-false", "A flag is `true` or absent.", .continueAnswer,
            "a3 01 01 02 a0 04 f4"),
        message("acknowledgement-negative", "A number below zero.", .acknowledgement, "a1 01 20"),
        message("continue-request-hash", "A hash of one byte.", .continueRequest, "a3 01 01 02 08 03 41aa"),
        message("continue-answer-array", "Fields are a map.", .continueAnswer, "a2 01 01 02 80"),
        message("continue-answer-empty", "Neither fields nor a reason.", .continueAnswer, "a1 01 01"),
        message(
            "addresses-too-many", "257 devices are announced; 256 are allowed.", .addresses, "a1 01 990101"),
        message(
            "addresses-nine", "Nine addresses of one device.", .addresses,
            "a1 01 81 a3 01 \(hash) 02 60 03 89 606060606060606060"),
        message("close-without-text", "Field 2 is not there.", .close, "a1 01 00"),
    ]

    private static func message(
        _ name: String, _ description: String, _ kind: FrameKind, _ hex: String
    ) -> Vector {
        let frame = Frame(kind: kind, body: [UInt8](hex: hex))
        do throws(CloseReason) {
            _ = try PeerMessage(frame)
            preconditionFailure("\(name) is not refused")
        } catch {
            // The text is the kind, the reason and the offset.
            let words = error.text.split(separator: " ")
            let entries: [(String, Value)] = [
                ("frame", .number(UInt64(kind.rawValue))), ("hex", .text(frame.encoded.hex)),
                ("close_code", .number(error.code.rawValue)), ("reason", .text(String(words[1]))),
                ("offset", .number(UInt64(words[words.count - 1]) ?? .max)),
            ]
            return Vector(name, description, entries)
        }
    }

    // MARK: Property-list values

    private static let values: [Vector] = [
        value("value-empty", "No bytes.", ""),
        value("value-two", "Two values.", "00 00"),
        value("value-long-integer", "23 in two bytes.", "1817"),
        value("value-integer-too-large", "An integer of 2^63.", "1b8000000000000000"),
        value("value-integer-too-small", "An integer of -2^63 - 1.", "3b8000000000000000"),
        value("value-long-real", "1.5 in nine bytes.", "fb3ff8000000000000"),
        value("value-other-nan", "A NaN with other bits.", "f97e01"),
        value("value-undefined", "Undefined is no value here.", "f7"),
        value("value-simple", "Other simple values are none here.", "e0"),
        value("value-indefinite-text", "A text of indefinite length.", "7f 6161 ff"),
        value("value-reserved-length", "A length form that CBOR reserves.", "1c"),
        value("value-invalid-text", "An overlong form of UTF-8.", "62c080"),
        value("value-surrogate", "A surrogate in UTF-8.", "63eda080"),
        value("value-date-integer", "A date that is an integer.", "c1 00"),
        value("value-uuid-short", "A UUID of fifteen bytes.", "d825 4f 000102030405060708090a0b0c0d0e"),
        value("value-tag-unknown", "A tag that no value has.", "c2 41 01"),
        value("value-set-unordered", "Members out of order.", "d90102 82 02 01"),
        value("value-set-twice", "A member twice.", "d90102 82 01 01"),
        value("value-keys-unordered", "Keys out of order.", "a2 6162 00 6161 00"),
        value("value-key-twice", "A key twice.", "a2 01 00 01 00"),
        value("value-too-deep", "33 arrays around a value.", String(repeating: "81", count: 33) + "00"),
        value("value-array-beyond-bytes", "Three values are announced, and one follows.", "83 00"),
    ]

    private static func value(_ name: String, _ description: String, _ hex: String) -> Vector {
        let bytes = [UInt8](hex: hex)
        guard let error = CBORReader.refusalAsValue(of: bytes[...]) else {
            preconditionFailure("\(name) is not refused")
        }
        let entries: [(String, Value)] = [
            ("value", .boolean(true)), ("hex", .text(bytes.hex)), ("reason", .text("\(error.reason)")),
            ("offset", .number(UInt64(error.offset))),
        ]
        return Vector(name, description, entries)
    }
}
