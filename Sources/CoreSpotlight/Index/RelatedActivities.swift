import BatonClient
import BatonCore
import BatonNetwork

/// Deletes activities of the app when their items are deleted: an activity with a `relatedUniqueIdentifier` is deleted
/// with that item, and an activity with a `domainIdentifier` with that domain.
///
/// A `weakRelatedUniqueIdentifier` has no such effect.
///
/// The node is asked for the list of ended activities, once for all deletions that come during a sweep. Without a node,
/// the deletions wait until one connects; in any case, searches don't find an activity without its item.
final class RelatedActivities: Sendable {
    private let client: NodeClient
    private let app: String
    private let log: ActivityLog
    private let state = Monitor(State())

    private struct State: Sendable {
        /// The deletions since the list was last requested.
        var deletions = ItemDeletions()
        var isSweeping = false
    }

    /// The object of this process; a forked child has its own.
    static var shared: RelatedActivities { perProcess.value }
    private static let perProcess = PerProcess { RelatedActivities(.shared) }

    private init(_ application: BatonApplication) {
        (client, app, log) = (application.client, application.fixedIdentifier, application.log)
        client.listen { [weak self] event in
            if case .connected = event { self?.begin() }
        }
    }

    /// Deletes the activities about deleted items; call it once the index has accepted the deletions.
    func handleDeletions(_ deletions: ItemDeletions) {
        guard !deletions.isEmpty else { return }
        ActivityCenter.shared.withdraw { attributes in
            deletions.coverDomain(of: attributes)
                || attributes.value(.relatedUniqueIdentifier)?.string.map { deletions.name($0) } ?? false
        }
        state.change { $0.deletions.add(deletions) }
        begin()
    }

    private func begin() {
        let mustBegin = state.change { state in
            guard !state.isSweeping, !state.deletions.isEmpty else { return false }
            state.isSweeping = true
            return true
        }
        if mustBegin { Task { await sweep() } }
    }

    private func sweep() async {
        while true {
            let deletions = state.change { state in
                defer { state.deletions = ItemDeletions() }
                if state.deletions.isEmpty { state.isSweeping = false }
                return state.deletions
            }
            guard !deletions.isEmpty else { return }
            do throws(LocalFailure) {
                try await IndexService.shared.awaitWrites()
                for activity in try await saved() where deletions.mayEnd(activity.attributes) {
                    guard try await isOver(activity.attributes, deletions) else { continue }
                    _ = try await client.ask(ForgetActivity(activity.identifier, everywhere: true))
                }
            } catch  where error.concernsConnection {
                // Keep the deletions for the next node.
                return state.change { state in
                    state.deletions.add(deletions)
                    state.isSweeping = false
                }
            } catch {
                log.fault("Activities about deleted items were not deleted. \(error)")
            }
        }
    }

    /// Whether a saved activity ends with what was deleted: its domain was deleted, or its item is no longer in any
    /// index of the app.
    private func isOver(
        _ attributes: AttributeSet, _ deletions: ItemDeletions
    ) async throws(LocalFailure) -> Bool {
        if deletions.coverDomain(of: attributes) { return true }
        guard let item = attributes.value(.relatedUniqueIdentifier)?.string else { return false }
        let outcomes = try await client.ask(ExplainItem(app: app, item)).explanations.map(\.outcome)
        // An item that has never been on this machine may still arrive.
        return outcomes.allSatisfy {
            $0 == .deleted || $0 == .expired || $0 == .unknown && deletions.name(item)
        }
    }

    /// The saved activities of the app, with the attributes of their contents.
    private func saved() async throws(LocalFailure) -> [(identifier: String, attributes: AttributeSet)] {
        var saved: [(identifier: String, attributes: AttributeSet)] = []
        var place: ListPlace?
        repeat {
            let page = try await client.ask(ListActivities(.finished, after: place))
            for summary in page.activities where summary.app == app {
                saved.append((summary.identifier, summary.activity.attributes))
            }
            place = page.isLast ? nil : page.activities.last?.place
        } while place != nil
        return saved
    }
}

/// The items and domains that an app has deleted.
struct ItemDeletions: Sendable {
    private var items: Set<String> = []
    private var domains: Set<String> = []
    /// Whether all items of an index were deleted.
    private var isAll = false

    init() {}

    /// Collects the deletions among changes.
    init(_ changes: [IndexChange]) {
        for change in changes {
            switch change {
            case .deletion(let identifier): items.insert(identifier)
            case .clear(let domain?): domains.insert(domain)
            case .clear(domain: nil): isAll = true
            case .item, .unreadable, .update: break
            }
        }
    }

    var isEmpty: Bool { items.isEmpty && domains.isEmpty && !isAll }

    mutating func add(_ other: ItemDeletions) {
        items.formUnion(other.items)
        domains.formUnion(other.domains)
        isAll = isAll || other.isAll
    }

    /// Whether an item is named, or all are deleted.
    func name(_ item: String) -> Bool { isAll || items.contains(item) }

    /// Whether the domain of a content was deleted, or a domain that contains it.
    func coverDomain(of attributes: AttributeSet) -> Bool {
        guard let domain = attributes.value(.domainIdentifier)?.string else { return false }
        return domains.contains { domain == $0 || domain.hasPrefix($0 + ".") }
    }

    /// Whether an activity with these attributes may end with what was deleted.
    ///
    /// The item of any activity may have been in a deleted domain.
    func mayEnd(_ attributes: AttributeSet) -> Bool {
        guard let item = attributes.value(.relatedUniqueIdentifier)?.string else {
            return coverDomain(of: attributes)
        }
        return !domains.isEmpty || name(item)
    }
}
