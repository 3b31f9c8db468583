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
