/// The types of activities that Baton itself can continue.
///
/// `Handlers.md` documents these types and the keys of their payloads.
package enum WellKnownType: String, CaseIterable, Sendable {
    /// A folder.
    ///
    /// The payload has its path as `folder`.
    case folder = "org.baton.folder"
    /// A file.
    ///
    /// The payload has its path as `file`. It may also have `line` and `column`, which count from one.
    case file = "org.baton.file"
    /// A web page.
    ///
    /// The address is the activity's web page, or `url` in the payload.
    case web = "org.baton.web"
    /// A page of the manual.
    ///
    /// The payload has its name as `page`, and may have its `section`.
    case manual = "org.baton.manual"
    /// Copied content.
    ///
    /// It is fetched by a stream that `Protocol.md` specifies.
    case clipboard = "org.baton.clipboard"

    /// The key whose value in the payload is a path, or nil if there is no such key.
    package var pathKey: String? {
        switch self {
        case .folder: "folder"
        case .file: "file"
        case .web, .manual, .clipboard: nil
        }
    }

    /// A description of the built-in handler for a person.
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
