/// The forms of an item of a protected index.
///
/// The stored item is *sealed*. Its key has a keyed hash instead of the app's identifier, and its scope has keyed hashes
/// instead of the parts of the domain. One field has the sealed content, which is the identifier, the domain and all
/// attributes. Its times are not sealed. An update of the app seals each changed attribute in the attribute's own
/// field, so that updates by several devices merge as those of other items do. A removed attribute has a sealed null.
///
/// The *opened* item has the same key and the same scope. Its attributes are plain, and one field has the identifier
/// and the domain as the app gave them.
extension Item {
    /// The identifier and the domain that an app has given to an item of a protected index.
    package struct GivenName: Equatable, Sendable {
        package var identifier: String
        package var domain: String?

        package init(identifier: String, domain: String?) {
            (self.identifier, self.domain) = (identifier, domain)
        }

        func encode(to writer: inout CBORWriter) {
            writer.array(count: 2)
            writer.text(identifier)
            if let domain { writer.text(domain) } else { writer.null() }
        }

        init(from reader: inout CBORReader) throws(CBORError) {
            try reader.array(count: 2)
            identifier = try reader.text()
            domain = try reader.optional { (reader) throws(CBORError) in try reader.text() }
        }

        /// The bytes of the name that are sealed if an update moves the item to another domain.
        package var encoded: [UInt8] {
            var writer = CBORWriter()
            encode(to: &writer)
            return writer.bytes
        }
    }

    /// The name that the app gave to an item, sealed or opened.
    package enum KnownName: Equatable, Sendable {
        case sealed(SealedValue)
        case opened(GivenName)

        func encode(to writer: inout CBORWriter) {
            switch self {
            case .sealed(let value): value.encode(to: &writer)
            case .opened(let name): name.encode(to: &writer)
            }
        }

        init(from reader: inout CBORReader) throws(CBORError) {
            self =
                reader.nextType == .tag
                ? .sealed(try SealedValue(from: &reader)) : .opened(try GivenName(from: &reader))
        }
    }

    /// An attribute as an update seals it: its name, and its value or nil if the update removes it.
    package struct SealedAttribute: Equatable, Sendable {
        package var name: FieldName
        /// The encoded value.
        package var value: [UInt8]?

        package init(name: FieldName, value: [UInt8]?) { (self.name, self.value) = (name, value) }

        package init(encoded: [UInt8]) throws(CBORError) {
            self = try CBORReader.whole(encoded[...]) { (reader) throws(CBORError) in
                let fields = try Fields(from: &reader)
                guard fields.count == 1, let field = fields.first(where: { _ in true }),
                    AttributeSet.holds(field.name)
                else { throw CBORError(.outOfRange, at: 0) }
                let value = CBORReader(field.value)
                return SealedAttribute(name: field.name, value: value.nextIsNull ? nil : Array(field.value))
            }
        }

        /// The value in the form that an item has; nil if the update removes the attribute.
        var decoded: AttributeValue? {
            get throws(CBORError) {
                guard value != nil else { return nil }
                return try CBORReader.whole(encoded[...]) { (reader) throws(CBORError) in
                    try Item(domain: nil, from: &reader)
                }.attributes[name]
            }
        }

        package var encoded: [UInt8] {
            Fields { fields in
                fields.field(name) { writer in
                    if let value { writer.encoded(value) } else { writer.null() }
                }
            }.encoded
        }
    }

    /// Returns the name that the app gave to an opened item; nil if the item is sealed, or not protected.
    static func givenName(in fields: Fields) -> GivenName? {
        guard let encoded = fields.encoded(Number.givenName) else { return nil }
        do throws(CBORError) {
            return try CBORReader.whole(encoded) { (reader) throws(CBORError) in
                if case .opened(let name) = try KnownName(from: &reader) { name } else { nil }
            }
        } catch {
            return nil
        }
    }

    /// Whether an item with these fields is sealed, so that no search finds it.
    static func isSealed(_ fields: Fields) -> Bool { fields.encoded(Number.sealed) != nil }

    // MARK: Sealing

    /// The content that is sealed when the app indexes the item under an identifier.
    package func contentToSeal(as identifier: String) -> [UInt8] {
        var content = Item(attributes: attributes)
        (content.givenName, content.unknown) = (
            .opened(GivenName(identifier: identifier, domain: domain)), unknown
        )
        return content.fields.encoded
    }

    /// Returns the item with sealed content; `domain` has hashes instead of the parts of the domain.
    package func sealed(as content: SealedValue, domain: String?) -> Item {
        var item = Item(domain: domain, expiration: expiration, indexed: indexed)
        item.sealed = content
        return item
    }

    // MARK: Opening

    /// Decrypts a sealed part of an item; throws if it can't be decrypted.
    package typealias Opener = (SealedValue, SealedPart) throws -> [UInt8]

    /// Returns the item with its content opened.
    package func opened(by open: Opener) throws -> Item {
        guard let sealed else { return self }
        let content = try open(sealed, .content)
        var opened = try CBORReader.whole(content[...]) { (reader) throws(CBORError) in
            try Item(domain: domain, from: &reader)
        }
        (opened.expiration, opened.indexed) = (expiration, indexed)
        if case .sealed(let name)? = givenName { opened.givenName = .opened(try GivenName(name, by: open)) }
        for entry in attributes.entries {
            guard let value = entry.value.sealed else { continue }
            let attribute = try SealedAttribute(value, in: entry.name, by: open)
            opened.attributes[attribute.name] = try attribute.decoded
        }
        return opened
    }

    /// A part of an item that is sealed by itself.
    package enum SealedPart: Equatable, Sendable {
        case content
        case name
        /// The attribute in the field with this name, which is a hash if the app chose the name of the attribute.
        case attribute(FieldName)

        /// Returns the bytes that bind the sealed part to its place in the item with this key.
        package func context(in item: ItemName) -> [UInt8] {
            var writer = CBORWriter()
            writer.array(count: 3)
            writer.text("item")
            writer.data(item.key.name)
            switch self {
            case .content: writer.unsigned(Item.Number.sealed)
            case .name: writer.unsigned(Item.Number.givenName)
            case .attribute(let name): name.encode(to: &writer)
            }
            return writer.bytes
        }
    }
}

extension Item.GivenName {
    fileprivate init(_ value: SealedValue, by open: Item.Opener) throws {
        let bytes = try open(value, .name)
        self = try CBORReader.whole(bytes[...]) { (reader) throws(CBORError) in try Self(from: &reader) }
    }
}

extension Item.SealedAttribute {
    fileprivate init(_ value: SealedValue, in field: FieldName, by open: Item.Opener) throws {
        try self.init(encoded: try open(value, .attribute(field)))
    }
}

extension AttributeValue {
    /// The sealed value, also in an attribute of a newer version; nil if the value is not sealed.
    fileprivate var sealed: SealedValue? {
        switch self {
        case .plain: return nil
        case .sealed(let value): return value
        case .unknown(let encoded):
            do throws(CBORError) {
                return try CBORReader.whole(encoded[...]) { (reader) throws(CBORError) in
                    try SealedValue(from: &reader)
                }
            } catch {
                return nil
            }
        }
    }
}

/// The fields of an update of an item in a protected index.
extension Fields {
    /// Returns these fields of an app's update with each attribute sealed.
    ///
    /// `hash` gives the field name of an attribute whose name the app chose.
    package func sealedUpdate(
        movingTo name: Item.GivenName?, hash: ([UInt8]) throws -> KeyHash,
        by seal: ([UInt8], Item.SealedPart) throws -> SealedValue
    ) throws -> Fields {
        var fields: [FieldName: [UInt8]] = [:]
        for field in self {
            guard AttributeSet.holds(field.name) else {
                fields[field.name] = Array(field.value)
                continue
            }
            let place =
                if case .custom(let text) = field.name {
                    FieldName.custom(Array(try hash(text).description.utf8))
                } else {
                    field.name
                }
            let isRemoved = CBORReader(field.value).nextIsNull
            let attribute = Item.SealedAttribute(
                name: field.name, value: isRemoved ? nil : Array(field.value))
            fields[place] = try seal(attribute.encoded, .attribute(place)).encoded
        }
        if let name { fields[.number(Item.Number.givenName)] = try seal(name.encoded, .name).encoded }
        return Fields(fields)
    }

    /// Returns the fields of a sealed update with all parts opened.
    ///
    /// A part that can't be opened is left out, and `failed` is called with the reason.
    package func openedUpdate(by open: Item.Opener, failed: (any Error) -> Void) -> Fields {
        var fields: [FieldName: [UInt8]] = [:]
        for field in self {
            do {
                if field.name == .number(Item.Number.givenName) {
                    let sealed = try CBORReader.whole(field.value) { (reader) throws(CBORError) in
                        try SealedValue(from: &reader)
                    }
                    fields[field.name] = try Item.GivenName(sealed, by: open).encoded
                } else if AttributeSet.holds(field.name) {
                    let sealed = try CBORReader.whole(field.value) { (reader) throws(CBORError) in
                        try SealedValue(from: &reader)
                    }
                    let attribute = try Item.SealedAttribute(sealed, in: field.name, by: open)
                    fields[attribute.name] = attribute.value ?? Self.null
                } else {
                    fields[field.name] = Array(field.value)
                }
            } catch {
                failed(error)
            }
        }
        return Fields(fields)
    }

    /// The encoding of a removed attribute.
    private static var null: [UInt8] {
        var writer = CBORWriter()
        writer.null()
        return writer.bytes
    }

    private init(_ values: [FieldName: [UInt8]]) {
        self.init { fields in
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                fields.field(name) { $0.encoded(value) }
            }
        }
    }
}

extension Record {
    /// Whether the record is an item of a protected index with sealed content.
    package var isSealedItem: Bool {
        identity.kind == .item && (content.map { Item.isSealed($0.fields) } ?? false)
    }
}
