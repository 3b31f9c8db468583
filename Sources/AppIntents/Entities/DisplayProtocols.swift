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

/// A value that has a title for people.
public protocol InstanceDisplayRepresentable: CustomLocalizedStringResourceConvertible {
    /// The title of the value, with what else a list shows.
    var displayRepresentation: DisplayRepresentation { get }
}

extension InstanceDisplayRepresentable {
    /// The title.
    public var localizedStringResource: LocalizedStringResource { displayRepresentation.title }
}

/// A value and a type with titles for people.
public protocol DisplayRepresentable: InstanceDisplayRepresentable, TypeDisplayRepresentable {
    /// Returns the title and the parts that are asked for.
    func displayRepresentation(
        with components: DisplayRepresentation.Components
    ) async throws -> DisplayRepresentation
}

extension DisplayRepresentable {
    /// Returns `displayRepresentation`, which has all parts.
    public func displayRepresentation(
        with components: DisplayRepresentation.Components
    ) async throws -> DisplayRepresentation { displayRepresentation }
}

/// A type whose cases have titles for people.
public protocol CaseDisplayRepresentable: InstanceDisplayRepresentable, Hashable {
    /// The titles of the cases.
    static var caseDisplayRepresentations: [Self: DisplayRepresentation] { get }
}

/// A type whose values and their titles are known when the program is built.
public protocol StaticDisplayRepresentable: CaseDisplayRepresentable, TypeDisplayRepresentable {}
