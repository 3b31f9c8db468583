package import BatonCore

/// The kind of thing that an activity is about, as one short word for a list.
package enum ActivityKind: String, Sendable {
    case file, folder, command, page, manual, copy, app

    package init(_ activity: Activity) {
        // The activity of a shell names the command that runs in its folder.
        self.init(type: activity.type, runsCommand: activity.toldCommand != nil)
    }

    /// The kind of an activity of which only the type is known.
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
