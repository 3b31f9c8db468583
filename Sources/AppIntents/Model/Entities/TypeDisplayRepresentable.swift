public import LocalizedStrings

/// A type that has a name for people.
public protocol TypeDisplayRepresentable {
    /// The name of the type.
    static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
    /// An earlier spelling of `typeDisplayRepresentation`.
    static var typeDisplayName: LocalizedStringResource { get }
}

extension TypeDisplayRepresentable {
    /// The name of the type.
    public static var typeDisplayName: LocalizedStringResource { typeDisplayRepresentation.name }
}
