import BatonClient
import BatonCore
public import Foundation

/// The context of a request to an extension.
///
/// On Linux, the context has no content; only its identity matters.
open class NSExtensionContext: NSObject {
    /// The items that were passed with the request; always empty.
    open var inputItems: [Any] { [] }

    /// Creates a context without items.
    public override init() { super.init() }

    /// Called by an extension that has completed its request.
    open func completeRequest(
        returningItems items: [Any]?, completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) {
        if let completionHandler { Callbacks.call { completionHandler(false) } }
    }

    /// Called by an extension that could not complete its request.
    open func cancelRequest(withError error: any Error) {}
}

/// The part of an app that is started to handle a request.
public protocol NSExtensionRequestHandling: NSObjectProtocol {
    /// Called with the context of a request.
    func beginRequest(with context: NSExtensionContext)
}

/// Indexes lost items again, even while the app itself is not running.
///
/// Override the methods of the delegate. On Linux, the app creates an object and calls `begin()`. A program that ends
/// afterwards calls `run()` instead. The app's manifest can name such a program with the key `reindex`. If something
/// has to be indexed again while the app is not running, `baton index reindex` starts that program.
open class CSIndexExtensionRequestHandler: NSObject, CSSearchableIndexDelegate, NSExtensionRequestHandling {
    /// Creates a handler that indexes nothing; a subclass adds the indexing.
    public override init() { super.init() }

    /// Makes this object the delegate of the default index and of the indexes with these names.
    open func begin(indexNames: [String] = []) {
        indexes = [CSSearchableIndex.default()] + indexNames.map { CSSearchableIndex(name: $0) }
        for index in indexes { index.indexDelegate = self }
    }

    /// Makes this object the delegate as `begin(indexNames:)` does, and waits until it has acknowledged all requests to
    /// reindex.
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

    /// The indexes whose delegate this object is.
    private var indexes: [CSSearchableIndex] = []

    /// Makes this object the delegate of the default index.
    open func beginRequest(with context: NSExtensionContext) { begin() }

    /// Called when all items should be indexed again.
    ///
    /// Override this method. Otherwise, the app is asked again later.
    @preconcurrency
    open func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
            @escaping @Sendable () -> Void
    ) {}

    /// Called when these items should be indexed again.
    ///
    /// Override this method. Otherwise, the app is asked again later.
    @preconcurrency
    open func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping @Sendable () -> Void
    ) {}

    /// Called when the index becomes slower to save energy; this never happens on Linux.
    open func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {}

    /// Called when the index is no longer slow; this never happens on Linux.
    open func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {}

    /// Returns the data of an item, in the form of a type; throws if it is not overridden.
    open func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data {
        throw CSIndexError(.indexingUnsupported, "The app gives no data of its items.")
    }

    /// Returns the address of a file with the data of an item, in the form of a type; throws if it is not overridden.
    open func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String, inPlace: Bool
    ) throws -> URL {
        throw CSIndexError(.indexingUnsupported, "The app gives no files of its items.")
    }

    /// Passes the items with these identifiers to the handler; passes an empty list if it is not overridden.
    @preconcurrency
    open func searchableItems(
        forIdentifiers identifiers: [String],
        searchableItemsHandler: @escaping @Sendable ([CSSearchableItem]) -> Void
    ) {
        searchableItemsHandler([])
    }

    /// Called when the operating system has changed attributes of items; this never happens on Linux.
    open func searchableItemsDidUpdate(_ items: [CSSearchableItem]) {}
}

/// Adds attributes that describe the files of an app.
///
/// On Linux, nothing calls this extension automatically. An app that indexes its files may call it.
open class CSImportExtension: NSObject, NSExtensionRequestHandling {
    /// Creates an extension that adds nothing; a subclass overrides `update(_:forFileAt:)`.
    public override init() { super.init() }

    /// Adds attributes that describe the file at `contentURL`; may be called on several threads at the same time.
    open func update(_ attributes: CSSearchableItemAttributeSet, forFileAt contentURL: URL) throws {}

    /// Does nothing.
    open func beginRequest(with context: NSExtensionContext) {}
}
