package import BatonClient
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
    /// The apps that are running and declared, whatever goes before them for their types.
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
        // The first handler of a pattern counts, and all apps that work in a folder each go before others.
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
    /// If the file has a handler for it other than `*`, no app gets it. An app that works in a folder gets only what is in
    /// there, and of several the one whose folder is nearest, and of several in that folder the one that was used last; but an
    /// editor gets all that is continued in a terminal of its own.
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

    /// Returns the handler of an action that an app has donated: the app alone gets it, as it runs or from its manifest.
    ///
    /// An instance that takes activities of that type goes before others.
    func handler(forActionOf app: String, type: String) -> Handler? {
        let pattern = TypePattern(type) ?? .all
        let running = apps.filter { $0.name.app.utf8.elementsEqual(app.utf8) }
        if let app = running.first(where: { $0.takes(type) }) ?? running.first {
            return Handler(pattern: pattern, action: .app(app), source: .app)
        }
        let manifest = manifests.first { $0.app.utf8.elementsEqual(app.utf8) && !$0.run.isEmpty }
        return manifest.map { Handler(pattern: pattern, action: .start($0), source: .manifest) }
    }

    /// Returns the handler that an activity will probably have, before anybody looks where its file is on this machine.
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
    /// The folder in which the app works, if it is an app that works in one.
    fileprivate var folder: String? { if case .app(let app) = action { app.folder } else { nil } }

    /// Whether the person used the app before another one.
    fileprivate func isUsedBefore(_ other: Handler) -> Bool {
        guard case .app(let app) = action, case .app(let next) = other.action, let later = next.used else {
            return false
        }
        return app.used.map { $0 < later } ?? true
    }
}
