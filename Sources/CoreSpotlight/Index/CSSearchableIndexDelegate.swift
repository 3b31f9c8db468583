public import Foundation

/// Indexes items again that an index has lost, and provides data of items.
///
/// The first two methods are required. The other methods have default implementations. If a class that conforms to this
/// protocol implements such a method itself, that implementation is called. An implementation that only a subclass adds
/// is not called.
@preconcurrency
public protocol CSSearchableIndexDelegate: NSObjectProtocol {
    /// Called when all items should be indexed again; the app calls the handler when that is done.
    ///
    /// If the app does not call the handler, the app is asked again at its next start.
    @preconcurrency
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
            @escaping @Sendable () -> Void)

    /// Called when these items should be indexed again; the app calls the handler when that is done.
    @preconcurrency
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping @Sendable () -> Void)

    /// Called when the index becomes slower to save energy; this never happens on Linux.
    func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex)

    /// Called when the index is no longer slow; this never happens on Linux.
    func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex)

    /// Returns the data of an item, in the form of a type.
    func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data

    /// Returns the address of a file with the data of an item, in the form of a type.
    func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String, inPlace: Bool
    ) throws -> URL

    /// Passes the items with these identifiers to the handler.
    @preconcurrency
    func searchableItems(
        forIdentifiers identifiers: [String],
        searchableItemsHandler: @escaping @Sendable ([CSSearchableItem]) -> Void)

    /// Passes the items with these identifiers to the handler; they are in an index with this protection.
    @preconcurrency
    func searchableItems(
        forIdentifiers identifiers: [String], protectionClass: FileProtectionType,
        searchableItemsHandler: @escaping @Sendable ([CSSearchableItem]) -> Void)

    /// Called when the operating system has changed attributes of items; this never happens on Linux.
    func searchableItemsDidUpdate(_ items: [CSSearchableItem])
}

extension CSSearchableIndexDelegate {
    /// Does nothing.
    public func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {}

    /// Does nothing.
    public func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {}

    /// Throws an error that says that the app provides no data.
    public func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data {
        throw CSIndexError(.indexingUnsupported, "The app gives no data of its items.")
    }

    /// Throws an error that says that the app provides no files.
    public func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String, inPlace: Bool
    ) throws -> URL {
        throw CSIndexError(.indexingUnsupported, "The app gives no files of its items.")
    }

    /// Passes an empty list to the handler.
    public func searchableItems(
        forIdentifiers identifiers: [String],
        searchableItemsHandler: @escaping @Sendable ([CSSearchableItem]) -> Void
    ) {
        searchableItemsHandler([])
    }

    /// Passes the items to the handler that the method without a protection passes.
    public func searchableItems(
        forIdentifiers identifiers: [String], protectionClass: FileProtectionType,
        searchableItemsHandler: @escaping @Sendable ([CSSearchableItem]) -> Void
    ) {
        searchableItems(forIdentifiers: identifiers, searchableItemsHandler: searchableItemsHandler)
    }

    /// Does nothing.
    public func searchableItemsDidUpdate(_ items: [CSSearchableItem]) {}
}
