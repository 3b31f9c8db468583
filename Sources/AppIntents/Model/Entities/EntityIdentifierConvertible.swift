public import Foundation

/// An identifier of an entity that can be written as a text.
public protocol EntityIdentifierConvertible: Hashable {
    /// The identifier as a text of at most 4096 characters.
    var entityIdentifierString: String { get }
    /// Returns the identifier that a text has; nil if it has none.
    static func entityIdentifier(for entityIdentifierString: String) -> Self?
}

extension String: EntityIdentifierConvertible {
    /// The text.
    public var entityIdentifierString: String { self }
    /// Returns the text.
    public static func entityIdentifier(for entityIdentifierString: String) -> String? {
        entityIdentifierString
    }
}

extension Int: EntityIdentifierConvertible {
    /// The number in digits.
    public var entityIdentifierString: String { String(self) }
    /// Reads digits.
    public static func entityIdentifier(for entityIdentifierString: String) -> Int? {
        Int(entityIdentifierString)
    }
}

extension Float: EntityIdentifierConvertible {
    /// The number in digits.
    public var entityIdentifierString: String { description }
    /// Reads digits.
    public static func entityIdentifier(for entityIdentifierString: String) -> Float? {
        Float(entityIdentifierString)
    }
}

extension UUID: EntityIdentifierConvertible {
    /// The identifier in groups of hexadecimal digits.
    public var entityIdentifierString: String { uuidString }
    /// Reads groups of hexadecimal digits.
    public static func entityIdentifier(for entityIdentifierString: String) -> UUID? {
        UUID(uuidString: entityIdentifierString)
    }
}

extension EntityIdentifierConvertible where Self: RawRepresentable, RawValue: EntityIdentifierConvertible {
    /// The raw value as a text.
    public var entityIdentifierString: String { rawValue.entityIdentifierString }
    /// Reads the raw value.
    public static func entityIdentifier(for entityIdentifierString: String) -> Self? {
        RawValue.entityIdentifier(for: entityIdentifierString).flatMap { Self(rawValue: $0) }
    }
}
