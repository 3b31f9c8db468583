package import BatonCore

/// All handlers that are in force: what is built in, what apps registered for, and what the person's file puts in the
/// place of that or beside it.
package struct HandlerRegistry: Equatable, Sendable {
    /// The handlers, those that say most first, and of those that say alike by name.
    package let handlers: [Handler]
    /// The schemes of what may be opened as a web page.
    package let schemes: [String]

    /// What is opened as a web page where the person's file does not say.
    package static let usualSchemes = ["http", "https", "mailto"]

    package init(_ configuration: Configuration? = nil, apps: [AppRegistration] = []) {
        let known = WellKnownType.allCases.map { type in
            Handler(pattern: TypePattern(type), action: .known(type), source: .builtIn)
        }
        let registered = apps.flatMap { app in
            // An app may say what is no pattern; that continues nothing.
            app.types.compactMap { TypePattern($0) }.map {
                Handler(pattern: $0, action: .app(app), source: .app)
            }
        }
        // Of several for one pattern the first counts.
        var taken: Set<TypePattern> = []
        let all = ((configuration?.handlers ?? []) + registered + known).filter {
            taken.insert($0.pattern).inserted
        }
        handlers = all.sorted { left, right in
            left.pattern.exactness == right.pattern.exactness
                ? left.pattern.description < right.pattern.description
                : left.pattern.exactness > right.pattern.exactness
        }
        schemes = configuration?.schemes ?? Self.usualSchemes
    }

    /// What continues activities of that type: what says most, but no app where the file says anything but `*`.
    package func handler(for type: String) -> Handler? {
        let matching = handlers.filter { $0.pattern.matches(type) }
        let isSaid = matching.contains { handler in
            if case .file = handler.source { handler.pattern.exactness > 0 } else { false }
        }
        return matching.first { !isSaid || $0.source != .app }
    }
}
