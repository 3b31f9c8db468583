package import BatonClient
package import BatonCore

/// All handlers: those of the configuration file, of running apps, of apps that can be started, and of Baton itself.
///
/// If several handlers have the same pattern, they are preferred in this order.
package struct HandlerRegistry: Equatable, Sendable {
    /// The handlers.
    ///
    /// More specific patterns come first, and equally specific ones are sorted by name.
    package let handlers: [Handler]
    /// The schemes that an address must have so that it may be opened.
    package let schemes: [String]
    /// The apps that are running, and those that have a manifest, even if other handlers are preferred for all their
    /// types.
    private let apps: [AppRegistration]
    private let manifests: [AppManifest]
    /// The manifests of apps with the library AppIntents.
    private let intents: [IntentManifest]

    /// The schemes that are used if the configuration file does not have `schemes`.
    package static let usualSchemes = ["http", "https", "mailto"]

    package init(
        _ configuration: Configuration? = nil, apps: [AppRegistration] = [], manifests: [AppManifest] = [],
        intents: [IntentManifest] = []
    ) {
        (self.apps, self.manifests, self.intents) = (apps, manifests, intents)
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
        // The first handler of each pattern is kept. Among them, apps that work in a folder are all kept, because they
        // may work in different folders.
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

    /// The variable that an editor sets for its terminals.
    ///
    /// It contains the number of the editor's process.
    package static let editorVariable = "BATON_EDITOR"

    /// Returns the most specific handler for a type and, if the activity has a file or folder, its path on this
    /// machine.
    ///
    /// If the configuration file has a handler for the type, and its pattern is not `*`, no app is chosen. An app that
    /// works in a folder is chosen only for paths in that folder. If several apps work in folders around the path, the
    /// app with the innermost folder is chosen. If they work in the same folder, the app that was used last is chosen.
    /// Within a terminal of an editor, that editor is chosen for every path.
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

    /// Returns the handler for an action that an app has donated.
    ///
    /// Only that app can perform the action. An action of the library AppIntents is run as a command. For any other
    /// action, a running instance is preferred if it continues activities of the action's type. Otherwise, it is any
    /// running instance, or the app is started by its manifest.
    func handler(forActionOf summary: ActivitySummary) -> Handler? {
        let (app, type) = (summary.app, summary.activity.type)
        let pattern = TypePattern(type) ?? .all
        // Only a donation that this device has kept becomes a command. A payload from another device runs no intent.
        if summary.donation != nil, let intent = DonatedIntent(summary.activity) {
            return Handler(pattern: pattern, action: .intent(intent, app: app), source: .app)
        }
        let running = apps.filter { $0.name.app.utf8.elementsEqual(app.utf8) }
        if let app = running.first(where: { $0.takes(type) }) ?? running.first {
            return Handler(pattern: pattern, action: .app(app), source: .app)
        }
        let manifest = manifests.first { $0.app.utf8.elementsEqual(app.utf8) && !$0.run.isEmpty }
        return manifest.map { Handler(pattern: pattern, action: .start($0), source: .manifest) }
    }

    /// Returns the handler of an activity that only its app can continue, which is a donated action or an offered item.
    ///
    /// If the app neither runs nor has a manifest for starting it, an entity is opened by the app's intent for opening.
    func handler(ofAppFor summary: ActivitySummary) -> Handler? {
        if let handler = handler(forActionOf: summary) { return handler }
        guard summary.donation == nil, let entity = summary.activity.namedEntity,
            let app = intents.first(where: { $0.app.utf8.elementsEqual(summary.app.utf8) }),
            let opening = InstalledIntents.opening(entity.type, in: app)
        else { return nil }
        let intent = DonatedIntent(opening.intent.name, [opening.parameter: [entity.identifier]])
        return Handler(
            pattern: TypePattern(exactly: summary.activity.type), action: .intent(intent, app: app.app),
            source: .app)
    }

    /// Returns whether only the activity's own app can continue it.
    func isForOwnApp(_ summary: ActivitySummary) -> Bool {
        if summary.donation != nil { return true }
        guard summary.activity.type == AppOpening.itemType else { return false }
        // A handler in the person's configuration precedes the app, unless the handler is for all types.
        guard let own = handler(for: AppOpening.itemType), case .file = own.source else { return true }
        return !own.pattern.isNarrow
    }

    /// Returns the handler that will probably continue an activity.
    ///
    /// It is not checked whether the activity's file exists on this machine.
    package func likelyHandler(
        for summary: ActivitySummary, environment: (String) -> String?
    ) -> Handler? {
        let activity = summary.activity
        if isForOwnApp(summary) { return handler(ofAppFor: summary) }
        let path = activity.info[.string("file")]?.string.flatMap {
            LocalPath.whole($0, home: environment("HOME"))
        }
        return handler(for: activity.type, at: path, inTerminalOf: environment(Self.editorVariable))
    }
}

extension Handler {
    /// The folder in which the handler's app works, or nil if the app does not work in a folder.
    fileprivate var folder: String? { if case .app(let app) = action { app.folder } else { nil } }

    /// Whether the person used this handler's app before the app of the other handler.
    fileprivate func isUsedBefore(_ other: Handler) -> Bool {
        guard case .app(let app) = action, case .app(let next) = other.action, let later = next.used else {
            return false
        }
        return app.used.map { $0 < later } ?? true
    }
}
