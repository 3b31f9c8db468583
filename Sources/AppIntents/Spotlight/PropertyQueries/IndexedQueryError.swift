import BatonCore

/// The reason why the index can't answer a query by properties.
package enum IndexedQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Some items were not searched, because they are still being merged or the search took too long.
    case incomplete(type: String)
    /// More entities match than one search returns.
    case tooMany(type: String)

    package var description: String {
        switch self {
        case .incomplete(let type):
            "Not all entities of the type \(type) could be searched. Try again, or add a condition."
        case .tooMany(let type):
            "More than \(Limits.streamedResults) entities of the type \(type) match. Add a condition."
        }
    }
}
