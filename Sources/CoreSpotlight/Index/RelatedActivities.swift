import BatonClient
import BatonCore
import BatonNetwork

/// Deletes activities of the app when the items that they are about are deleted.
///
/// An activity with a `relatedUniqueIdentifier` is deleted together with that item. An activity with a
/// `domainIdentifier` is deleted together with that domain. A `weakRelatedUniqueIdentifier` has no such effect.
///
/// To find the activities, a sweep asks the node for the list of ended activities. Deletions that come during a sweep
/// are handled together afterwards, with a new list. Without a node, the deletions wait until a node connects. In any
/// case, searches don't find an activity whose item was deleted.
final class RelatedActivities: Sendable {
    private let client: NodeClient
    private let app: String
    private let log: ActivityLog
    private let state = Monitor(State())

    private struct State: Sendable {
        /// The deletions that came after the list was last requested.
        var deletions = ItemDeletions()
        var isSweeping = false
    }

    /// The object of this process; after a fork, the child makes its own.
    static var shared: RelatedActivities { perProcess.value }
    private static let perProcess = PerProcess { RelatedActivities(.shared) }

    private init(_ application: BatonApplication) {
        (client, app, log) = (application.client, application.fixedIdentifier, application.log)
        client.listen { [weak self] event in
            if case .connected = event { self?.begin() }
        }
    }

    /// Deletes the activities about deleted items.
    ///
    /// Call this once the index has accepted the deletions.
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
                // The deletions are kept for the next node that connects.
                return state.change { state in
                    state.deletions.add(deletions)
                    state.isSweeping = false
                }
            } catch {
                log.fault("Activities about deleted items were not deleted. \(error)")
            }
        }
    }

    /// Whether a saved activity must be deleted, because its domain was deleted, or no index of the app has its item
    /// any more.
    private func isOver(
        _ attributes: AttributeSet, _ deletions: ItemDeletions
    ) async throws(LocalFailure) -> Bool {
        if deletions.coverDomain(of: attributes) { return true }
        guard let item = attributes.value(.relatedUniqueIdentifier)?.string else { return false }
        let outcomes = try await client.ask(ExplainItem(app: app, item)).explanations.map(\.outcome)
        // An item that was never on this machine may still arrive from another machine.
        return outcomes.allSatisfy {
            $0 == .deleted || $0 == .expired || $0 == .unknown && deletions.name(item)
        }
    }

    /// Returns the saved activities of the app, with their attributes.
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

    /// Collects the deletions from a list of changes.
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

    /// Whether this item was deleted: by its identifier, or because all items were deleted.
    func name(_ item: String) -> Bool { isAll || items.contains(item) }

    /// Whether the domain in these attributes was deleted, or a domain that contains it.
    func coverDomain(of attributes: AttributeSet) -> Bool {
        guard let domain = attributes.value(.domainIdentifier)?.string else { return false }
        return domains.contains { domain == $0 || domain.hasPrefix($0 + ".") }
    }

    /// Whether an activity with these attributes may have to be deleted.
    ///
    /// If a domain was deleted, the item of any activity may have been in it.
    func mayEnd(_ attributes: AttributeSet) -> Bool {
        guard let item = attributes.value(.relatedUniqueIdentifier)?.string else {
            return coverDomain(of: attributes)
        }
        return !domains.isEmpty || name(item)
    }
}
