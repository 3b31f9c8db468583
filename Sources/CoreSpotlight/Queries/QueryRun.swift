import BatonClient
import BatonCore
import BatonNetwork
import Foundation

/// An item that a query has found.
struct FoundResult: Sendable {
    let name: ItemName
    let domain: String?
    /// The date after which the item is no longer found.
    let expirationDate: Date
    /// The requested attributes.
    let attributes: AttributeSet
    /// The position among all results, counted from 0.
    let rank: Int

    /// A new object for the found item.
    var item: CSSearchableItem {
        let item = CSSearchableItem(
            uniqueIdentifier: name.identifier, domainIdentifier: domain,
            attributeSet: CSSearchableItemAttributeSet(attributes))
        item.expirationDate = expirationDate
        item.rank = rank
        return item
    }
}

/// A running search, which returns its results page by page.
final class QueryRun: Sendable {
    private let service: IndexService
    private let call: BeginSearch
    private let state = Monitor(State())

    private struct State: Sendable {
        var isBegun = false
        /// Whether the call that begins the search was sent to the node.
        var isSent = false
        var isOver = false
        var isCancelled = false
        /// Whether all items were searched for the pages so far.
        var isWhole = true
        /// The number of results that have been returned.
        var count = 0
    }

    /// The number of the last search in this process.
    private static let numbers = PerProcess { Monitor(UInt64(0)) }

    /// Returns a number for a new search.
    static func nextNumber() -> UInt64 {
        numbers.value.change { number in
            number += 1
            return number
        }
    }

    init(_ call: BeginSearch, _ service: IndexService) { (self.call, self.service) = (call, service) }

    /// Whether all items were searched for the pages that have been returned.
    var isWhole: Bool { state.change { $0.isWhole } }

    /// Gets the next page of results; nil if there are no more results.
    ///
    /// The next page may be requested only after the last page has arrived.
    func next(_ answer: @escaping @Sendable (Result<[FoundResult]?, CSSearchQueryError>) -> Void) {
        let (isFirst, isOver, isCancelled) = state.change { state in
            defer { state.isBegun = true }
            return (!state.isBegun, state.isOver, state.isCancelled)
        }
        if isCancelled { return answer(.failure(Self.cancelled)) }
        if isOver { return answer(.success(nil)) }
        let handle: @Sendable (Result<SearchPage, LocalFailure>) -> Void = { [self] in
            receiveResult($0, answer)
        }
        guard isFirst else { return service.client.ask(NextPage(call.search), answer: handle) }
        // Changes that an earlier process of the app left unsent are sent first, so that the search can find them.
        service.writer.afterLeftovers { [self] in
            let isWanted = state.change { state in
                state.isSent = !state.isCancelled
                return state.isSent
            }
            guard isWanted else { return answer(.failure(Self.cancelled)) }
            service.client.ask(call, answer: handle)
        }
    }

    /// Gets the next page of results; nil if there are no more results.
    func next() async throws -> [FoundResult]? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                next { continuation.resume(returning: $0) }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    private func receiveResult(
        _ result: Result<SearchPage, LocalFailure>,
        _ answer: (Result<[FoundResult]?, CSSearchQueryError>) -> Void
    ) {
        let isCancelled = state.change { state in
            if case .success(let page) = result {
                (state.isOver, state.isWhole) = (page.isLast, page.isWhole)
            } else {
                state.isOver = true
            }
            return state.isCancelled
        }
        if isCancelled { return answer(.failure(Self.cancelled)) }
        switch result {
        case .failure(let failure): answer(.failure(CSSearchQueryError(failure)))
        case .success(let page):
            let items = page.results.filter { $0.thing.item != nil }
            let first = state.change { state in
                defer { state.count += items.count }
                return state.count
            }
            answer(.success(items.enumerated().compactMap { Self.result($1, rank: first + $0) }))
        }
    }

    private static func result(_ found: SearchResult, rank: Int) -> FoundResult? {
        guard let item = found.thing.item else { return nil }
        return FoundResult(
            name: ItemName(app: item.app, index: item.index, identifier: item.identifier),
            domain: item.domain, expirationDate: item.expires?.date ?? .distantFuture,
            attributes: found.attributes.flatMap { AttributeSet($0) } ?? AttributeSet(),
            rank: rank)
    }

    /// Ends the search before all results were requested.
    func cancel() {
        let mustEnd = state.change { state in
            defer { state.isCancelled = true }
            return state.isSent && !state.isOver && !state.isCancelled
        }
        guard mustEnd else { return }
        // The reply is ignored: if the node is gone, there is no search to end.
        service.client.ask(EndSearch(call.search)) { _ in }
    }

    static var cancelled: CSSearchQueryError {
        CSSearchQueryError(.cancelled, "The query was cancelled.")
    }
}

extension CSSearchQueryError {
    /// Converts a failure of the node, or of the connection to it, to an error about a query.
    init(_ failure: LocalFailure) {
        let code: Code =
            switch failure.code {
            case .usage: .invalidQuery
            case .noNode, .notInitialised, .unknownAccount, .versionMismatch, .notAllowed, .failed:
                .indexUnreachable
            default: .unknown
            }
        self.init(code, failure.text)
    }
}

/// A value that is passed to another thread, where no two threads use it at the same time.
///
/// `@unchecked` because the compiler can't see when each thread uses the value.
struct Carried<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
