public import Foundation

extension URL: _IntentValue {
    /// An address.
    public static var _form: _IntentValueForm { .url }
    /// The address.
    public var _content: _IntentValueContent { .url(self) }
    /// Returns the address, also from a text with one or from the path of a file.
    public static func _value(of content: _IntentValueContent) async throws -> URL {
        switch content {
        case .url(let url): return url
        case .file(_, _, let url?, _): return url
        case .text(let text):
            if text.hasPrefix("/") || text.hasPrefix("./") { return URL(fileURLWithPath: text) }
            if let url = URL(string: text), url.scheme != nil { return url }
        default: break
        }
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
    }
}
