package import BatonCore

/// The kind of thing that an activity is about, as one short word for a list.
package enum ActivityKind: String, Sendable {
    case file, folder, command, page, manual, copy, app

    package init(_ activity: Activity) {
        switch WellKnownType(rawValue: activity.type) {
        case .file: self = .file
        // A shell tells the command that runs in its folder.
        case .folder: self = activity.info[.string("command")] == nil ? .folder : .command
        case .web: self = .page
        case .manual: self = .manual
        case .clipboard: self = .copy
        case nil: self = .app
        }
    }
}
