package import BatonCore

/// All handlers: the built-in ones, those of apps that are declared or running, and those of the person's file.
///
/// For one pattern, the file goes before a running app, that before an app that is started, and that before what is built
/// in.
package struct HandlerRegistry: Equatable, Sendable {
    /// The handlers, the most specific first; equally specific ones by name.
    package let handlers: [Handler]
    /// The schemes of addresses that may be opened.
    package let schemes: [String]

    /// The schemes that may be opened if the file has none.
    package static let usualSchemes = ["http", "https", "mailto"]

    package init(
        _ configuration: Configuration? = nil, apps: [AppRegistration] = [], manifests: [AppManifest] = []
    ) {
        let known = WellKnownType.allCases.map { type in
            Handler(pattern: TypePattern(type), action: .known(type), source: .builtIn)
        }
        let registered = apps.flatMap { app in
            // Malformed patterns of apps are ignored.
            app.types.compactMap { TypePattern($0) }.map {
                Handler(pattern: $0, action: .app(app), source: .app)
            }
        }
        let declared = manifests.filter { !$0.run.isEmpty }.flatMap { manifest in
            manifest.types.compactMap { TypePattern($0) }.map {
                Handler(pattern: $0, action: .start(manifest), source: .manifest)
            }
        }
        // The first handler of a pattern counts.
        var taken: Set<TypePattern> = []
        let all = ((configuration?.handlers ?? []) + registered + declared + known).filter {
            taken.insert($0.pattern).inserted
        }
        handlers = all.sorted { left, right in
            left.pattern.exactness == right.pattern.exactness
                ? left.pattern.description < right.pattern.description
                : left.pattern.exactness > right.pattern.exactness
        }
        schemes = configuration?.schemes ?? Self.usualSchemes
    }

    /// Returns the most specific handler for a type.
    ///
    /// If the file has a handler for it other than `*`, no app gets it.
    package func handler(for type: String) -> Handler? {
        let matching = handlers.filter { $0.pattern.matches(type) }
        let isSaid = matching.contains { handler in
            if case .file = handler.source { handler.pattern.exactness > 0 } else { false }
        }
        return matching.first { !isSaid || $0.source != .app && $0.source != .manifest }
    }
}
