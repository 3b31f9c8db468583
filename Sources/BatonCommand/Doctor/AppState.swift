package import BatonClient
package import BatonCore

/// Examines an app for `baton doctor --app`: whether it runs or can be started, and what it has indexed.
package struct AppState {
    private let app: String
    private let registrations: [AppRegistration]
    private let manifest: Result<AppManifest?, LocalFailure>
    /// The intents and entities that the app has declared; nil if it has declared none.
    private let declaration: Result<IntentManifest?, LocalFailure>
    private let items: AppItemsReply
    /// The app's current activities, on all machines.
    private let current: [ActivitySummary]
    private let options: String

    package init(
        _ app: String, _ registrations: [AppRegistration], _ manifest: Result<AppManifest?, LocalFailure>,
        _ items: AppItemsReply, declaration: Result<IntentManifest?, LocalFailure> = .success(nil),
        current: [ActivitySummary] = [], options: String
    ) {
        self.declaration = declaration
        self.app = app
        self.manifest = manifest
        self.items = items
        self.options = options
        self.registrations = registrations.filter { $0.name.app == app }
        self.current = current.filter { $0.app == app }
    }

    /// The findings about the app itself, its declaration, its indexes, and the requests to index again.
    package var findings: [Finding] { [registration] + declared + [indexed] + requests }

    /// The findings about the app's current activities.
    package var activityFindings: [Finding] {
        guard current.isEmpty else { return current.flatMap { $0.findings(options: options) } }
        return [
            Finding(.activity, "idle", .note, "activities", "the app has no current activity on any machine")
        ]
    }

    // MARK: The app

    private var registration: Finding {
        guard registrations.isEmpty else {
            let instances = registrations.map { "\($0.name.instance)" }.joined(separator: ", ")
            let types = Set(registrations.flatMap(\.types)).sorted()
            return finding("running", .ok, "is running (\(instances)) and \(Self.continues(types))")
        }
        // An app that offers activities but continues none has no registration. It is recognised by its activities.
        let here = current.filter(\.device.isHere).map(\.instance)
        guard here.isEmpty else {
            return finding(
                "running", .ok, "is running (\(here.joined(separator: ", "))) and \(Self.continues([]))")
        }
        switch manifest {
        case .failure(let failure):
            return finding("faulty", .problem, "its manifest can't be used: \(failure.text)")
        case .success(nil) where hasIntents:
            return finding(
                "performing", .ok,
                "is not running; its program is started for each intent, and continues no activities"
            )
        case .success(nil):
            return finding(
                "unregistered", .warning, "no program is registered for it, and it has no manifest",
                advice: "Start it, or declare it by a manifest: see `baton help handlers`.")
        case .success(let manifest?):
            guard let program = manifest.run.first else {
                return finding(
                    "unstartable", .warning, "is not running, and its manifest names no program to start",
                    advice: "Start it, or name its program in the manifest: see `baton help handlers`.")
            }
            return finding(
                "declared", .ok,
                "is not running; its manifest starts \(program) and \(Self.continues(manifest.types))")
        }
    }

    private static func continues(_ types: [String]) -> String {
        types.isEmpty ? "continues no activities" : "continues \(types.joined(separator: ", "))"
    }

    private func finding(
        _ outcome: String, _ mark: Finding.Mark, _ found: String, advice: String? = nil
    ) -> Finding {
        Finding(.app, outcome, mark, "\(app)", "\(found)", advice: advice.map { "\($0)" })
    }

    // MARK: Its declaration

    /// Whether the app has declared intents.
    private var hasIntents: Bool {
        if case .success(let declared?) = declaration { !declared.intents.isEmpty } else { false }
    }

    /// The finding about the intents and entities that the app has declared; none if it has declared nothing.
    private var declared: [Finding] {
        let finding = { (outcome: String, mark: Finding.Mark, found: String, advice: String?) in
            [Finding(.intents, outcome, mark, "intents", "\(found)", advice: advice.map { "\($0)" })]
        }
        switch declaration {
        case .success(nil): return []
        case .failure(let failure):
            return finding("faulty", .problem, "the declaration can't be used: \(failure.text)", nil)
        case .success(let declared?):
            do throws(LocalFailure) { try ProgramStart.check(declared.program, path: "") } catch {
                return finding(
                    "unstartable", .problem, "\(declared.summary), but \(error.text)", declared.removalAdvice)
            }
            let program = declared.program.map { ShellWord.quoted($0) }.joined(separator: " ")
            let found = "\(declared.summary), performed by \(program)"
            if let path = declared.missingFile {
                return finding(
                    "incomplete", .warning, "\(found), but \(path) does not exist", declared.removalAdvice)
            }
            return finding("declared", .ok, found, nil)
        }
    }

    // MARK: Its items

    private var indexed: Finding {
        guard items.itemCount > 0 else {
            return Finding(.items, "none", .note, "items", "the app has no items on this machine")
        }
        let names = items.indexes.map { IndexProtection.shownName(of: $0.name) }.joined(separator: ", ")
        let count = HumanTime.count(Int64(items.itemCount), "item")
        let expired = items.expiredCount > 0 ? ", of which \(items.expiredCount) have expired" : ""
        return Finding(.items, "indexed", .ok, "items", "\(count)\(expired); its indexes: \(names)")
    }

    private var requests: [Finding] {
        items.indexes.compactMap { index in
            guard let extent = index.reindexing else { return nil }
            let what =
                switch extent {
                case .all: "everything"
                case .items(let items): HumanTime.count(Int64(items.count), "item")
                }
            let subject: VisibleText = "index \(IndexProtection.shownName(of: index.name))"
            guard !index.isHeard else {
                return Finding(
                    .items, "reindexing", .note, subject, "the app has been asked to index \(what) again")
            }
            // If the manifest can't be used, another finding says so.
            let isDeclared =
                if case .success(let manifest?) = manifest { !manifest.reindex.isEmpty } else { false }
            return Finding(
                .items, "unheard", .warning, subject,
                "\(what) should be indexed again, but no running program of the app waits for this request",
                advice: isDeclared
                    ? "Type `baton index reindex \(app) --pending\(options)` to start the app for it."
                    : "Start the app.")
        }
    }
}

extension ActivitySummary {
    /// The findings about a current activity: on which machine it is, whether it is hidden, and what it is eligible
    /// for.
    package func findings(options: String) -> [Finding] {
        let subject: VisibleText = "“\(activity.title ?? activity.type)”"
        let finding = { (outcome: String, mark: Finding.Mark, found: VisibleText, advice: VisibleText?) in
            Finding(.activity, outcome, mark, subject, found, advice: advice)
        }
        let held =
            device.isHere
            ? finding("held", .ok, "is current in its app on this machine (\(instance))", nil)
            : finding("elsewhere", .ok, "is current on “\(device.name)”", nil)
        let hidden = finding(
            "hidden", .problem, "is hidden on this machine",
            "Type `baton forget --undo\(options) \(identifier)` to show it again.")
        let isOffered = activity.eligibility.contains(.handoff)
        let handoff =
            !isOffered
            ? finding("ineligible", .note, "stays on this machine: it is not eligible for hand-off", nil)
            : isPrivate
                ? finding("private", .note, "stays on this machine, because this machine is private", nil)
                : finding("offered", .ok, "is eligible for hand-off", nil)
        let search =
            activity.eligibility.contains(.search)
            ? finding("searchable", .ok, "is eligible for search: found here, elsewhere once it ends", nil)
            : finding("unsearchable", .note, "is not eligible for search", nil)
        return [held] + (isForgotten ? [hidden] : []) + [handoff, search]
    }
}
