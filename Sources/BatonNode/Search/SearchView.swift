import BatonCore
import BatonStore

/// Decides which things searches show now, and names the devices that the things come from.
final class SearchView {
    private let account: AccountCore
    private let devices: DeviceDirectory
    private let activities: OwnActivities
    private let allActivities: AllActivities
    /// Whether a rescue could not read some items, and no device was in step since.
    var lacksItems = false

    init(
        of account: AccountCore, _ devices: DeviceDirectory, _ activities: OwnActivities, _ all: AllActivities
    ) {
        self.account = account
        self.devices = devices
        self.activities = activities
        allActivities = all
    }

    /// Whether items that a rescue could not read may still come from another device, so that no search is complete.
    func awaitsItems() -> Bool {
        lacksItems && devices.statuses.others.contains { $0.revocation == nil && $0.removed == nil }
    }

    /// Returns the present facts that decide which things a search shows, with the things that it is limited to, and
    /// the meaning of its words.
    func scope(_ filter: SearchFilter = SearchFilter(), meaning: Embedding? = nil) -> SearchScope {
        let dismissals = allActivities.dismissals
        var scope = SearchScope(
            kept: activities.kept.searched,
            current: activities.searched { dismissals.hide($0, $1) }, dismissals: dismissals,
            appsOff: account.settings.apps(off: .search), filter: filter)
        scope.meaning = meaning
        return scope
    }

    /// Returns the reply to a search, with what it has found.
    func reply(
        to result: Result<SearchFinding, StoreFailure>
    ) -> Result<SearchReply, LocalFailure> {
        result.map {
            SearchReply(
                $0.things.map(shown), isWhole: $0.isWhole && !awaitsItems(), corrected: $0.corrected)
        }.mapError {
            LocalFailure(.storage, "Could not search: \($0).")
        }
    }

    /// Adds the devices to a thing that was found.
    func shown(_ found: ShownThing) -> SearchResult {
        let devices = Set(found.devices + found.writers.compactMap(account.names.device(of:)))
        return SearchResult(
            found.thing, rank: found.rank, devices: devices.sorted().map(account.names.reference),
            snippet: found.snippet, attributes: found.attributes)
    }
}
