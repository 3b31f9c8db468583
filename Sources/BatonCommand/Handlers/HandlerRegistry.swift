package import BatonClient
package import BatonCore

/// All handlers: the built-in ones, those of apps that are declared or running, and those of the person's file.
///
/// For one pattern, handlers of the file come first, then running apps, then apps that can be started, then built-in
/// handlers.
package struct HandlerRegistry: Equatable, Sendable {
    /// The handlers, the most specific first; equally specific ones by name.
    package let handlers: [Handler]
    /// The schemes of addresses that may be opened.
    package let schemes: [String]
    /// The apps that are running or declared, even if other handlers precede them for their types.
    private let apps: [AppRegistration]
    private let manifests: [AppManifest]

    /// The schemes that may be opened if the file has none.
    package static let usualSchemes = ["http", "https", "mailto"]

    package init(
        _ configuration: Configuration? = nil, apps: [AppRegistration] = [], manifests: [AppManifest] = []
    ) {
        (self.apps, self.manifests) = (apps, manifests)
        let known = WellKnownType.allCases.map { type in
            Handler(pattern: TypePattern(exactly: type.rawValue), action: .known(type), source: .builtIn)
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
        // The first handler of a pattern counts. Apps that work in a folder are all kept, because their folders differ.
        var taken: Set<TypePattern> = []
        let all =
            ((configuration?.handlers ?? []) + registered.filter { $0.folder != nil }
            + registered.filter { $0.folder == nil } + declared + known).filter { handler in
                handler.folder != nil
                    ? !taken.contains(handler.pattern) : taken.insert(handler.pattern).inserted
            }
        handlers = all.sorted { left, right in
            left.pattern.exactness == right.pattern.exactness
                ? left.pattern.description < right.pattern.description
                : left.pattern.exactness > right.pattern.exactness
        }
        schemes = configuration?.schemes ?? Self.usualSchemes
    }

    /// The variable by which the terminals of an editor name its process.
    package static let editorVariable = "BATON_EDITOR"

    /// Returns the most specific handler for a type, and for the path here if it is that of a file or folder.
    ///
    /// If the file has a handler for the type other than `*`, no app is chosen. An app that works in a folder is chosen
    /// only for paths in that folder. If there are several, the one with the innermost folder is chosen; for one
    /// folder, the one that was used last. But an editor is chosen for everything that is continued in one of its own
    /// terminals.
    package func handler(
        for type: String, at path: String? = nil, inTerminalOf editor: String? = nil
    ) -> Handler? {
        let real = path.map { LocalPath.resolved($0) ?? $0 }
        let rank = { (handler: Handler) -> Int in
            guard let folder = handler.folder, case .app(let app) = handler.action else { return 0 }
            if let editor, !editor.isEmpty, app.name.instance.hasPrefix("editor-\(editor)-") { return .max }
            return real.map { LocalPath.isWithin(folder, $0) } == true ? folder.utf8.count : -1
        }
        let matching = handlers.filter { $0.pattern.matches(type) && rank($0) >= 0 }
        let isSaid = matching.contains { handler in
            if case .file = handler.source { handler.pattern.exactness > 0 } else { false }
        }
        let first = matching.first { !isSaid || $0.source != .app && $0.source != .manifest }
        guard let first, first.folder != nil else { return first }
        let equal = matching.filter { $0.pattern == first.pattern && $0.folder != nil }
        return equal.max { left, right in
            let (first, second) = (rank(left), rank(right))
            return first == second ? left.isUsedBefore(right) : first < second
        }
    }

    /// Returns the handler of an action that an app has donated: only that app, running or started by its manifest.
    ///
    /// A running instance that continues activities of that type precedes the others.
    func handler(forActionOf app: String, type: String) -> Handler? {
        let pattern = TypePattern(type) ?? .all
        let running = apps.filter { $0.name.app.utf8.elementsEqual(app.utf8) }
        if let app = running.first(where: { $0.takes(type) }) ?? running.first {
            return Handler(pattern: pattern, action: .app(app), source: .app)
        }
        let manifest = manifests.first { $0.app.utf8.elementsEqual(app.utf8) && !$0.run.isEmpty }
        return manifest.map { Handler(pattern: pattern, action: .start($0), source: .manifest) }
    }

    /// Returns the handler that an activity will probably have, without looking for its file on this machine.
    package func likelyHandler(
        for summary: ActivitySummary, environment: (String) -> String?
    ) -> Handler? {
        let activity = summary.activity
        if summary.donation != nil { return handler(forActionOf: summary.app, type: activity.type) }
        let path = activity.info[.string("file")]?.string.flatMap {
            LocalPath.whole($0, home: environment("HOME"))
        }
        return handler(for: activity.type, at: path, inTerminalOf: environment(Self.editorVariable))
    }
}

extension Handler {
    /// The folder in which the app works; nil if it works in none.
    fileprivate var folder: String? { if case .app(let app) = action { app.folder } else { nil } }

    /// Whether the person last used this app before the other one.
    fileprivate func isUsedBefore(_ other: Handler) -> Bool {
        guard case .app(let app) = action, case .app(let next) = other.action, let later = next.used else {
            return false
        }
        return app.used.map { $0 < later } ?? true
    }
}
