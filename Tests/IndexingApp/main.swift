import CoreSpotlight
import Glibc

// An app that indexes, as a test says; it prints a line after each step that the index has accepted.

/// Prints a line at once, because the process may be killed.
///
/// Flushing the C library's output would wait for a thread that is reading a line.
private func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

/// An item whose number is also an attribute, for counting.
private func item(_ number: Int, _ title: String) -> CSSearchableItem {
    let attributes = CSSearchableItemAttributeSet(contentType: .text)
    attributes.title = title
    attributes.pageCount = NSNumber(value: number)
    let item = CSSearchableItem(
        uniqueIdentifier: "\(number)", domainIdentifier: "numbers", attributeSet: attributes)
    item.expirationDate = .distantFuture
    return item
}

/// Indexes items in batches from where the client state says; tries again while no node runs.
private func job(count: Int, batch size: Int) async throws {
    let index = CSSearchableIndex(name: "job")
    while true {
        do {
            let state = try await index.fetchLastClientState()
            var next = Int(String(decoding: state, as: UTF8.self)) ?? 0
            say("from \(next)")
            while next < count {
                let end = min(next + size, count)
                index.beginBatch()
                try await index.indexSearchableItems((next..<end).map { item($0, "item \($0)") })
                try await index.endIndexBatch(
                    expectedClientState: next == 0 ? nil : Data("\(next)".utf8),
                    newClientState: Data("\(end)".utf8))
                say("batch \(next)")
                next = end
            }
            return say("done")
        } catch CSIndexError.indexUnavailableError, CSIndexError.remoteConnectionError {
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// Replaces the items by the next ones, call by call: after each call there are the last two numbers.
private func roll(from first: Int, count: Int) {
    let index = CSSearchableIndex(name: "roll")
    let accepted = DispatchSemaphore(value: 0)
    for number in first..<first + count {
        index.beginBatch()
        index.indexSearchableItems([item(number, "rolled \(number)")])
        index.deleteSearchableItems(withIdentifiers: ["\(number - 2)"])
        index.endBatch(withClientState: Data("\(number)".utf8)) { error in
            say(error.map { "failed \(number): \($0)" } ?? "kept \(number)")
            accepted.signal()
        }
        accepted.wait()
    }
    say("done")
}

/// Indexes items one by one, each with a prefix of its own.
private func add(_ prefix: Int, count: Int) {
    let index = CSSearchableIndex(name: "added")
    let accepted = DispatchSemaphore(value: 0)
    for number in prefix..<prefix + count {
        index.indexSearchableItems([item(number, "added \(number)")]) { error in
            say(error.map { "failed \(number): \($0)" } ?? "kept \(number)")
            accepted.signal()
        }
        accepted.wait()
    }
    say("done")
}

/// Waits for requests to index again, and does what they say.
private final class Reindexer: NSObject, CSSearchableIndexDelegate {
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping () -> Void
    ) {
        searchableIndex.indexSearchableItems((0..<10).map { item($0, "again \($0)") })
        say("all")
        acknowledgementHandler()
    }

    func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping () -> Void
    ) {
        searchableIndex.indexSearchableItems(
            identifiers.compactMap { Int($0) }.map { item($0, "again \($0)") })
        say("items \(identifiers.joined(separator: " "))")
        acknowledgementHandler()
    }
}

/// Waits for requests about many indexes, each of which has a delegate.
private final class ManyReindexer: NSObject, CSSearchableIndexDelegate, @unchecked Sendable {
    private let indexes: [(name: String, index: CSSearchableIndex)]

    init(count: Int) {
        indexes = (0..<count).map { ("many \($0)", CSSearchableIndex(name: "many \($0)")) }
        super.init()
        for (_, index) in indexes { index.indexDelegate = self }
    }

    private func tell(_ searchableIndex: CSSearchableIndex, _ what: String) {
        let name = indexes.first { $0.index === searchableIndex }?.name
        say("\(name ?? "?"): \(what)")
    }

    func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping () -> Void
    ) {
        tell(searchableIndex, "all")
        acknowledgementHandler()
    }

    func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping () -> Void
    ) {
        tell(searchableIndex, identifiers.joined(separator: " "))
        acknowledgementHandler()
    }
}

/// Indexes again in a program that was started for it.
private final class Extension: CSIndexExtensionRequestHandler {
    override func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler:
            @escaping @Sendable () -> Void
    ) {
        searchableIndex.indexSearchableItems((0..<10).map { item($0, "again \($0)") })
        acknowledgementHandler()
    }

    override func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping @Sendable () -> Void
    ) {
        searchableIndex.indexSearchableItems(
            identifiers.compactMap { Int($0) }.map { item($0, "again \($0)") })
        acknowledgementHandler()
    }
}

/// Indexes in this process, and then in a child that is forked from it.
private func forks() {
    add(0, count: 5)
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = dlsym(nil, "fork") else { return say("no fork") }
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
        add(100, count: 5)
        _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    add(10, count: 5)
    say("child \(status)")
}

/// Searches in every way, and prints what comes.
private func find(_ text: String) async throws {
    let context = CSUserQueryContext()
    context.fetchAttributes = ["title"]
    context.maxResultCount = 3
    let query = CSUserQuery(userQueryString: text, userQueryContext: context)
    var (items, suggestions): ([String], [String]) = ([], [])
    for try await response in query.responses {
        switch response {
        case .item(let found):
            let attributes = found.item.attributeSet
            items.append("\(found.id)=\(attributes.title ?? "")\(attributes.pageCount == nil ? "" : "!")")
        case .suggestion(let found):
            let marked = found.suggestion.localizedAttributedSuggestion.runs.compactMap { run in
                run.attributes[AttributeScopes.CoreSpotlightAttributes.SuggestionHighlightAttribute.self]
            }
            suggestions.append("\(found.id) \(marked.count)")
        }
    }
    say("words \(items.joined(separator: ","))")
    say("suggestions \(suggestions.joined(separator: ","))")

    let filtered = CSSearchQueryContext()
    filtered.filterQueries = ["pageCount < 6"]
    let ranged = CSSearchQuery(queryString: "pageCount >= 3", queryContext: filtered)
    var numbers: [Int] = []
    for try await found in ranged.results { numbers.append(Int(found.id) ?? -1) }
    say("range \(numbers.sorted()) \(ranged.foundItemCount)")

    let all = CSSearchQuery(queryString: "pageCount >= 0", queryContext: nil)
    var (count, calls) = (0, 0)
    all.foundItemsHandler = { items in
        count += items.count
        calls += 1
    }
    let error = await withCheckedContinuation { continuation in
        all.completionHandler = { continuation.resume(returning: $0) }
        all.start()
    }
    say("all \(count) \(all.foundItemCount) \(calls > 1) \(error == nil)")

    let cancelled = CSSearchQuery(queryString: "pageCount >= 0", queryContext: nil)
    let reason = await withCheckedContinuation { continuation in
        cancelled.completionHandler = { continuation.resume(returning: $0) }
        cancelled.start()
        cancelled.cancel()
    }
    say("cancelled \((reason as? CSSearchQueryError)?.code == .cancelled) \(cancelled.isCancelled)")
    do {
        for try await _ in CSSearchQuery(queryString: "pageCount >=", queryContext: nil).results {}
    } catch CSSearchQueryError.invalidQuery {
        say("invalid")
    }
}

/// Prints all that each item has, as a query finds it.
private func showAll() async throws {
    let context = CSSearchQueryContext()
    context.fetchAttributes = ["*"]
    for try await found in CSSearchQuery(queryString: "*", queryContext: context).results {
        let (item, attributes) = (found.item, found.item.attributeSet)
        let stays = item.expirationDate == .distantFuture
        let expires = stays ? "never" : "\(item.expirationDate.timeIntervalSince1970)"
        say("\(found.id) \(attributes.title ?? "-") \(attributes.pageCount ?? -1) \(expires)")
    }
}

/// Searches for the first suggestion for some words, as after a person chose it.
private func choose(_ words: String) async throws {
    let asked = CSUserQuery(userQueryString: words, userQueryContext: CSUserQueryContext())
    var first: CSSuggestion?
    for try await suggestion in asked.suggestions where first == nil { first = suggestion.suggestion }
    let context = CSUserQueryContext(currentSuggestion: first)
    context.fetchAttributes = ["title"]
    var titles: [String] = []
    for try await response in CSUserQuery(userQueryString: "", userQueryContext: context).responses {
        if case .item(let found) = response { titles.append(found.item.attributeSet.title ?? "-") }
    }
    say("chosen \(titles.joined(separator: ","))")
}

/// Fills, changes and queries a protected index, as an app for Apple's systems does.
private func protect() async throws {
    let index = CSSearchableIndex(name: "private", protectionClass: .complete)
    index.beginBatch()
    try await index.indexSearchableItems((1...5).map { item($0, "protected \($0)") })
    try await index.endBatch(withClientState: Data("5".utf8))
    try await index.deleteSearchableItems(withIdentifiers: ["2"])
    say("state \(String(decoding: try await index.fetchLastClientState(), as: UTF8.self))")
    for classes in [[FileProtectionType.complete], [.completeUnlessOpen], nil] {
        let query = CSSearchQuery(
            queryString: "pageCount >= 1 && domainIdentifier == 'numbers'", queryContext: nil)
        let typed = CSUserQuery(userQueryString: "protec", userQueryContext: nil)
        if let classes { (query.protectionClasses, typed.protectionClasses) = (classes, classes) }
        var (queried, found): ([String], [String]) = ([], [])
        for try await result in query.results { queried.append(result.item.uniqueIdentifier) }
        for try await case .item(let result) in typed.responses { found.append(result.item.uniqueIdentifier) }
        say("\(queried.sorted().joined(separator: ",")) \(found.sorted().joined(separator: ","))")
    }
    // The index of the same name without protection is another one.
    try await CSSearchableIndex(name: "private").deleteAllSearchableItems()
    try await index.deleteSearchableItems(withDomainIdentifiers: ["other"])
    let query = CSSearchQuery(queryString: "*", queryContext: nil)
    query.protectionClasses = [.complete]
    var count = 0
    for try await _ in query.results { count += 1 }
    say("\(count) left")
    try await index.deleteSearchableItems(withDomainIdentifiers: ["numbers"])
    say("done")
}

/// Uses a protected index as `protect` does, and says the code of each error.
private func useLocked() async throws {
    let index = CSSearchableIndex(name: "private", protectionClass: .complete)
    func attempt(_ name: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            say("\(name) succeeded")
        } catch {
            say("\(name) \((error as NSError).code)")
        }
    }
    await attempt("index") { try await index.indexSearchableItems([item(1, "protected 1")]) }
    await attempt("delete") { try await index.deleteSearchableItems(withIdentifiers: ["1"]) }
    index.beginBatch()
    await attempt("state") { try await index.endBatch(withClientState: Data("1".utf8)) }
    let query = CSSearchQuery(queryString: "*", queryContext: nil)
    query.protectionClasses = [.complete]
    var found = ["found"]
    for try await result in query.results { found.append(result.item.uniqueIdentifier) }
    say(found.joined(separator: " "))
    say("done")
}

let words = CommandLine.arguments.dropFirst()
let numbers = words.dropFirst().compactMap { Int($0) }
switch words.first {
case "job": try await job(count: numbers[0], batch: numbers[1])
case "roll": roll(from: numbers[0], count: numbers[1])
case "add": add(numbers[0], count: numbers[1])
case "once": CSSearchableIndex(name: "ended").indexSearchableItems([item(numbers[0], "once")])
case "extension":
    try await Extension().run(indexNames: ["job"])
    say("done")
case "threads": try await Threads(count: numbers[0], rounds: numbers[1]).run()
case "fork": forks()
case "find": try await find(words.dropFirst().first ?? "")
case "all": try await showAll()
case "protected": try await protect()
case "locked": try await useLocked()
case "choose": try await choose(words.dropFirst().first ?? "")
case "query":
    // For each condition, how many items meet it, and whether one is of another app.
    for condition in words.dropFirst() {
        let context = CSSearchQueryContext()
        context.fetchAttributes = ["title"]
        var titles: [String] = []
        for try await found in CSSearchQuery(queryString: condition, queryContext: context).results {
            titles.append(found.item.attributeSet.title ?? "")
        }
        say("\(titles.count) \(titles.contains { $0.contains("secret") || $0.contains("zebras") })")
    }
case "reindex":
    let reindexer = Reindexer()
    CSSearchableIndex(name: "unused").indexDelegate = nil
    CSSearchableIndex.default().indexDelegate = reindexer
    say("waiting")
    while readLine() != nil {}
case "reindex-many":
    let reindexer = ManyReindexer(count: numbers[0])
    say("waiting")
    while readLine() != nil {}
    withExtendedLifetime(reindexer) {}
default: say("no such thing")
}
