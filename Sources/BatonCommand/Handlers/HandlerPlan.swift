package import BatonClient
package import BatonCore

/// The way to continue one activity on this machine.
package struct HandlerPlan: Equatable, Sendable {
    package let handler: Handler
    package let step: Step
    /// The file that is opened, or nil if the step opens no file.
    package var opening: FileOpening?

    package enum Step: Equatable, Sendable {
        /// Replaces this process with a command, without a shell.
        case run([String])
        /// Goes to a folder.
        ///
        /// Only the person's shell can do this.
        case go(FoundPlace)
        /// Pastes the content that was copied on the other machine.
        case paste
        /// Asks the node to pass the activity to an app that is running.
        case hand(AppRegistration)
        /// Starts an app, and asks the node to pass the activity to it.
        case start(AppManifest)
    }
}

extension HandlerPlan {
    /// Whether the step may need a terminal.
    ///
    /// A command from the configuration file may need one.
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
    /// Plans how to continue an activity on this machine; returns nil if no handler continues it.
    ///
    /// If there is no handler for the activity's type, its web page is opened, as on Apple's systems.
    package func plan(
        _ summary: ActivitySummary, environment: (String) -> String?
    ) throws(LocalFailure) -> HandlerPlan? {
        let type = summary.activity.type
        if isForOwnApp(summary) {
            guard let handler = handler(ofAppFor: summary) else { return nil }
            switch handler.action {
            case .intent(let intent, let app):
                let words = [OwnProgram.path ?? "baton", "run", app] + intent.arguments
                return HandlerPlan(handler: handler, step: .run(words))
            case .app(let registration): return HandlerPlan(handler: handler, step: .hand(registration))
            case .start(let manifest): return HandlerPlan(handler: handler, step: .start(manifest))
            case .run, .known, .off: return nil
            }
        }
        let page = summary.activity.webpage == nil ? nil : self.handler(for: WellKnownType.web.rawValue)
        let values = ActivityValues(summary, schemes: schemes, environment: environment)
        // The file's path on this machine decides which editor opens the file. If the file is not found, planning fails
        // only for handlers that need it.
        let opening: Result<FileOpening?, LocalFailure>
        do throws(LocalFailure) {
            opening = .success(
                type == WellKnownType.file.rawValue ? try values.opening(environment: environment) : nil)
        } catch {
            opening = .failure(error)
        }
        var path: String?
        if case .success(let opening?) = opening { path = opening.path }
        let own = self.handler(for: type, at: path, inTerminalOf: environment(Self.editorVariable))
        guard let handler = own ?? page else { return nil }
        if own == nil || type == WellKnownType.web.rawValue, handler.isForApp,
            WebAddress.pageProblem(with: try values.page()) != nil
        {
            // A browser with the extension can open only web pages. So `xdg-open` opens any other address.
            return HandlerPlan(
                handler: Handler(pattern: handler.pattern, action: .known(.web), source: .builtIn),
                step: .run(try values.webCommand()))
        }
        switch handler.action {
        case .off, .intent: return nil
        case .app(let registration):
            return HandlerPlan(
                handler: handler, step: .hand(registration),
                opening: registration.folder == nil ? nil : try opening.get())
        case .start(let manifest): return HandlerPlan(handler: handler, step: .start(manifest))
        case .run(let command):
            return HandlerPlan(handler: handler, step: .run(try command.words(values)))
        case .known(.file):
            // The configuration file may say that activities of another type are continued like files.
            let known = try opening.get()
            let place = if let known { known } else { try values.opening(environment: environment) }
            let editor = try EditorCommand(environment: environment)
            return HandlerPlan(handler: handler, step: .run(editor.opening(place)), opening: place)
        case .known(.folder):
            let place = try values.place("folder", of: .folder, environment: environment)
            return HandlerPlan(handler: handler, step: .go(place))
        case .known(.web): return HandlerPlan(handler: handler, step: .run(try values.webCommand()))
        case .known(.manual): return HandlerPlan(handler: handler, step: .run(try values.manualCommand()))
        case .known(.clipboard): return HandlerPlan(handler: handler, step: .paste)
        }
    }
}

extension Handler {
    /// Whether the handler's action is that an app continues the activity.
    fileprivate var isForApp: Bool {
        switch action {
        case .app, .start: true
        case .run, .known, .intent, .off: false
        }
    }
}

extension ActivityValues {
    /// Returns the address of the activity's web page, or throws if it may not be opened.
    fileprivate func page() throws(LocalFailure) -> String {
        var url = try text("webpage")
        if url == nil { url = try text("info.url") }
        guard let url else { throw missing("url") }
        return try page(url)
    }

    /// The command that opens the activity's web page.
    fileprivate func webCommand() throws(LocalFailure) -> [String] { ["xdg-open", try page()] }

    /// The command that shows the manual page that the activity names.
    fileprivate func manualCommand() throws(LocalFailure) -> [String] {
        guard let page = try text("page") else { throw missing("page") }
        guard !page.isEmpty, !page.utf8.contains(UInt8(ascii: "/")) else {
            throw failure(
                "has “\(Self.shown(page))” as its `page`, which is not the name of a manual page")
        }
        guard let section = try text("section") else { return ["man", "--", page] }
        guard !section.isEmpty, section.utf8.count <= 16,
            section.unicodeScalars.allSatisfy({ $0.isASCII && $0.isInWord })
        else {
            throw failure(
                "has “\(Self.shown(section))” as its `section`, which is not a section of the manual")
        }
        return ["man", "--", section, page]
    }

    /// Returns a value as a number, or nil if there is no such value.
    ///
    /// Throws if the value is not a positive number.
    func count(_ name: String) throws(LocalFailure) -> Int64? {
        guard let text = try text(name) else { return nil }
        guard let number = Int64(text), number > 0, text.unicodeScalars.allSatisfy(\.isDigit) else {
            throw failure("has “\(Self.shown(text))” as its `\(name)`, which is not a positive number")
        }
        return number
    }

    /// Returns the place on this machine for a path of the payload.
    ///
    /// It is the same path, or else a path in a clone of the same repository.
    func place(
        _ name: String, of kind: LocalPath.Kind, environment: (String) -> String?
    ) throws(LocalFailure) -> FoundPlace {
        guard let repository = Repository(summary.activity.info[.string("repository")]) else {
            guard let path = try path(name, of: kind) else { throw missing(name) }
            return FoundPlace(path)
        }
        guard let path = try wholePath(name) else { throw missing(name) }
        let search = PlaceSearch(
            clones: KnownClones(environment: environment), home: environment("HOME"), kind: kind)
        if let place = search.place(for: path, in: repository, on: summary.device.name) { return place }
        throw unknownClone(of: repository, at: path)
    }

    fileprivate func missing(_ name: String) -> LocalFailure {
        failure("has no `\(name)`, which is needed to continue it")
    }
}
