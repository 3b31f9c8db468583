import BatonClient
import BatonCore

extension ActivityKind {
    /// A sign that takes one cell, and that every terminal can show.
    var sign: VisibleText {
        switch self {
        case .file: "="
        case .folder: "/"
        case .command: "$"
        case .page: "@"
        case .manual: "?"
        case .copy: "&"
        case .app: "*"
        }
    }
}

extension FoundThing {
    /// The kind of the activity that was found; an item belongs to an app.
    var listedKind: ActivityKind { activity.map { ActivityKind(type: $0.type) } ?? .app }
}
