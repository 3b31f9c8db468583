import BatonCore
import BatonStore

/// Decides which things searches show now, and names the devices from which the things come.
final class SearchView {
    private let account: AccountCore
    private let devices: DeviceDirectory
    private let activities: OwnActivities
    private let allActivities: AllActivities
    /// Whether a rescue could not read some items, and no other device has been in step since.
    var lacksItems = false
    /// Whether the account has items of protected indexes.
    var hasProtectedItems = false

    init(
        of account: AccountCore, _ devices: DeviceDirectory, _ activities: OwnActivities, _ all: AllActivities
    ) {
        self.account = account
        self.devices = devices
        self.activities = activities
        allActivities = all
    }

    /// Whether another device may still send items that a rescue could not read.
    ///
    /// In this case, no search result counts as complete.
    func awaitsItems() -> Bool {
        lacksItems && devices.statuses.others.contains { $0.revocation == nil && $0.removed == nil }
    }

    /// Returns the facts that decide which things a search shows now.
    ///
    /// `filter` limits the search to certain things. `meaning` is the vector of the words of the search.
    func scope(_ filter: SearchFilter = SearchFilter(), meaning: Embedding? = nil) -> SearchScope {
        let dismissals = allActivities.dismissals
        var scope = SearchScope(
            kept: activities.kept.searched,
            current: activities.searched { dismissals.hide($0, $1) }, dismissals: dismissals,
            appsOff: account.settings.apps(off: .search), filter: filter)
        scope.meaning = meaning
        return scope
    }

    /// Whether a search lacks items of protected indexes because they are locked.
    func isLocked(_ filter: SearchFilter) -> Bool {
        hasProtectedItems && filter.admitsProtected && account.itemSealing == nil
    }

    /// Returns the reply to a search from its results.
    func reply(
        to result: Result<SearchFinding, StoreFailure>, of filter: SearchFilter
    ) -> Result<SearchReply, LocalFailure> {
        let isLocked = isLocked(filter)
        return result.map {
            var reply = SearchReply(
                $0.things.map(shown), isWhole: $0.isWhole && !awaitsItems() && !isLocked,
                corrected: $0.corrected)
            reply.isLocked = isLocked
            return reply
        }.mapError {
            LocalFailure(.storage, "Could not search: \($0).")
        }
    }

    /// Adds the devices from which a found thing comes.
    func shown(_ found: ShownThing) -> SearchResult {
        let devices = Set(found.devices + found.writers.compactMap(account.names.device(of:)))
        return SearchResult(
            found.thing, rank: found.rank, devices: devices.sorted().map(account.names.reference),
            snippet: found.snippet, attributes: found.attributes)
    }
}
