import BatonClient
package import BatonCore

/// All handlers, for a person.
package struct HandlerList {
    private let registry: HandlerRegistry

    package init(_ registry: HandlerRegistry) { self.registry = registry }

    /// A table with one row for each handler, the most specific first.
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

    /// The schemes of addresses that may be opened.
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
    /// The well-known type whose built-in handler this one uses.
    fileprivate var known: WellKnownType? { if case .known(let type) = action { type } else { nil } }

    /// The app that continues the activities.
    fileprivate var app: JSON? {
        switch action {
        case .app(let registration): JSON(registration)
        case .start(let manifest): JSON(manifest)
        case .run, .known, .off: nil
        }
    }

    /// The command's arguments, as written in the configuration file.
    fileprivate var runJSON: JSON {
        guard case .run(let command) = action else { return .null }
        return .array(command.arguments.map { .string($0.text) })
    }
}

extension JSON {
    /// An app that continues activities.
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

/// The plan to continue an activity, for people and programs.
package enum HandlerPlanText {
    /// The folder, or the command as one would type it.
    ///
    /// It may be copied, so characters that are not plainly visible are refused, not changed.
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

    /// The plan as JSON, for programs: the step, or why there is none.
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
