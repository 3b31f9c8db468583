import BatonCore

extension FuzzTarget {
    /// The CBOR reader: the first value of the bytes, skipped and read as a property value, and as the fields of an
    /// activity and of an item.
    package static let values = FuzzTarget("values") { bytes throws(FuzzViolation) in
        try checkOnePass(bytes[...])
        let (skipped, read) = (Reading(skipping: bytes[...]), Reading(bytes[...]))
        for reading in [skipped, read] {
            try require(
                (0...bytes.count).contains(reading.refusal?.offset ?? reading.end),
                "the place of \(reading) lies within \(bytes.count) bytes")
        }
        // The offset counts from where reading began.
        let further = Reading(([0xff] + bytes)[1...])
        try require(
            (further.end, further.refusal) == (read.end, read.refusal) && further.value == read.value,
            "behind another byte: found \(further), expected \(read)")
        if let value = read.value {
            try require(skipped.refusal, is: nil, "what is read is passed over")
            try require(skipped.end, is: read.end, "the end of what is passed over")
            try require(value.encoded, is: Array(bytes[..<read.end]), "the encoding of what was read")
            try require(Set([value]).contains(value), "a value is found again")
            try checkBeginnings(of: bytes[..<read.end])
        } else if let mine = read.refusal {
            let other = skipped.refusal
            // A key is read before its order among the others is checked.
            let last = other.map { $0.reason == .keysOutOfOrder ? bytes.count : $0.offset } ?? bytes.count
            try require(mine.offset <= last, "\(mine) comes after \(String(describing: other))")
            // A tag that is too deep is refused at its first byte by one reader, and at the tagged value by the other.
            let stricter: [CBORError.Reason] = [.unexpectedType, .outOfRange, .keysOutOfOrder]
            let isStricter = stricter.contains(mine.reason) || mine.reason == .tooDeep && other != nil
            try require(mine == other || isStricter, "\(mine), but \(String(describing: other))")
        }
    }

    /// Checks that an activity and an item are read in one pass exactly if their fields are well-formed and have their
    /// known forms.
    private static func checkOnePass(_ bytes: ArraySlice<UInt8>) throws(FuzzViolation) {
        let activity = whole(bytes) { (reader) throws(CBORError) in try Activity(from: &reader) }
        let item = whole(bytes) { (reader) throws(CBORError) in try Item(domain: nil, from: &reader) }
        let checked = whole(bytes) { (reader) throws(CBORError) in try Fields(from: &reader) }
        let name = ItemName(app: "", index: "", identifier: "")
        let scope = Scope.items(app: "", index: "")
        let activityAfter = checked.flatMap { fields in
            whole([]) { (_) throws(CBORError) in try Activity(fields) }
        }
        let itemAfter = checked.flatMap { fields in
            whole([]) { (_) throws(CBORError) in try Item(name, Write.Content(scope: scope, fields: fields)) }
        }
        try require(activity, is: activityAfter, "the activity in one pass")
        try require(item, is: itemAfter, "the item in one pass")
    }

    /// Returns the value that the closure reads from all of the bytes; nil if it refuses them.
    private static func whole<Value>(
        _ bytes: ArraySlice<UInt8>, _ read: (inout CBORReader) throws(CBORError) -> Value
    ) -> Value? {
        do throws(CBORError) { return try CBORReader.whole(bytes, read) } catch { return nil }
    }

    /// Checks that a value that is cut off is refused for that reason alone.
    private static func checkBeginnings(of bytes: ArraySlice<UInt8>) throws(FuzzViolation) {
        guard bytes.count <= 64 else { return }
        for count in bytes.indices {
            let refusal = Reading(skipping: bytes[..<count]).refusal
            try require(refusal?.reason, is: .truncated, "why \(count) of the bytes are refused")
            try require(Reading(bytes[..<count]).value == nil, "\(count) of the bytes are no value")
        }
    }
}

/// The reader's result for some bytes.
private struct Reading {
    private(set) var value: PropertyValue?
    private(set) var refusal: CBORError?
    /// The end of the value, or of reading.
    private(set) var end = 0

    init(_ bytes: ArraySlice<UInt8>) {
        var reader = CBORReader(bytes)
        do throws(CBORError) { value = try PropertyValue(from: &reader) } catch { refusal = error }
        end = reader.offset
    }

    /// Skips the value.
    init(skipping bytes: ArraySlice<UInt8>) {
        var reader = CBORReader(bytes)
        do throws(CBORError) { try reader.skip() } catch { refusal = error }
        end = reader.offset
    }
}
