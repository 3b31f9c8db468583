import BatonClient
import BatonCore
import BatonNetwork
import Synchronization

/// Deletes activities of the app with the items that they are about: an activity whose `relatedUniqueIdentifier` names an
/// item ends with it, unlike one with a `weakRelatedUniqueIdentifier`.
///
/// The node is asked for the list of activities that have ended, one time for all deletions that come meanwhile. Without a
/// node nothing is deleted now; the activities expire.
final class RelatedActivities: Sendable {
    private let client: NodeClient
    private let app: String
    private let log: ActivityLog
    private let state = Mutex(State())

    private struct State: Sendable {
        /// The items that were deleted since the list was asked for last.
        var items: Set<String> = []
        /// Whether all items were deleted.
        var isAll = false
        var isSweeping = false
    }

    /// The object of this process; a forked child has its own.
    static var shared: RelatedActivities { perProcess.value }
    private static let perProcess = PerProcess { RelatedActivities(.shared) }

    private init(_ application: BatonApplication) {
        (client, app, log) = (application.client, application.fixedIdentifier, application.log)
    }

    /// Deletes the activities about these items, or with nil those about any item.
    func delete(about items: [String]?) {
        ActivityCenter.shared.withdraw(about: items.map { Set($0) })
        let mustBegin = state.withLock { state in
            if let items { state.items.formUnion(items) } else { state.isAll = true }
            defer { state.isSweeping = true }
            return !state.isSweeping
        }
        guard mustBegin else { return }
        Task { await sweep() }
    }

    private func sweep() async {
        while true {
            let (items, isAll) = state.withLock { state in
                defer { (state.items, state.isAll) = ([], false) }
                if state.items.isEmpty, !state.isAll { state.isSweeping = false }
                return (state.items, state.isAll)
            }
            guard !items.isEmpty || isAll else { return }
            do throws(LocalFailure) {
                for activity in try await saved() where isAll || items.contains(activity.related) {
                    _ = try await client.ask(ForgetActivity(activity.identifier, everywhere: true))
                }
            } catch  where error.concernsConnection {
                // Nobody can be asked.
            } catch {
                log.fault("Activities about deleted items were not deleted. \(error)")
            }
        }
    }

    /// The saved activities of the app that are about an item, with the item's identifier.
    private func saved() async throws(LocalFailure) -> [(identifier: String, related: String)] {
        var saved: [(identifier: String, related: String)] = []
        var place: ListPlace?
        repeat {
            let page = try await client.ask(ListActivities(.finished, after: place))
            for summary in page.activities where summary.app == app {
                guard let related = summary.activity.attributes.value(.relatedUniqueIdentifier)?.string else {
                    continue
                }
                saved.append((summary.identifier, related))
            }
            place = page.isLast ? nil : page.activities.last?.place
        } while place != nil
        return saved
    }
}
