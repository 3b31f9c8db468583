package import BatonClient
package import BatonCore

/// Continues activities of some types.
package struct Handler: Equatable, Sendable {
    package let pattern: TypePattern
    package let action: Action
    package let source: Source

    package enum Action: Equatable, Sendable {
        /// A command replaces this process.
        case run(CommandTemplate)
        /// The activity is continued like one that Baton knows.
        case known(WellKnownType)
        /// A running app continues the activity.
        case app(AppRegistration)
        /// An app is started, and continues the activity.
        case start(AppManifest)
        /// Switched off.
        case off
    }

    /// The source of the handler; for one pattern, an earlier case goes before a later one.
    package enum Source: Equatable, Sendable {
        case file(String, line: Int)
        /// A running app registered for it.
        case app
        /// The manifest of an app declares it.
        case manifest
        case builtIn

        package var text: String {
            switch self {
            case .builtIn: "built in"
            case .app: "registered"
            case .manifest: "manifest"
            case .file(let path, let line): "\(path):\(line)"
            }
        }
    }

    package init(pattern: TypePattern, action: Action, source: Source) {
        (self.pattern, self.action, self.source) = (pattern, action, source)
    }

    /// The action, in words or as a command.
    package var text: String {
        switch action {
        case .run(let command): command.text
        case .known(let type):
            pattern.description == type.rawValue ? type.summary : "as \(type.rawValue): \(type.summary)"
        case .app(let registration): "\(registration.label)\(registration.folderText) (app)"
        case .start(let manifest): "\(manifest.label) (app, started when it is needed)"
        case .off: "nothing (switched off)"
        }
    }
}

extension AppRegistration {
    /// The name of the app for people.
    package var label: String { title ?? name.app }

    /// The folder in which it works, in words; empty for all.
    fileprivate var folderText: String {
        guard let folder, folder != "/" else { return "" }
        return folder.isEmpty ? ", in its own terminals" : " in \(folder)"
    }
}

extension Handler.Action {
    /// Parses the handler of one pattern.
    init(_ value: LocatedJSON) throws(TextError) {
        if case .boolean(false) = value.content {
            self = .off
            return
        }
        guard case .object = value.content else {
            throw TextError(value.place, "a handler must be { run: [ … ] }, { as: TYPE }, or false")
        }
        let members = try value.members("a handler", keys: ["run", "paths", "as"])
        let member = { (key: String) in members.first { $0.key == key } }
        if let type = member("as") {
            if let other = members.first(where: { $0.key != "as" }) {
                throw TextError(other.place, "`\(other.key)` can't be combined with `as`")
            }
            self = .known(try Self.known(type.value))
            return
        }
        guard let run = member("run") else { throw TextError(value.place, "`run` is missing") }
        self = .run(try CommandTemplate(run.value, paths: member("paths")?.value))
    }

    private static func known(_ value: LocatedJSON) throws(TextError) -> WellKnownType {
        let names = WellKnownType.allCases.map(\.rawValue)
        guard case .string(let name) = value.content, let type = WellKnownType(rawValue: name) else {
            throw TextError(value.place, "`as` must be one of: \(names.joined(separator: ", "))")
        }
        return type
    }
}
