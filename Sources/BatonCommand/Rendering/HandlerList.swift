package import BatonClient
package import BatonCore
package import BatonTerminal

/// Shows all handlers to a person.
package struct HandlerList {
    private let registry: HandlerRegistry

    package init(_ registry: HandlerRegistry) { self.registry = registry }

    /// A table that has a row for each handler.
    ///
    /// More specific handlers come first.
    package var table: Table {
        var table = Table([
            .init("TYPE", least: 12), .init("CONTINUED BY", least: 12), .init("FROM", least: 8),
        ])
        for handler in registry.handlers {
            table.add([
                VisibleText(handler.pattern.description), VisibleText(handler.text),
                VisibleText(handler.source.text),
            ])
        }
        return table
    }

    /// A line with the schemes that an address must have so that it may be opened.
    package var schemes: VisibleText {
        registry.schemes.isEmpty
            ? "No addresses are opened."
            : "Addresses that may be opened: \(registry.schemes.joined(separator: ", "))"
    }

    /// The handlers and schemes as JSON, for programs.
    package func json(file: String?, isThere: Bool, node: LocalFailure?) -> JSON {
        .object([
            .init("file", JSON(file)), .init("read", .boolean(isThere)),
            .init("appsUnknown", JSON(node?.text)),
            .init(
                "handlers",
                .array(
                    registry.handlers.map { handler in
                        .object([
                            .init("type", .string(handler.pattern.description)),
                            .init("run", handler.runJSON),
                            .init("as", JSON(handler.known?.rawValue)),
                            .init("app", handler.app ?? .null),
                            .init("from", .string(handler.source.text)),
                        ])
                    })),
            .init("schemes", .array(registry.schemes.map { .string($0) })),
        ])
    }
}

extension Handler {
    /// The type that Baton knows and as which the handler continues activities, or nil if it does something else.
    fileprivate var known: WellKnownType? { if case .known(let type) = action { type } else { nil } }

    /// The app that continues the activities, or nil if no app does.
    fileprivate var app: JSON? {
        switch action {
        case .app(let registration): JSON(registration)
        case .start(let manifest): JSON(manifest)
        case .run, .known, .intent, .off: nil
        }
    }

    /// The arguments of the command as the configuration file has them, or null if the handler runs no command.
    fileprivate var runJSON: JSON {
        guard case .run(let command) = action else { return .null }
        return .array(command.arguments.map { .string($0.text) })
    }
}

extension JSON {
    /// A running app that continues activities.
    fileprivate init(_ registration: AppRegistration) {
        self = .object([
            Member("id", .string(registration.name.app)),
            Member("instance", .string(registration.name.instance)),
            Member("title", JSON(registration.title)),
        ])
    }

    /// An app that is started to continue activities.
    fileprivate init(_ manifest: AppManifest) {
        self = .object([
            Member("id", .string(manifest.app)), Member("instance", .null),
            Member("title", JSON(manifest.title)),
        ])
    }
}

/// Shows a plan to continue an activity to a person, and as JSON.
package enum HandlerPlanText {
    /// The folder, or the command as a person would type it.
    ///
    /// A person may copy the line. So if it contains characters that would not be visible, this throws, rather than
    /// changing them.
    package static func line(_ step: HandlerPlan.Step) throws(LocalFailure) -> VisibleText {
        let text =
            switch step {
            case .go(let place): place.path
            case .run(let words): words.map { ShellWord.quoted($0) }.joined(separator: " ")
            case .paste: throw handed(to: "baton paste")
            case .hand(let app): throw handed(to: app.label)
            case .start(let manifest): throw handed(to: manifest.label)
            }
        let visible = VisibleText(text)
        guard visible.text == text else {
            throw LocalFailure(
                .failed,
                "It contains characters that can't be printed: \(visible.text)\nUse --json to see them all.")
        }
        return visible
    }

    private static func handed(to app: String) -> LocalFailure {
        LocalFailure(.failed, "\(VisibleText(app).text) continues it, so there is no command to print.")
    }

    /// The plan as JSON for programs: the step, or the reason why there is none.
    package static func json(_ plan: HandlerPlan?, trouble: LocalFailure?) -> JSON {
        guard plan != nil || trouble != nil else { return .null }
        var (run, folder, app): (JSON, JSON, JSON) = (.null, .null, .null)
        switch plan?.step {
        case .run(let words)?: run = .array(words.map { .string($0) })
        case .go(let place)?: folder = .string(place.path)
        case .hand(let registration)?: app = JSON(registration)
        case .start(let manifest)?: app = JSON(manifest)
        case .paste?, nil: break
        }
        return .object([
            .init("type", JSON(plan?.handler.pattern.description)),
            .init("from", JSON(plan?.handler.source.text)), .init("run", run), .init("cd", folder),
            .init("app", app),
            .init("trouble", JSON(trouble?.text)),
        ])
    }
}
