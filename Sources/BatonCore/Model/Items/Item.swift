/// An app's searchable item.
package struct Item: Equatable, Sendable {
    /// The item's domain in its index; a clear of this domain, or of a domain around it, deletes the item.
    ///
    /// No field holds the domain: it is read from the scope.
    package var domain: String?
    /// The time when the item expires.
    package var expiration: WallTime?
    /// The time when its app indexed it.
    package var indexed: WallTime?
    package var attributes: AttributeSet
    /// Fields of newer versions, kept as they are.
    package var unknown = Fields()

    package init(
        domain: String? = nil, expiration: WallTime? = nil, indexed: WallTime? = nil,
        attributes: AttributeSet = AttributeSet()
    ) {
        (self.domain, self.expiration, self.indexed) = (domain, expiration, indexed)
        self.attributes = attributes
    }

    /// The numbers of an item's fields; numbers up to 31 are reserved for newer versions, and its attributes follow.
    enum Number {
        static let expiration: UInt64 = 0
        static let indexed: UInt64 = 1
    }

    /// The number of the field with the time when an item was indexed.
    package static let indexedNumber = Number.indexed

    /// The fields of a record of this item.
    package var fields: Fields {
        Fields(reserving: attributes.usualBytes) { fields in
            fields.field(Number.expiration, expiration) { $1.encode(to: &$0) }
            fields.field(Number.indexed, indexed) { $1.encode(to: &$0) }
            attributes.add(to: &fields)
        }.completed(by: unknown)
    }

    /// Returns the content of the record with that name.
    package func content(_ name: ItemName) -> Write.Content {
        Write.Content(scope: .items(app: name.app, index: name.index, domain: domain), fields: fields)
    }

    /// Reads an item from a record with that name; known fields must have their known forms.
    package init(_ name: ItemName, _ content: Write.Content) throws(CBORError) {
        let domain = try Self.domain(of: content.scope, name)
        var reader = content.fields.reader
        try self.init(domain: domain, content.fields.count, from: &reader)
        try reader.end()
    }

    /// Reads an item in a domain from its fields, and checks them in the same pass.
    package init(domain: String?, from reader: inout CBORReader) throws(CBORError) {
        try self.init(domain: domain, try reader.fieldCount(), from: &reader)
    }

    private init(domain: String?, _ count: Int, from reader: inout CBORReader) throws(CBORError) {
        self.init(domain: domain, attributes: AttributeSet(reserving: min(count, CBORReader.trustedCount)))
        unknown = try reader.fields(count) { (name, reader) throws(CBORError) in
            switch name {
            case .number(Number.expiration): expiration = try WallTime(from: &reader)
            case .number(Number.indexed): indexed = try WallTime(from: &reader)
            default: try attributes.append(name, &reader)
            }
        }
    }

    /// Returns the domain of a scope: its parts after the item's app and index.
    static func domain(of scope: Scope, _ name: ItemName) throws(CBORError) -> String? {
        var reader = CBORReader(scope.encoded)
        guard try reader.text(is: name.app), try reader.text(is: "items"), try reader.text(is: name.index)
        else { throw CBORError(.outOfRange, at: 0) }
        guard scope.count > 3 else { return nil }
        var domain = try reader.text()
        for _ in 4..<scope.count { domain += "." + (try reader.text()) }
        return domain
    }
}
