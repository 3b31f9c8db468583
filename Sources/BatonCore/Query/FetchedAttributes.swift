/// The attributes that each result of a search contains.
package enum FetchedAttributes: Equatable, Sendable {
    case all
    /// Only the attributes in the fields with these names.
    case named(Set<FieldName>)

    /// The name by which a request asks for all attributes.
    package static let everything = "*"

    /// Whether the results contain the attribute in the field with this name.
    package func contains(_ name: FieldName) -> Bool {
        switch self {
        case .all: AttributeSet.holds(name)
        case .named(let names): names.contains(name)
        }
    }
}
