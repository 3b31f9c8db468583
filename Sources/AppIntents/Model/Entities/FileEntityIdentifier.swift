public import Foundation

/// The identity of a file, or of a draft that is no file yet.
public struct FileEntityIdentifier: Hashable, Codable, Sendable {
    private enum Place: Hashable, Codable {
        case file(URL)
        case draft(String)
    }

    private let place: Place

    /// Returns the identity of a file.
    public static func file(url: URL) -> FileEntityIdentifier { FileEntityIdentifier(place: .file(url)) }

    /// Returns the identity of a draft.
    public static func draft(identifier: String) -> FileEntityIdentifier {
        FileEntityIdentifier(place: .draft(identifier))
    }

    /// The place of the file; nil for a draft.
    public var fileURL: URL? {
        if case .file(let url) = place { url } else { nil }
    }

    /// Whether this is a draft.
    public var isDraft: Bool { draftIdentifier != nil }

    /// The identifier of the draft; nil for a file.
    public var draftIdentifier: String? {
        if case .draft(let identifier) = place { identifier } else { nil }
    }
}

extension FileEntityIdentifier: EntityIdentifierConvertible {
    /// The address of the file, or `draft:` and the identifier.
    public var entityIdentifierString: String {
        switch place {
        case .file(let url): url.absoluteString
        case .draft(let identifier): "draft:\(identifier)"
        }
    }

    /// Reads what `entityIdentifierString` wrote, or the path of a file.
    public static func entityIdentifier(for entityIdentifierString: String) -> FileEntityIdentifier? {
        if entityIdentifierString.hasPrefix("draft:") {
            return .draft(identifier: String(entityIdentifierString.dropFirst("draft:".count)))
        }
        if entityIdentifierString.hasPrefix("/") {
            return .file(url: URL(fileURLWithPath: entityIdentifierString))
        }
        return URL(string: entityIdentifierString).flatMap { $0.isFileURL ? .file(url: $0) : nil }
    }
}
