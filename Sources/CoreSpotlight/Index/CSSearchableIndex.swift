import BatonClient
import BatonCore
import BatonNetwork
public import Foundation
public import UniformTypeIdentifiers

/// An index of the app, whose items can be found on all of the person's machines.
///
/// A completion handler is called once a change is durable. This means that the node has saved the change, or that the
/// change is kept on the disk until a node runs. Handlers are called on a queue of this module, one at a time. The
/// async methods run where they are called.
///
/// The default index has no batches. An index with a name has its own client state. The client state tells an indexing
/// job where to continue, even on another machine.
open class CSSearchableIndex: NSObject {
    /// The state that calls on all threads share.
    let core: IndexCore
    /// The object through which the core refers weakly to this index; this property keeps that object alive.
    private var reference: IndexCore.Unowned?
    private let chosenProtection: String?
    /// Whether the app has named the index; the default index has no name and no batches.
    private let isNamed: Bool
    private let delegate = Monitor(WeakDelegate())

    /// `@unchecked` because the compiler can't see that a delegate is called only on the queue for callbacks.
    private struct WeakDelegate: @unchecked Sendable {
        weak var delegate: (any CSSearchableIndexDelegate)?
    }

    /// The default index of the app.
    nonisolated(unsafe) private static let usual = CSSearchableIndex(AppIndex.usual, isNamed: false)

    /// Returns the default index of the app, which has no batches.
    open class func `default`() -> Self {
        guard let index = usual as? Self else {
            preconditionFailure("\(self) has no default index; make one with a name")
        }
        return index
    }

    /// Creates another object for the default index.
    public convenience override init() { self.init(AppIndex.usual, isNamed: false) }

    /// Creates an object for the index with this name.
    public convenience init(name: String) { self.init(name, isNamed: true) }

    /// Creates an object for the index with this name, with protection.
    ///
    /// With `.complete` or `.completeUnlessOpen`, the node seals the items before it stores them or sends them, so that
    /// only the person's devices can read them. Such an index is another index than the one of the same name without
    /// protection, as on Apple's systems. Its changes are not kept on the disk while no node runs; then the error is
    /// `indexUnavailableError`. A query finds its items if the query's `protectionClasses` name the protection.
    public convenience init(name: String, protectionClass: FileProtectionType?) {
        self.init(name, isNamed: true, protectionClass)
    }

    private init(_ name: String, isNamed: Bool, _ protection: FileProtectionType? = nil) {
        core = IndexCore(protection.flatMap(\.indexProtection)?.name(of: name) ?? name)
        (self.isNamed, chosenProtection) = (isNamed, protection?.rawValue)
        super.init()
        let reference = IndexCore.Unowned(self)
        self.reference = reference
        core.setIndex(reference)
    }

    /// Whether the app can index: true unless the person has no home folder.
    ///
    /// While no node runs, changes are kept on the disk until a node runs, except those of protected indexes.
    open class func isIndexingAvailable() -> Bool {
        let home: Home
        do throws(LocalFailure) {
            home = try Home(option: nil, environment: Environment.variable)
        } catch {
            return false
        }
        return IndexSpool.path(app: "", home: home, environment: Environment.variable) != nil
    }

    /// The delegate that is asked to index lost items again; it is held weakly, so the app must keep it.
    open var indexDelegate: (any CSSearchableIndexDelegate)? {
        get { delegate.change { $0 }.delegate }
        set {
            let weak = WeakDelegate(delegate: newValue)
            delegate.change { $0 = weak }
            if newValue != nil { IndexService.shared.noteDelegate(of: core) }
        }
    }

    /// The protection of the index.
    open var protectionClass: FileProtectionType {
        chosenProtection.map { FileProtectionType(rawValue: $0) } ?? .completeUntilFirstUserAuthentication
    }

    // MARK: Changes

    /// Adds items to the index, and replaces items that have the same identifiers; saves all of the items or none.
    ///
    /// The items are indexed in the state that they have when this method is called. It is best to index 100 to 500
    /// items in one call.
    @preconcurrency
    open func indexSearchableItems(
        _ items: [CSSearchableItem], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        change(completionHandler) { (name) throws(CSIndexError) in
            let moment = Date()
            return try items.map { (item) throws(CSIndexError) in
                try item.change(of: name, at: moment) {
                    BatonApplication.shared.log.adviseOnCutting($0, ofItem: item.uniqueIdentifier)
                }
            }
        }
    }

    /// Adds items to the index, and replaces items that have the same identifiers; saves all of the items or none.
    nonisolated(nonsending) open func indexSearchableItems(_ items: [CSSearchableItem]) async throws {
        try await waiting { indexSearchableItems(items, completionHandler: $0) }
    }

    /// Deletes the items with these identifiers; identifiers that are not in the index are ignored.
    @preconcurrency
    open func deleteSearchableItems(
        withIdentifiers identifiers: [String], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        change(completionHandler) { _ in identifiers.map { .deletion($0) } }
    }

    /// Deletes the items with these identifiers; identifiers that are not in the index are ignored.
    nonisolated(nonsending) open func deleteSearchableItems(withIdentifiers identifiers: [String])
        async throws
    {
        try await waiting { deleteSearchableItems(withIdentifiers: identifiers, completionHandler: $0) }
    }

    /// Deletes all items in these domains, and in the domains below them; for example, `mail.inbox` is below `mail`.
    @preconcurrency
    open func deleteSearchableItems(
        withDomainIdentifiers domainIdentifiers: [String],
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        change(completionHandler) { _ in domainIdentifiers.map { .clear(domain: $0) } }
    }

    /// Deletes all items in these domains, and in the domains below them; for example, `mail.inbox` is below `mail`.
    nonisolated(nonsending) open func deleteSearchableItems(
        withDomainIdentifiers domainIdentifiers: [String]
    ) async throws {
        try await waiting {
            deleteSearchableItems(withDomainIdentifiers: domainIdentifiers, completionHandler: $0)
        }
    }

    /// Deletes all items of the index, and its client state.
    @preconcurrency
    open func deleteAllSearchableItems(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
        change(completionHandler) { _ in [.clear(domain: nil)] }
    }

    /// Deletes all items of the index, and its client state.
    nonisolated(nonsending) open func deleteAllSearchableItems() async throws {
        try await waiting { deleteAllSearchableItems(completionHandler: $0) }
    }

    // MARK: Batches

    /// Begins a batch: later changes are collected, and made together when the batch ends.
    ///
    /// The default index has no batches. If this is called on the default index, the program ends, as an app on Apple's
    /// systems does.
    open func beginBatch() {
        precondition(isNamed, "the default index has no batches; make an index with a name")
        core.beginBatch()
    }

    /// Ends the batch, and stores the client state together with the changes; saves all of this or nothing.
    ///
    /// A client state may have at most 250 bytes.
    @preconcurrency
    open func endBatch(
        withClientState clientState: Data, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        end(Array(clientState), nil, completionHandler)
    }

    /// Ends the batch, and stores the client state together with the changes; saves all of this or nothing.
    nonisolated(nonsending) open func endBatch(withClientState clientState: Data) async throws {
        try await waiting { endBatch(withClientState: clientState, completionHandler: $0) }
    }

    /// Ends the batch as `endBatch(withClientState:)` does, but only if the index still has the expected client state.
    ///
    /// An expected state of nil means that the index must have no client state. If the index has another client state,
    /// nothing is saved, and the error is `mismatchedClientState`. While no node runs, the client state can't be
    /// compared, and the error is `indexUnavailableError`.
    @preconcurrency
    open func endIndexBatch(
        expectedClientState: Data?, newClientState: Data,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        end(
            Array(newClientState), IndexWrite.Condition(expectedClientState.map { Array($0) }),
            completionHandler)
    }

    /// Ends the batch if the index still has the expected client state; nil means that it must have none.
    nonisolated(nonsending) open func endIndexBatch(
        expectedClientState: Data?, newClientState: Data
    ) async throws {
        try await waiting {
            endIndexBatch(
                expectedClientState: expectedClientState, newClientState: newClientState,
                completionHandler: $0)
        }
    }

    /// Gets the client state of the last batch, even if that batch ended on another machine; nil if there is none.
    ///
    /// While no node runs, the error is `indexUnavailableError`.
    @preconcurrency
    open func fetchLastClientState(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        fetchState { result in
            switch result {
            case .success(let state): completionHandler(state, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    /// Gets the client state of the last batch, even if that batch ended on another machine; empty if there is none.
    nonisolated(nonsending) open func fetchLastClientState() async throws -> Data {
        let result = await withCheckedContinuation { continuation in
            fetchState { continuation.resume(returning: $0) }
        }
        return try result.get() ?? Data()
    }

    // MARK: Data of items

    /// Gets data of one of this app's items from the index's delegate; the data of other apps is not available.
    @preconcurrency
    open func fetchData(
        forBundleIdentifier bundleIdentifier: String, itemIdentifier: String, contentType: UTType,
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        let (delegate, type) = (indexDelegate, contentType.identifier)
        let isOwn = bundleIdentifier == IndexService.shared.app
        let result = Result { () throws -> Data in
            guard isOwn, let delegate else {
                throw CSIndexError(
                    .indexingUnsupported,
                    isOwn
                        ? "The index has no delegate that could give the data."
                        : "An app can't get the data of another app.")
            }
            return try delegate.data(for: self, itemIdentifier: itemIdentifier, typeIdentifier: type)
        }
        Callbacks.call {
            switch result {
            case .success(let data): completionHandler(data, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    /// Gets data of one of this app's items from the index's delegate; the data of other apps is not available.
    nonisolated(nonsending) open func fetchData(
        forBundleIdentifier bundleIdentifier: String, itemIdentifier: String, contentType: UTType
    ) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            fetchData(
                forBundleIdentifier: bundleIdentifier, itemIdentifier: itemIdentifier,
                contentType: contentType
            ) { data, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(data ?? Data()))
            }
        }
    }

    // MARK: Shared by the methods

    private typealias Handler = @Sendable ((any Error)?) -> Void

    /// Makes changes; if a batch was begun, adds the changes to the batch instead.
    private func change(
        _ handler: Handler?, _ make: (ClientStateName) throws(CSIndexError) -> [IndexChange]
    ) {
        let name = IndexService.shared.name(core.name)
        do throws(CSIndexError) {
            let changes = try make(name)
            let (parts, deletions) = (ChangeIndex.parts(name, changes), ItemDeletions(changes))
            for part in parts { BatonApplication.shared.log.advise(on: part) }
            if let added = core.add(parts, deletions) { return Self.tell(handler, added) }
            guard !parts.isEmpty else { return Self.tell(handler, .success(())) }
            write(IndexWrite(name, parts), deletions, handler)
        } catch {
            Self.tell(handler, error)
        }
    }

    /// Ends the batch: makes its changes and stores the client state.
    private func end(_ state: [UInt8], _ condition: IndexWrite.Condition?, _ handler: Handler?) {
        do throws(CSIndexError) {
            let changes = Result { () throws(LocalFailure) in try core.takeBatch() }
            guard isNamed else {
                throw CSIndexError(
                    .indexingUnsupported, "The default index has no batches. Make an index with a name.")
            }
            guard state.count <= ClientState.bytesMost else {
                throw CSIndexError(
                    .invalidClientStateError,
                    "A client state has at most \(ClientState.bytesMost) bytes; this one has \(state.count).")
            }
            let name = IndexService.shared.name(core.name)
            switch changes {
            case .success(let batch):
                write(
                    IndexWrite(name, batch.parts, state: state, condition: condition), batch.deletions,
                    handler)
            case .failure(let failure): throw CSIndexError(failure)
            }
        } catch {
            Self.tell(handler, error)
        }
    }

    /// Makes a write; once the write is accepted, the activities about deleted items are deleted, too.
    private func write(_ write: IndexWrite, _ deletions: ItemDeletions, _ handler: Handler?) {
        IndexService.shared.writer.write(write) { result in
            if case .success = result, !deletions.isEmpty {
                RelatedActivities.shared.handleDeletions(deletions)
            }
            Self.tell(handler, result)
        }
    }

    private func fetchState(_ answer: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
        let service = IndexService.shared
        service.writer.fetchState(of: service.name(core.name)) { result in
            Callbacks.call {
                answer(result.map { $0.map { Data($0) } }.mapError { CSIndexError($0) as any Error })
            }
        }
    }

    private static func tell(_ handler: Handler?, _ result: Result<Void, LocalFailure>) {
        switch result {
        case .success: if let handler { Callbacks.call { handler(nil) } }
        case .failure(let failure): tell(handler, CSIndexError(failure))
        }
    }

    private static func tell(_ handler: Handler?, _ error: CSIndexError) {
        if let handler { Callbacks.call { handler(error) } }
    }

    /// Calls a method that has a completion handler, and waits until the handler is called.
    nonisolated(nonsending) private func waiting(_ body: (@escaping Handler) -> Void) async throws {
        let error = await withCheckedContinuation { continuation in
            body { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }
}
