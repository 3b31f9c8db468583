import BatonClient
import BatonCore
public import Foundation

/// The context of a request to an extension.
///
/// On Linux nothing but its identity is known.
open class NSExtensionContext: NSObject {
    /// The items that were passed; always none.
    open var inputItems: [Any] { [] }

    /// Creates a context without items.
    public override init() { super.init() }

    /// Called by an extension that has done what it was started for.
    open func completeRequest(
        returningItems items: [Any]?, completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) {
        if let completionHandler { Callbacks.call { completionHandler(false) } }
    }

    /// Called by an extension that could not do what it was started for.
    open func cancelRequest(withError error: any Error) {}
}

/// The part of an app that is started for a request.
public protocol NSExtensionRequestHandling: NSObjectProtocol {
    /// Called with the context of a request.
    func beginRequest(with context: NSExtensionContext)
}

/// Indexes again what was lost, also while the app itself is not running.
///
/// Override the methods of the delegate. On Linux the app makes an object and calls `begin()`, or calls `run()` in a
/// program that ends afterwards. The app's manifest names such a program as `reindex`: `baton index reindex` starts it
/// if something is to be indexed again while the app is not running.
open class CSIndexExtensionRequestHandler: NSObject, CSSearchableIndexDelegate, NSExtensionRequestHandling {
    /// Creates a handler that indexes nothing; a subclass says how.
    public override init() { super.init() }

    /// Makes this the delegate of the default index and of the indexes with these names.
    open func begin(indexNames: [String] = []) {
        indexes = [CSSearchableIndex.default()] + indexNames.map { CSSearchableIndex(name: $0) }
        for index in indexes { index.indexDelegate = self }
    }

    /// Makes this the delegate as `begin(indexNames:)` does, and returns once it has acknowledged every request to
    /// index again.
    ///
    /// Throws an error if no node is running.
    nonisolated(nonsending) open func run(indexNames: [String] = []) async throws {
        begin(indexNames: indexNames)
        do throws(LocalFailure) {
            try await IndexService.shared.awaitReindexing(of: [AppIndex.usual] + indexNames)
        } catch {
            throw CSIndexError(error)
        }
    }

    /// The indexes of which this is the delegate.
    private var indexes: [CSSearchableIndex] = []

    /// Makes this the delegate of the default index.
    open func beginRequest(with context: NSExtensionContext) { begin() }

    /// Called when everything should be indexed again.
    ///
    /// Override this method; otherwise the app is asked again later.
    @preconcurrency
    open func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
            @escaping @Sendable () -> Void
    ) {}

    /// Called when these items should be indexed again.
    ///
    /// Override this method; otherwise the app is asked again later.
    @preconcurrency
    open func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping @Sendable () -> Void
    ) {}

    /// Called when the index slows down in order to save energy, which it never does on Linux.
    open func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {}

    /// Called when the index is no longer slow, which it never is on Linux.
    open func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {}

    /// Returns data of an item in the form of a type; throws if it is not overridden.
    open func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data {
        throw CSIndexError(.indexingUnsupported, "The app gives no data of its items.")
    }

    /// Returns the address of a file with an item in the form of a type; throws if it is not overridden.
    open func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String, inPlace: Bool
    ) throws -> URL {
        throw CSIndexError(.indexingUnsupported, "The app gives no files of its items.")
    }

    /// Gives the items with these identifiers to the handler: none if it is not overridden.
    @preconcurrency
    open func searchableItems(
        forIdentifiers identifiers: [String],
        searchableItemsHandler: @escaping @Sendable ([CSSearchableItem]) -> Void
    ) {
        searchableItemsHandler([])
    }

    /// Called when a system has changed attributes of items, which nothing does on Linux.
    open func searchableItemsDidUpdate(_ items: [CSSearchableItem]) {}
}

/// Adds attributes for the files of an app.
///
/// Nothing on Linux calls it by itself; an app that indexes its files may.
open class CSImportExtension: NSObject, NSExtensionRequestHandling {
    /// Creates an extension that knows nothing; a subclass overrides `update(_:forFileAt:)`.
    public override init() { super.init() }

    /// Adds attributes that describe the file at `contentURL`; may be called on several threads at the same time.
    open func update(_ attributes: CSSearchableItemAttributeSet, forFileAt contentURL: URL) throws {}

    /// Does nothing.
    open func beginRequest(with context: NSExtensionContext) {}
}
