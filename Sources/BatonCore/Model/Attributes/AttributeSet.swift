/// The attributes of an item or an activity and their values, including an app's custom attributes.
///
/// A value is kept even if it has the wrong type for its attribute. Otherwise, one mistake of an app could lose the
/// other values. Attributes of newer versions are kept in encoded form. For a system attribute, null means that there
/// is no value. In a partial update, null removes the value.
package struct AttributeSet: Equatable, Sendable {
    /// The entries in ascending order of names, without repetitions.
    package private(set) var entries: [Entry] = []

    /// One attribute with its value.
    package struct Entry: Equatable, Sendable {
        package let name: FieldName
        package let value: AttributeValue

        package init(_ name: FieldName, _ value: AttributeValue) { (self.name, self.value) = (name, value) }
    }

    package init() {}

    /// Creates an empty set and reserves memory for this number of entries.
    init(reserving count: Int) { entries.reserveCapacity(count) }

    /// The smallest field number of an attribute; smaller numbers belong to the item or activity itself.
    package static let leastNumber: UInt64 = 32

    /// Whether a field with this name holds an attribute.
    ///
    /// The attribute may be unknown to this version.
    package static func holds(_ name: FieldName) -> Bool {
        switch name {
        case .number(let number): number >= leastNumber
        case .custom: true
        case .part: false
        }
    }

    // MARK: Single values

    /// The value of an attribute; setting nil removes it.
    package subscript(attribute: Attribute) -> AttributeValue? {
        get { self[.number(attribute.number)] }
        set { self[.number(attribute.number)] = newValue }
    }

    /// The value of the attribute in the field with this name; setting nil removes the value.
    ///
    /// The field must be one that can hold an attribute.
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

    /// Returns the index of the first entry whose name is not smaller than `name`.
    private func place(of name: FieldName) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a value means that a system attribute has no value; a custom attribute may have the value null.
    private static func isNothing(_ value: AttributeValue, for name: FieldName) -> Bool {
        guard case .number = name, case .plain(.null) = value else { return false }
        return true
    }

    // MARK: Fields

    /// An estimate of the encoded size of these attributes in bytes.
    var usualBytes: Int { 64 + 32 * entries.count }

    /// Adds the fields of all attributes.
    ///
    /// The caller may add further fields only if their names are larger.
    package func add(to fields: inout FieldsWriter) {
        for entry in entries { fields.field(entry.name) { entry.value.encode(to: &$0) } }
    }

    /// The fields of all attributes.
    package var fields: Fields { Fields { add(to: &$0) } }

    /// Adds the value of an attribute whose name is larger than all names in the set.
    mutating func append(_ name: FieldName, _ value: AttributeValue) {
        precondition(Self.holds(name), "other fields are not attributes")
        if !Self.isNothing(value, for: name) { entries.append(Entry(name, value)) }
    }

    /// Reads the value of a field whose name is larger than all names in the set.
    ///
    /// If the field can't hold an attribute, the reader is not moved.
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

extension AttributeSet {
    /// Returns the value of an attribute; nil if there is no value or the value is sealed.
    package func value(_ attribute: Attribute) -> PropertyValue? {
        guard case .plain(let value) = self[attribute] else { return nil }
        return value
    }

    /// Returns a copy of this set with the values of `others` added.
    ///
    /// A value in `others` replaces the value of the same name here.
    package func changed(by others: AttributeSet) -> AttributeSet {
        var changed = self
        for entry in others.entries { changed[entry.name] = entry.value }
        return changed
    }
}
