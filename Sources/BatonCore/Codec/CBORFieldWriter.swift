/// Writes the fields of a map with numbers as keys, and counts them.
package struct CBORFieldWriter {
    /// The writer of the map, which appends to the bytes that are already there.
    var writer: CBORWriter
    private(set) var count = 0
    private var last: UInt64?

    init(_ writer: consuming CBORWriter) { self.writer = writer }

    /// Adds a field whose value the closure writes.
    package mutating func field(_ number: UInt64, _ write: (inout CBORWriter) -> Void) {
        precondition(last.map { $0 < number } ?? true, "fields are written in ascending order")
        (last, count) = (number, count + 1)
        writer.unsigned(number)
        write(&writer)
    }

    /// Adds a field if there is a value for it.
    package mutating func field<Value>(
        _ number: UInt64, _ value: Value?, _ write: (inout CBORWriter, Value) -> Void
    ) {
        guard let value else { return }
        field(number) { write(&$0, value) }
    }

    /// Adds a field that is `true`, if the flag is set.
    package mutating func flag(_ number: UInt64, _ isSet: Bool) {
        if isSet { field(number) { $0.boolean(true) } }
    }
}
