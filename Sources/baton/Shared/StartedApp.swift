import BatonClient
import BatonCommand
import BatonCore

/// Starts apps by their manifests, when a person continues or opens something in an app that is not running.
enum StartedApp {
    /// How long an app may take to register.
    private static let patience = Duration.seconds(20)
    private static let pause = Duration.milliseconds(50)

    /// Starts an app, and returns its first registration that the closure accepts.
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

    /// Starts the app's program for indexing if there is a request to index again, and no connection of the app to hear
    /// it; returns the outcome.
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

    /// How an app learns of a request to index again.
    enum Reindexing {
        /// There is no request.
        case nothing
        /// The app is running, and has got the request.
        case asked
        /// A program of the app was started for the request.
        case started
        /// The app gets the request when it runs the next time.
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

    /// Has an app open something, and starts it if it is not running and has a manifest.
    ///
    /// Throws the node's failure if there is no manifest.
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

    /// The variables by which the app finds the node that this command uses.
    private static func variables(
        _ manifest: AppManifest, _ call: Call
    ) throws(LocalFailure) -> [(name: String, value: String)] {
        let home = try call.home().absolute(environment: call.environment)
        return [("BATON_APP", manifest.app)] + (home.isNamed ? [("BATON_HOME", home.data)] : [])
            + (home.meant.map { [("BATON_ACCOUNT", $0.text)] } ?? [])
    }
}

extension Call {
    /// All handlers: from the person's file, of running apps, from manifests, and the built-in ones; with
    /// `explainsUnused`, prints which manifests are not used, and why.
    func registry(
        _ configuration: Configuration?, _ node: inout NodeConnection, explainsUnused: Bool = false
    ) throws(LocalFailure) -> HandlerRegistry {
        let registrations = try node.ask(ListRegistrations()).registrations
        let (manifests, troubles) = AppManifest.readAll(in: try home())
        if explainsUnused {
            for trouble in troubles { try console.explain("Not used: \(trouble.description)") }
        }
        return HandlerRegistry(configuration, apps: registrations, manifests: manifests)
    }
}

extension AppOpening {
    /// The variable that tells an app started in the terminal what to open.
    fileprivate var variable: (name: String, value: String) {
        switch self {
        case .item(let item): ("BATON_OPEN_ITEM", item.identifier)
        case .search(_, let words): ("BATON_OPEN_SEARCH", words)
        }
    }
}
