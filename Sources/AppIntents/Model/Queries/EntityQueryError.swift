/// A query of a person that an entity's type can't answer.
package enum EntityQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownProperty(String, type: String)
    case unsupportedComparison(String, property: String)
    case notSortable(String)

    package var description: String {
        switch self {
        case .unknownProperty(let name, let type): "\(type) has no property “\(name)” that can be searched."
        case .unsupportedComparison(let kind, let property): "“\(property)” can't be compared with \(kind)."
        case .notSortable(let property): "Results can't be sorted by “\(property)”."
        }
    }
}
