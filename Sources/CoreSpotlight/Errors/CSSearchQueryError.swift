public import Foundation

/// The domain of errors about queries.
public let CSSearchQueryErrorDomain = "CSSearchQueryErrorDomain"

/// An error about a query.
public struct CSSearchQueryError: _BridgedStoredNSError, Sendable {
    /// The same error as an object of Foundation.
    public let _nsError: NSError

    /// Creates an error from an `NSError`, whose domain must be the domain of this type.
    public init(_nsError error: NSError) {
        precondition(error.domain == CSSearchQueryErrorDomain, "the error is in another domain")
        _nsError = error
    }

    /// The domain of these errors.
    public static var _nsErrorDomain: String { CSSearchQueryErrorDomain }
    /// The domain of these errors.
    public static var errorDomain: String { CSSearchQueryErrorDomain }

    // Foundation implements the next two members for all bridged errors, but on Linux these implementations end the
    // program.

    /// Hashes the code of the error.
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }
    /// A hash value, which is the same for equal errors.
    public var hashValue: Int { _nsError.code.hashValue }

    /// The causes of these errors.
    public enum Code: Int, _ErrorCodeProtocol, Sendable, CaseIterable {
        /// The error type of these codes.
        public typealias _ErrorType = CSSearchQueryError

        /// The cause is not known.
        case unknown = -2000
        /// No index can be reached; on Linux, no node is running.
        case indexUnreachable = -2001
        /// The text is not a valid query; the description of the error says where the mistake is.
        case invalidQuery = -2002
        /// The app cancelled the query.
        case cancelled = -2003

        /// Matches errors with this code, both as values of this type and as `NSError` objects.
        public static func ~= (code: Code, error: any Error) -> Bool {
            if let error = error as? CSSearchQueryError { return error.code == code }
            let error = error as NSError
            return error.domain == CSSearchQueryErrorDomain && error.code == code.rawValue
        }
    }

    /// The cause is not known.
    public static var unknown: Code { .unknown }
    /// No index can be reached.
    public static var indexUnreachable: Code { .indexUnreachable }
    /// The text is not a valid query.
    public static var invalidQuery: Code { .invalidQuery }
    /// The app cancelled the query.
    public static var cancelled: Code { .cancelled }
}

extension CSSearchQueryError {
    /// Creates an error with a description for a person.
    init(_ code: Code, _ description: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
    }
}
