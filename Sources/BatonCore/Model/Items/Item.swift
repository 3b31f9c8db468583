/// An app's searchable item.
package struct Item: Equatable, Sendable {
    /// The item's domain in its index.
    ///
    /// A clear of this domain, or of a domain that contains it, deletes the item.
    ///
    /// The domain is not in a field. It is read from the scope.
    package var domain: String?
    /// The time when the item expires.
    package var expiration: WallTime?
    /// The time when the app indexed the item.
    package var indexed: WallTime?
    package var attributes: AttributeSet
    /// The sealed content of an item in a protected index; nil if the item is not protected, or is opened.
    package var sealed: SealedValue?
    /// The name that the app gave to an item in a protected index.
    ///
    /// In a sealed item, it is there only if an update has moved the item; before that, the sealed content has the name.
    package var givenName: KnownName?
    /// The fields that only newer versions know, kept unchanged.
    package var unknown = Fields()

    package init(
        domain: String? = nil, expiration: WallTime? = nil, indexed: WallTime? = nil,
        attributes: AttributeSet = AttributeSet()
    ) {
        (self.domain, self.expiration, self.indexed) = (domain, expiration, indexed)
        self.attributes = attributes
    }

    /// The numbers of an item's fields.
    ///
    /// Unused numbers up to 31 are reserved for newer versions. Larger numbers are attributes.
    enum Number {
        static let expiration: UInt64 = 0
        static let indexed: UInt64 = 1
        static let sealed: UInt64 = 2
        static let givenName: UInt64 = 3
    }

    /// The number of the field with the time when an item was indexed.
    package static let indexedNumber = Number.indexed

    /// The fields of a record of this item.
    package var fields: Fields {
        Fields(reserving: attributes.usualBytes) { fields in
            fields.field(Number.expiration, expiration) { $1.encode(to: &$0) }
            fields.field(Number.indexed, indexed) { $1.encode(to: &$0) }
            fields.field(Number.sealed, sealed) { $1.encode(to: &$0) }
            fields.field(Number.givenName, givenName) { $1.encode(to: &$0) }
            attributes.add(to: &fields)
        }.completed(by: unknown)
    }

    /// Returns the content of the item's record, which has this name.
    package func content(_ name: ItemName) -> Write.Content {
        Write.Content(scope: .items(app: name.app, index: name.index, domain: domain), fields: fields)
    }

    /// Reads an item from the content of the record with this name.
    ///
    /// A known field must have its known form.
    package init(_ name: ItemName, _ content: Write.Content) throws(CBORError) {
        let domain = try Self.domain(of: content.scope, name)
        var reader = content.fields.reader
        try self.init(domain: domain, content.fields.count, from: &reader)
        try reader.end()
    }

    /// Reads an item from its fields, and checks the fields in the same pass.
    ///
    /// The domain is given, because no field holds it.
    package init(domain: String?, from reader: inout CBORReader) throws(CBORError) {
        try self.init(domain: domain, try reader.fieldCount(), from: &reader)
    }

    private init(domain: String?, _ count: Int, from reader: inout CBORReader) throws(CBORError) {
        self.init(domain: domain, attributes: AttributeSet(reserving: min(count, CBORReader.trustedCount)))
        unknown = try reader.fields(count) { (name, reader) throws(CBORError) in
            switch name {
            case .number(Number.expiration): expiration = try WallTime(from: &reader)
            case .number(Number.indexed): indexed = try WallTime(from: &reader)
            case .number(Number.sealed): sealed = try SealedValue(from: &reader)
            case .number(Number.givenName): givenName = try KnownName(from: &reader)
            default: try attributes.append(name, &reader)
            }
        }
    }

    /// Returns the domain of an item's scope; nil if there is none.
    ///
    /// It consists of the scope's parts after the app, the word `items` and the index.
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
