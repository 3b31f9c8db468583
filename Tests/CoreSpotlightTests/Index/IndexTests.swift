import CoreSpotlight
import Glibc
import Support
import Synchronization
import Testing

/// A home without a node, and a folder of its own for the state of programs, for all tests of this process.
private enum NoNode {
    static let folder: TemporaryFolder? = {
        guard let folder = try? TemporaryFolder() else { return nil }
        setenv("BATON_HOME", folder.path + "/home", 1)
        setenv("XDG_STATE_HOME", folder.path + "/state", 1)
        setenv("BATON_APP", "org.example.tests", 1)
        return folder
    }()
}

/// An index without a node: what is accepted, and what is refused with which error.
@Suite struct `An index without a node` {
    init() throws { _ = try #require(NoNode.folder) }

    private func item(_ identifier: String) -> CSSearchableItem {
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.title = "Item \(identifier)"
        return CSSearchableItem(
            uniqueIdentifier: identifier, domainIdentifier: nil, attributeSet: attributes)
    }

    private func code(_ error: any Error) -> CSIndexError.Code? { (error as? CSIndexError)?.code }

    @Test func `changes are accepted by the async methods and the completion handlers`() async throws {
        let index = CSSearchableIndex(name: "accepted")
        #expect(CSSearchableIndex.isIndexingAvailable())
        try await index.indexSearchableItems([item("a"), item("b")])
        try await index.deleteSearchableItems(withIdentifiers: ["a"])
        try await index.deleteSearchableItems(withDomainIdentifiers: ["x.y"])
        try await index.deleteAllSearchableItems()
        index.beginBatch()
        try await index.indexSearchableItems([item("c")])
        try await index.endBatch(withClientState: Data("1".utf8))
        let error = await withCheckedContinuation { continuation in
            index.indexSearchableItems([item("d")]) { continuation.resume(returning: $0) }
        }
        #expect(error == nil)
        callWithoutHandlers(index)
    }

    /// Makes calls without handlers, which code that is not asynchronous can.
    private func callWithoutHandlers(_ index: CSSearchableIndex) {
        index.indexSearchableItems([item("e")])
        index.deleteSearchableItems(withIdentifiers: ["e"])
        index.deleteSearchableItems(withDomainIdentifiers: ["x"])
        index.deleteAllSearchableItems()
    }

    @Test func `fetching or comparing a client state fails`() async {
        let index = CSSearchableIndex(name: "states")
        await #expect { _ = try await index.fetchLastClientState() } throws: {
            code($0) == .indexUnavailableError
        }
        index.beginBatch()
        await #expect {
            try await index.endIndexBatch(expectedClientState: nil, newClientState: Data([1]))
        } throws: { code($0) == .indexUnavailableError }
    }

    @Test func `a client state has at most 250 bytes`() async throws {
        let index = CSSearchableIndex(name: "sizes")
        index.beginBatch()
        try await index.endBatch(withClientState: Data(count: 250))
        index.beginBatch()
        await #expect { try await index.endBatch(withClientState: Data(count: 251)) } throws: {
            code($0) == .invalidClientStateError
        }
    }

    @Test func `beginning a batch in the default index traps`() async throws {
        let index = CSSearchableIndex.default()
        try await index.indexSearchableItems([item("a")])
        await #expect { try await index.endBatch(withClientState: Data()) } throws: {
            code($0) == .indexingUnsupported
        }
        #expect(CSSearchableIndex.default() === index)
        await #expect(processExitsWith: .failure) { CSSearchableIndex.default().beginBatch() }
        await #expect(processExitsWith: .failure) { CSSearchableIndex().beginBatch() }
        // Its name is not what makes it the default index.
        let named = CSSearchableIndex(name: "default")
        named.beginBatch()
        try await named.endBatch(withClientState: Data([1]))
    }

    @Test(arguments: [FileProtectionType.complete, .completeUnlessOpen])
    func `changes of a protected index are not kept without a node`(protection: FileProtectionType) async {
        let index = CSSearchableIndex(name: "protected", protectionClass: protection)
        #expect(index.protectionClass == protection)
        #expect(CSSearchableIndex.isIndexingAvailable())
        await #expect { try await index.indexSearchableItems([item("a")]) } throws: {
            code($0) == .indexUnavailableError
        }
        await #expect { try await index.deleteAllSearchableItems() } throws: {
            code($0) == .indexUnavailableError
        }
        index.beginBatch()
        await #expect { try await index.endBatch(withClientState: Data()) } throws: {
            code($0) == .indexUnavailableError
        }
    }

    @Test func `changes of an index with a weaker protection are kept without a node`() async throws {
        for protection in [
            FileProtectionType.completeUntilFirstUserAuthentication, FileProtectionType.none, nil,
        ] {
            let index = CSSearchableIndex(name: "usual", protectionClass: protection)
            try await index.indexSearchableItems([item("a")])
        }
        #expect(
            CSSearchableIndex(name: "usual").protectionClass == .completeUntilFirstUserAuthentication)
    }

    @Test func `a call with an invalid item is refused as a whole`() async {
        let index = CSSearchableIndex(name: "unsound")
        await #expect {
            try await index.indexSearchableItems([item("a"), item(String(repeating: "x", count: 5000))])
        } throws: { code($0) == .invalidItemError }
    }

    @Test func `provided data come from the delegate, and only for items of this app`() async throws {
        final class Giver: NSObject, CSSearchableIndexDelegate {
            func searchableIndex(
                _ searchableIndex: CSSearchableIndex,
                reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
                    @escaping () -> Void
            ) { acknowledgementHandler() }

            func searchableIndex(
                _ searchableIndex: CSSearchableIndex,
                reindexSearchableItemsWithIdentifiers identifiers: [String],
                acknowledgementHandler: @escaping () -> Void
            ) { acknowledgementHandler() }

            func data(
                for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
            ) throws -> Data { Data("\(itemIdentifier) \(typeIdentifier)".utf8) }
        }
        let (index, giver) = (CSSearchableIndex(name: "data"), Giver())
        index.indexDelegate = giver
        let data = try await index.fetchData(
            forBundleIdentifier: "org.example.tests", itemIdentifier: "7", contentType: .text)
        #expect(data == Data("7 public.text".utf8))
        await #expect {
            _ = try await index.fetchData(
                forBundleIdentifier: "org.example.other", itemIdentifier: "7", contentType: .text)
        } throws: { code($0) == .indexingUnsupported }
        #expect(throws: CSIndexError.self) {
            try giver.fileURL(for: index, itemIdentifier: "7", typeIdentifier: "public.text", inPlace: true)
        }
    }

    @Test func `callbacks are called one at a time, whichever threads call the index`() throws {
        let state = Mutex((running: 0, most: 0, count: 0))
        for thread in 0..<8 {
            detach {
                let index = CSSearchableIndex(name: "threads\(thread)")
                for number in 0..<20 {
                    index.deleteSearchableItems(withIdentifiers: ["\(number)"]) { _ in
                        state.withLock { state in
                            state.running += 1
                            state.most = max(state.most, state.running)
                        }
                        sched_yield()
                        state.withLock { state in
                            state.running -= 1
                            state.count += 1
                        }
                    }
                }
            }
        }
        try eventually("all callbacks") { state.withLock { $0.count } == 160 }
        #expect(state.withLock { $0.most } == 1)
    }
}

/// The handlers of code that was written for Apple's systems, in both spellings.
private class OldReindexer: CSIndexExtensionRequestHandler {
    override func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping () -> Void
    ) { acknowledgementHandler() }

    override func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping () -> Void
    ) { acknowledgementHandler() }

    override func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data { Data() }

    override func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String, inPlace: Bool
    ) throws -> URL { URL(filePath: "/") }
}

private class NewReindexer: CSIndexExtensionRequestHandler {
    override func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
            @escaping @Sendable () -> Void
    ) { acknowledgementHandler() }
}

private class Importer: CSImportExtension {
    override func update(_ attributes: CSSearchableItemAttributeSet, forFileAt contentURL: URL) throws {
        attributes.title = contentURL.lastPathComponent
    }
}

@Suite struct `Extensions of an app` {
    @Test func `extensions with either spelling of the acknowledgement handler are called`() {
        let index = CSSearchableIndex(name: "extensions")
        let count = Mutex(0)
        for handler in [OldReindexer(), NewReindexer()] as [any CSSearchableIndexDelegate] {
            handler.searchableIndex(
                index,
                reindexAllSearchableItemsWithAcknowledgementHandler: {
                    count.withLock { $0 += 1 }
                })
        }
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `an importer sets the attributes of a file`() throws {
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        try Importer().update(attributes, forFileAt: URL(filePath: "/tmp/report.txt"))
        #expect(attributes.title == "report.txt")
    }
}
