/// All handlers that are in force: what is built in, and what the person's file puts in its place or beside it.
package struct HandlerRegistry: Equatable, Sendable {
    /// The handlers, those that say most first, and of those that say alike by name.
    package let handlers: [Handler]
    /// The schemes of what may be opened as a web page.
    package let schemes: [String]

    /// What is opened as a web page where the person's file does not say.
    package static let usualSchemes = ["http", "https", "mailto"]

    package init(_ configuration: Configuration? = nil) {
        let known = WellKnownType.allCases.map { type in
            Handler(pattern: TypePattern(type), action: .known(type), source: .builtIn)
        }
        let own = configuration?.handlers ?? []
        let replaced = Set(own.map(\.pattern))
        handlers = (own + known.filter { !replaced.contains($0.pattern) }).sorted { left, right in
            left.pattern.exactness == right.pattern.exactness
                ? left.pattern.description < right.pattern.description
                : left.pattern.exactness > right.pattern.exactness
        }
        schemes = configuration?.schemes ?? Self.usualSchemes
    }

    /// What continues activities of that type.
    package func handler(for type: String) -> Handler? { handlers.first { $0.pattern.matches(type) } }
}
