public import Foundation
public import UniformTypeIdentifiers

/// A file that a person gives to an intent, or that an intent returns.
public struct IntentFile: Hashable, Sendable {
    private let bytes: Data?

    /// The name of the file.
    public var filename: String
    /// The type of the content; nil if it is not known.
    public let type: UTType?
    /// The place of the file; nil if there is only its content.
    public let fileURL: URL?
    /// Whether the file may be removed once the intent has been performed.
    public var removedOnCompletion = false

    /// The content; empty if the file can't be read.
    public var data: Data { bytes ?? fileURL.flatMap { try? Data(contentsOf: $0) } ?? Data() }

    private init(_ data: Data?, _ url: URL?, _ filename: String, _ type: UTType?) {
        (bytes, fileURL, self.filename, self.type) = (data, url, filename, type)
    }

    /// Creates a file with a content.
    public init(data: Data, filename: String, type: UTType? = nil) {
        self.init(data, nil, filename, type ?? Self.type(of: filename))
    }

    /// Creates a file at a place.
    public init(fileURL: URL, filename: String? = nil, type: UTType? = nil) {
        let name = filename ?? fileURL.lastPathComponent
        self.init(nil, fileURL, name, type ?? Self.type(of: name))
    }

    /// The types in which the content is available.
    public var availableContentTypes: [UTType] { type.map { [$0] } ?? [] }

    /// Returns the content in a type.
    public func data(contentType: UTType) async throws -> Data {
        guard type.map({ $0.conforms(to: contentType) }) ?? true else {
            throw IntentValueError.wrongKind(expected: contentType.identifier, value: filename)
        }
        if bytes == nil, let fileURL { return try Data(contentsOf: fileURL) }
        return data
    }

    /// Passes a file with the content to the closure, and whether it is the original; a copy is removed afterwards.
    public func withFile<Result>(
        contentType: UTType, allowOpenInPlace: Bool = false,
        fileHandler: @escaping (URL, Bool) async throws -> Result
    ) async throws -> Result {
        let data = try await data(contentType: contentType)
        if allowOpenInPlace, let fileURL { return try await fileHandler(fileURL, true) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = URL(fileURLWithPath: filename).lastPathComponent
        let file = folder.appendingPathComponent(name.isEmpty ? "file" : name)
        try data.write(to: file)
        return try await fileHandler(file, false)
    }

    private static func type(of name: String) -> UTType? {
        let parts = name.split(separator: ".")
        return parts.count > 1 ? UTType(filenameExtension: String(parts[parts.count - 1])) : nil
    }
}

extension IntentFile: _IntentValue {
    /// A file.
    public static var _form: _IntentValueForm { .file }
    /// The name, the type, and the place or the content.
    public var _content: _IntentValueContent {
        .file(name: filename, type: type?.identifier, url: fileURL, data: bytes)
    }
    /// Returns the file, also from the path of one that exists.
    public static func _value(of content: _IntentValueContent) async throws -> IntentFile {
        switch content {
        case .file(let name, let type, let url, let data):
            return IntentFile(data, url, name, type.flatMap { UTType($0) })
        case .url(let url) where url.isFileURL: return IntentFile(fileURL: url)
        case .text(let path):
            if FileManager.default.fileExists(atPath: path) {
                return IntentFile(fileURL: URL(fileURLWithPath: path))
            }
        default: break
        }
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
    }
}
