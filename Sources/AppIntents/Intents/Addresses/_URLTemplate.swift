import Foundation

/// A text with placeholders for values of a type.
public struct _URLTemplate<Root>: Sendable {
    enum Part: Sendable {
        case words(String)
        case value(@Sendable (Root) -> String)
    }

    var parts: [Part] = []

    /// Returns the address for a value; nil if it is no address.
    func url(for root: Root) -> URL? {
        let text = parts.map { part in
            switch part {
            case .words(let words): words
            case .value(let value):
                value(root).addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
            }
        }
        return URL(string: text.joined())
    }
}
