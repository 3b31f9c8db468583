/// The types of activities that Baton itself can continue, and the keys of their payloads.
///
/// `Handlers.md` documents them.
package enum WellKnownType: String, CaseIterable, Sendable {
    /// A folder: `folder` is its path.
    case folder = "org.baton.folder"
    /// A file: `file` is its path; `line` and `column` count from one and are optional.
    case file = "org.baton.file"
    /// A web page: the activity's web page, or `url`.
    case web = "org.baton.web"
    /// A manual page: `page` is its name; `section` is optional.
    case manual = "org.baton.manual"
    /// Copied content, in a stream that `Protocol.md` specifies.
    case clipboard = "org.baton.clipboard"

    /// The key of the payload whose value is a path, or nil if there is none.
    package var pathKey: String? {
        switch self {
        case .folder: "folder"
        case .file: "file"
        case .web, .manual, .clipboard: nil
        }
    }

    /// The built-in handler, in words.
    package var summary: String {
        switch self {
        case .folder: "prints where to `cd`"
        case .file: "your editor (VISUAL or EDITOR), at the line"
        case .web: "xdg-open"
        case .manual: "man"
        case .clipboard: "baton paste"
        }
    }
}
