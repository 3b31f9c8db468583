package import BatonCore

/// The kind of thing that an activity is about, as a short word in a list.
package enum ActivityKind: String, Sendable {
    case file, folder, command, page, manual, copy, app

    package init(_ activity: Activity) {
        // If a shell runs a command, the shell's activity names the command, although its type is that of folders.
        self.init(type: activity.type, runsCommand: activity.toldCommand != nil)
    }

    /// Decides by the type, if nothing else is known of the activity.
    package init(type: String, runsCommand: Bool = false) {
        switch WellKnownType(rawValue: type) {
        case .file: self = .file
        case .folder: self = runsCommand ? .command : .folder
        case .web: self = .page
        case .manual: self = .manual
        case .clipboard: self = .copy
        case nil: self = .app
        }
    }
}
