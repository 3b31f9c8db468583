/// What an item or an activity says of itself: values by attribute, those that an app made up included.
///
/// A value whose type is not the attribute's is kept: one mistake of an app must not lose the rest. Attributes
/// of newer versions are kept as they are encoded. For an attribute of the system null is no value; a partial
/// update says so where it takes one away.
package struct AttributeSet: Equatable, Sendable {
    /// In ascending order of names, each once.
    package private(set) var entries: [Entry] = []

    /// One attribute with its value.
    package struct Entry: Equatable, Sendable {
        package let name: FieldName
        package let value: AttributeValue

        package init(_ name: FieldName, _ value: AttributeValue) { (self.name, self.value) = (name, value) }
    }

    package init() {}

    /// No attributes yet, and room for so many.
    init(reserving count: Int) { entries.reserveCapacity(count) }

    /// The least number of an attribute's field; those below belong to the item or activity itself.
    package static let leastNumber: UInt64 = 32

    /// Whether a field of that name is one of an attribute, known here or not.
    package static func holds(_ name: FieldName) -> Bool {
        switch name {
        case .number(let number): number >= leastNumber
        case .custom: true
        case .part: false
        }
    }

    // MARK: Single values

    /// The value of an attribute; setting nothing removes it.
    package subscript(attribute: Attribute) -> AttributeValue? {
        get { self[.number(attribute.number)] }
        set { self[.number(attribute.number)] = newValue }
    }

    /// The value of the field of that name, which is one of an attribute; setting nothing removes it.
    package subscript(name: FieldName) -> AttributeValue? {
        get {
            let place = place(of: name)
            return place < entries.count && entries[place].name == name ? entries[place].value : nil
        }
        set {
            precondition(Self.holds(name), "other fields are not attributes")
            let place = place(of: name)
            let next = place < entries.count && entries[place].name == name ? place + 1 : place
            let value = newValue.flatMap { Self.isNothing($0, for: name) ? nil : $0 }
            entries.replaceSubrange(place..<next, with: value.map { [Entry(name, $0)] } ?? [])
        }
    }

    /// The place of the first entry that does not come before that name.
    private func place(of name: FieldName) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a value says that there is none; an app may give null to an attribute that it made up.
    private static func isNothing(_ value: AttributeValue, for name: FieldName) -> Bool {
        guard case .number = name, case .plain(.null) = value else { return false }
        return true
    }

    // MARK: Fields

    /// How many bytes a record with so many attributes has as a rule.
    var usualBytes: Int { 64 + 32 * entries.count }

    /// Adds the fields of all attributes; what is added after them must have a larger name.
    package func add(to fields: inout FieldsWriter) {
        for entry in entries { fields.field(entry.name) { entry.value.encode(to: &$0) } }
    }

    /// The fields of all attributes.
    package var fields: Fields { Fields { add(to: &$0) } }

    /// Reads a field that comes after all that are here; leaves it alone if it is none of an attribute.
    mutating func append(_ name: FieldName, _ reader: inout CBORReader) throws(CBORError) {
        guard Self.holds(name) else { return }
        let value: AttributeValue
        if case .number(let number) = name, Attribute(number: number) == nil {
            value = .unknown(Array(try reader.encoded()))
        } else {
            value = try AttributeValue(from: &reader)
        }
        if !Self.isNothing(value, for: name) { entries.append(Entry(name, value)) }
    }
}
