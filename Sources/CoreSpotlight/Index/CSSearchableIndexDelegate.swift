public import Foundation

/// Indexes again what an index has lost, and gives data about items.
///
/// The first two methods are required. The other methods have default implementations. A class's own implementation is
/// called instead, but not one that only a subclass of the conforming class adds.
@preconcurrency
public protocol CSSearchableIndexDelegate: NSObjectProtocol {
    /// Called when everything should be indexed again; the handler is called once that is done.
    ///
    /// If the handler is not called, the app is asked again at its next start.
    @preconcurrency
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
            @escaping @Sendable () -> Void)

    /// Called when these items should be indexed again; the handler is called once that is done.
    @preconcurrency
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping @Sendable () -> Void)

    /// Called when the index slows down in order to save energy, which it never does on Linux.
    func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex)

    /// Called when the index is no longer slow, which it never is on Linux.
    func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex)

    /// Returns data of an item in the form of a type.
    func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data

    /// Returns the address of a file with an item in the form of a type.
    func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String, inPlace: Bool
    ) throws -> URL

    /// Gives the items with these identifiers to the handler.
    @preconcurrency
    func searchableItems(
        forIdentifiers identifiers: [String],
        searchableItemsHandler: @escaping @Sendable ([CSSearchableItem]) -> Void)

    /// Gives the items with these identifiers, which are in an index with a protection, to the handler.
    @preconcurrency
    func searchableItems(
        forIdentifiers identifiers: [String], protectionClass: FileProtectionType,
        searchableItemsHandler: @escaping @Sendable ([CSSearchableItem]) -> Void)

    /// Called when a system has changed attributes of items, which nothing does on Linux.
    func searchableItemsDidUpdate(_ items: [CSSearchableItem])
}

extension CSSearchableIndexDelegate {
    /// Does nothing.
    public func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {}

    /// Does nothing.
    public func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {}

    /// Throws, because the app has no data.
    public func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data {
        throw CSIndexError(.indexingUnsupported, "The app gives no data of its items.")
    }

    /// Throws, because the app has no file.
    public func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String, inPlace: Bool
    ) throws -> URL {
        throw CSIndexError(.indexingUnsupported, "The app gives no files of its items.")
    }

    /// Gives no items.
    public func searchableItems(
        forIdentifiers identifiers: [String],
        searchableItemsHandler: @escaping @Sendable ([CSSearchableItem]) -> Void
    ) {
        searchableItemsHandler([])
    }

    /// Gives the items that the app gives without regard to protection.
    public func searchableItems(
        forIdentifiers identifiers: [String], protectionClass: FileProtectionType,
        searchableItemsHandler: @escaping @Sendable ([CSSearchableItem]) -> Void
    ) {
        searchableItems(forIdentifiers: identifiers, searchableItemsHandler: searchableItemsHandler)
    }

    /// Does nothing.
    public func searchableItemsDidUpdate(_ items: [CSSearchableItem]) {}
}
