package import BatonClient
package import BatonCore

/// Continues activities whose types match a pattern.
package struct Handler: Equatable, Sendable {
    package let pattern: TypePattern
    package let action: Action
    package let source: Source

    package enum Action: Equatable, Sendable {
        /// This process is replaced with a command.
        case run(CommandTemplate)
        /// The activity is continued in the same way as a type that Baton knows.
        case known(WellKnownType)
        /// An app that is running continues the activity.
        case app(AppRegistration)
        /// An app is started and then continues the activity.
        case start(AppManifest)
        /// `baton run` runs an intent that the app has donated.
        case intent(DonatedIntent, app: String)
        /// Activities of these types are not continued.
        case off
    }

    /// The origin of the handler.
    ///
    /// If several handlers have the same pattern, the origin that comes first in this list decides.
    package enum Source: Equatable, Sendable {
        case file(String, line: Int)
        /// A running app has registered the pattern.
        case app
        /// The manifest of an app has the pattern.
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

    /// The action as a person reads it: a sentence, or the command.
    package var text: String {
        switch action {
        case .run(let command): command.text
        case .known(let type):
            pattern.description == type.rawValue ? type.summary : "as \(type.rawValue): \(type.summary)"
        case .app(let registration): "\(registration.label)\(registration.folderText) (app)"
        case .start(let manifest): "\(manifest.label) (app, started when it is needed)"
        case .intent(let intent, let app):
            (["baton", "run", app] + intent.arguments).map { ShellWord.quoted($0) }.joined(separator: " ")
        case .off: "nothing (switched off)"
        }
    }
}

extension AppRegistration {
    /// The app's name in messages to a person.
    package var label: String { title ?? name.app }

    /// The folder whose files the app opens, as a person reads it, or an empty text if it opens all files.
    fileprivate var folderText: String {
        guard let folder, folder != "/" else { return "" }
        return folder.isEmpty ? ", in its own terminals" : " in \(folder)"
    }
}

extension Handler.Action {
    /// Parses the handler that the configuration file has for one pattern.
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
