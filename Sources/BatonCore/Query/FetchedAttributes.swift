/// The attributes that the results of a search have.
package enum FetchedAttributes: Equatable, Sendable {
    case all
    /// Only the attributes in the fields with these names.
    case named(Set<FieldName>)

    /// The name that stands for all attributes.
    package static let everything = "*"

    /// Whether a field holds one of the attributes.
    package func contains(_ name: FieldName) -> Bool {
        switch self {
        case .all: AttributeSet.holds(name)
        case .named(let names): names.contains(name)
        }
    }
}
