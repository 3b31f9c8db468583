package import BatonCore

/// The step that continues an activity here.
package struct HandlerPlan: Equatable, Sendable {
    package let handler: Handler
    package let step: Step

    package enum Step: Equatable, Sendable {
        /// Replace this process with this command, which no shell reads.
        case run([String])
        /// Go to this folder, which only the person's shell can do.
        case go(FolderPlace)
        /// Paste what was copied there.
        case paste
        /// Have the node pass the activity to this running app.
        case hand(AppRegistration)
        /// Start this app, and have the node pass the activity to it.
        case start(AppManifest)
    }
}

extension HandlerPlan {
    /// Whether it needs a terminal, as far as can be known: what a person configured may.
    package var needsTerminal: Bool {
        switch step {
        case .go, .paste: true
        case .hand: false
        case .start(let manifest): manifest.terminal
        case .run: handler.action != .known(.web)
        }
    }
}

extension HandlerRegistry {
    /// Plans how to continue an activity here; returns nil if there is no handler for it.
    ///
    /// An activity without a handler is continued by its web page, if it has one, as on Apple's systems.
    package func plan(
        _ summary: ActivitySummary, environment: (String) -> String?
    ) throws(LocalFailure) -> HandlerPlan? {
        let type = summary.activity.type
        let own = self.handler(for: type)
        let page = summary.activity.webpage == nil ? nil : self.handler(for: WellKnownType.web.rawValue)
        guard let handler = own ?? page else { return nil }
        let values = ActivityValues(summary, schemes: schemes, environment: environment)
        if own == nil || type == WellKnownType.web.rawValue, handler.isForApp,
            WebAddress.pageProblem(with: try values.page()) != nil
        {
            // A browser that takes part opens pages of the web only, so another address goes the way without it.
            return HandlerPlan(
                handler: Handler(pattern: handler.pattern, action: .known(.web), source: .builtIn),
                step: try WellKnownType.web.step(values, environment: environment))
        }
        switch handler.action {
        case .off: return nil
        case .app(let registration): return HandlerPlan(handler: handler, step: .hand(registration))
        case .start(let manifest): return HandlerPlan(handler: handler, step: .start(manifest))
        case .run(let command):
            return HandlerPlan(handler: handler, step: .run(try command.words(values)))
        case .known(let type):
            return HandlerPlan(handler: handler, step: try type.step(values, environment: environment))
        }
    }
}

extension Handler {
    /// Whether an app continues the activity.
    fileprivate var isForApp: Bool {
        switch action {
        case .app, .start: true
        case .run, .known, .off: false
        }
    }
}

extension WellKnownType {
    /// Plans how Baton itself continues the activity.
    fileprivate func step(
        _ values: ActivityValues, environment: (String) -> String?
    ) throws(LocalFailure) -> HandlerPlan.Step {
        switch self {
        case .folder:
            return .go(try values.folder(environment: environment))
        case .file:
            guard let path = try values.path("file", of: .file) else { throw values.missing("file") }
            let (line, column) = (try values.count("line"), try values.count("column"))
            return .run(
                try EditorCommand(environment: environment).opening(path, line: line, column: column))
        case .web:
            return .run(["xdg-open", try values.page()])
        case .manual:
            guard let page = try values.text("page") else { throw values.missing("page") }
            guard !page.isEmpty, !page.utf8.contains(UInt8(ascii: "/")) else {
                throw values.failure(
                    "has “\(ActivityValues.shown(page))” as its `page`, which is not the name of a manual page"
                )
            }
            guard let section = try values.text("section") else { return .run(["man", "--", page]) }
            guard !section.isEmpty, section.utf8.count <= 16,
                section.unicodeScalars.allSatisfy({ $0.isASCII && $0.isInWord })
            else {
                throw values.failure(
                    "has “\(ActivityValues.shown(section))” as its `section`, which is not a section of the manual"
                )
            }
            return .run(["man", "--", section, page])
        case .clipboard: return .paste
        }
    }
}

extension ActivityValues {
    /// Returns the address of its web page, which may be opened.
    fileprivate func page() throws(LocalFailure) -> String {
        var url = try text("webpage")
        if url == nil { url = try text("info.url") }
        guard let url else { throw missing("url") }
        return try page(url)
    }

    /// Returns a number from one on, or nil if there is none.
    fileprivate func count(_ name: String) throws(LocalFailure) -> Int64? {
        guard let text = try text(name) else { return nil }
        guard let number = Int64(text), number > 0, text.unicodeScalars.allSatisfy(\.isDigit) else {
            throw failure("has “\(Self.shown(text))” as its `\(name)`, which is not a number from 1 on")
        }
        return number
    }

    /// Returns the folder of this machine in which the activity goes on.
    fileprivate func folder(environment: (String) -> String?) throws(LocalFailure) -> FolderPlace {
        guard let repository = Repository(summary.activity.info[.string("repository")]) else {
            guard let path = try path("folder", of: .folder) else { throw missing("folder") }
            return FolderPlace(path)
        }
        guard let path = try wholePath("folder") else { throw missing("folder") }
        let search = FolderSearch(
            git: Git(), clones: KnownClones(environment: environment), home: environment("HOME"))
        if let place = search.place(for: path, in: repository, on: summary.device.name) { return place }
        throw unknownClone(of: repository, at: path)
    }

    fileprivate func missing(_ name: String) -> LocalFailure {
        failure("has no `\(name)`, which is needed to continue it")
    }
}
