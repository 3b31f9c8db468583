import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// Starts apps that are not running and have a manifest, to continue or open something in them.
enum StartedApp {
    /// How long to wait until a started app has registered.
    private static let patience = Duration.seconds(20)
    private static let pause = Duration.milliseconds(50)

    /// Starts an app, and returns its first registration for which the closure returns true.
    static func start(
        _ manifest: AppManifest, _ node: inout NodeConnection, _ call: Call,
        where isWanted: (AppRegistration) -> Bool
    ) throws(LocalFailure) -> AppRegistration {
        try AppStart(manifest.app, manifest.run, variables: variables(manifest, call)).begin()
        let watch = Stopwatch()
        while true {
            let registrations = try node.ask(ListRegistrations()).registrations
            let app = registrations.first { $0.name.app == manifest.app && isWanted($0) }
            if let app { return app }
            guard watch.elapsed < patience else {
                throw LocalFailure(
                    .failed,
                    "\(VisibleText(manifest.label).text) was started, but has not registered within \(HumanTime.span(patience)).\n"
                        + "Look at its log, or start it yourself and try again.")
            }
            _ = Waiting.forOne(of: [], within: pause)
        }
    }

    /// Starts an app's program for indexing, if the app must index again and no program of the app is connected.
    ///
    /// Returns how the app learns of the request to index again.
    static func reindex(
        _ app: String, _ node: inout NodeConnection, _ call: Call
    ) throws(LocalFailure) -> Reindexing {
        let requested = try node.ask(ExamineApp(app)).indexes.filter { $0.reindexing != nil }
        guard !requested.isEmpty else { return .nothing }
        guard !requested.allSatisfy(\.isHeard) else { return .asked }
        guard let manifest = try AppManifest.read(app, in: try call.home()), !manifest.reindex.isEmpty else {
            return .later
        }
        try AppStart(app, manifest.reindex, variables: variables(manifest, call)).begin()
        return .started
    }

    /// How an app learns of the request to index again.
    enum Reindexing {
        /// There is no request to index again.
        case nothing
        /// A program of the app is running, and has got the request.
        case asked
        /// A program of the app was started because of the request.
        case started
        /// The app gets the request when it runs next.
        case later
    }

    /// Replaces this process with an app that needs the terminal.
    static func replaceThisProcess(
        by manifest: AppManifest, variables own: [(name: String, value: String)], _ call: Call
    ) throws(LocalFailure) {
        for variable in try variables(manifest, call) + own { Environment.set(variable.name, variable.value) }
        try call.console.flush()
        try call.start(manifest.run)
    }

    /// Asks an app to open something.
    ///
    /// If the app is not running and has a manifest, it is started first. If the app has no manifest, throws the node's
    /// failure.
    static func open(
        _ opening: AppOpening, _ node: inout NodeConnection, _ call: Call
    ) throws(LocalFailure) -> AppRegistration {
        let failure: LocalFailure
        do throws(LocalFailure) {
            return try node.ask(OpenInApp(opening)).registration
        } catch {
            failure = error
        }
        guard failure.code == .notFound,
            let manifest = try AppManifest.read(opening.app, in: try call.home()),
            !manifest.run.isEmpty
        else { throw failure }
        if manifest.terminal {
            try replaceThisProcess(by: manifest, variables: [opening.variable], call)
        } else {
            _ = try start(manifest, &node, call) { $0.types.contains(opening.type) }
        }
        return try node.ask(OpenInApp(opening)).registration
    }

    /// The variables by which the app finds the same node as this command.
    private static func variables(
        _ manifest: AppManifest, _ call: Call
    ) throws(LocalFailure) -> [(name: String, value: String)] {
        let home = try call.home().absolute(environment: call.environment)
        return [("BATON_APP", manifest.app)] + (home.isNamed ? [("BATON_HOME", home.data)] : [])
            + (home.meant.map { [("BATON_ACCOUNT", $0.text)] } ?? [])
    }
}

extension Call {
    /// All handlers, of which some come from the person's file, from running apps and from manifests.
    ///
    /// With `explainsUnused`, prints which manifests can't be used, and why.
    func registry(
        _ configuration: Configuration?, _ node: inout NodeConnection, explainsUnused: Bool = false
    ) throws(LocalFailure) -> HandlerRegistry {
        let registrations = try node.ask(ListRegistrations()).registrations
        let (manifests, troubles) = AppManifest.readAll(in: try home())
        if explainsUnused {
            for trouble in troubles { try console.explain("Not used: \(trouble.description)") }
        }
        // `baton intents` reports the manifests that can't be used.
        let intents = InstalledIntents(in: try home()).apps
        return HandlerRegistry(
            configuration, apps: registrations, manifests: manifests, intents: intents)
    }
}

extension AppOpening {
    /// The variable by which an app that is started in the terminal learns what to open.
    fileprivate var variable: (name: String, value: String) {
        switch self {
        case .item(let item): ("BATON_OPEN_ITEM", item.identifier)
        case .search(_, let words): ("BATON_OPEN_SEARCH", words)
        }
    }
}
