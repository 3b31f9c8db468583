/// The types of activities that Baton itself knows how to continue, and what stands in the payload of each.
///
/// This is the one place that says so; `Handlers.md` tells it to people.
package enum WellKnownType: String, CaseIterable, Sendable {
    /// Being in a folder: `folder` is its path.
    case folder = "org.baton.folder"
    /// Editing a file: `file` is its path; `line` and `column` count from one and may be missing.
    case file = "org.baton.file"
    /// Reading a web page: the activity's web page, or `url`.
    case web = "org.baton.web"
    /// Reading a manual page: `page` is its name; `section` may be missing.
    case manual = "org.baton.manual"

    /// The key of the payload whose value is a path; nil if there is none.
    package var pathKey: String? {
        switch self {
        case .folder: "folder"
        case .file: "file"
        case .web, .manual: nil
        }
    }

    /// What continues it where the person's file says nothing else, in words.
    package var summary: String {
        switch self {
        case .folder: "prints where to `cd`"
        case .file: "your editor (VISUAL or EDITOR), at the line"
        case .web: "xdg-open"
        case .manual: "man"
        }
    }
}
