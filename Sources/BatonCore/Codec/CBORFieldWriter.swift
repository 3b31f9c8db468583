/// Writes the fields of a map whose keys are numbers, and counts the fields.
package struct CBORFieldWriter {
    /// The writer that the fields are written to; it already contains the bytes before the map.
    var writer: CBORWriter
    private(set) var count = 0
    private var last: UInt64?

    init(_ writer: consuming CBORWriter) { self.writer = writer }

    /// Adds a field; the closure writes its value.
    package mutating func field(_ number: UInt64, _ write: (inout CBORWriter) -> Void) {
        precondition(last.map { $0 < number } ?? true, "fields are written in ascending order")
        (last, count) = (number, count + 1)
        writer.unsigned(number)
        write(&writer)
    }

    /// Adds a field if `value` is not nil; the closure writes the value.
    package mutating func field<Value>(
        _ number: UInt64, _ value: Value?, _ write: (inout CBORWriter, Value) -> Void
    ) {
        guard let value else { return }
        field(number) { write(&$0, value) }
    }

    /// Adds a field with the value `true` if the flag is set; otherwise adds nothing.
    package mutating func flag(_ number: UInt64, _ isSet: Bool) {
        if isSet { field(number) { $0.boolean(true) } }
    }
}
