/// One thing that a search found: an item, an ended activity, or an item and an activity about the same thing.
package enum FoundThing: Equatable, Sendable {
    case item(FoundItem)
    case activity(FoundActivity)
    case both(FoundItem, FoundActivity)

    /// Creates the thing from an item, an activity or both; nil if both are nil.
    package init?(_ item: FoundItem?, _ activity: FoundActivity?) {
        switch (item, activity) {
        case (let item?, let activity?): self = .both(item, activity)
        case (let item?, nil): self = .item(item)
        case (nil, let activity?): self = .activity(activity)
        case (nil, nil): return nil
        }
    }

    package var item: FoundItem? {
        switch self {
        case .item(let item), .both(let item, _): item
        case .activity: nil
        }
    }

    package var activity: FoundActivity? {
        switch self {
        case .activity(let activity), .both(_, let activity): activity
        case .item: nil
        }
    }

    // MARK: The best of both

    /// The app that indexed the item.
    ///
    /// If there is no item, it is the app that saved the activity.
    package var app: String {
        switch self {
        case .item(let item), .both(let item, _): item.app
        case .activity(let activity): activity.app
        }
    }

    package var title: String? { item?.title ?? activity?.title }

    package var summary: String? { item?.summary ?? activity?.summary }

    package var url: String? { item?.url ?? activity?.url }

    /// The time when the item was indexed or the activity ended, whichever is later.
    package var time: WallTime? { [item?.indexed, activity?.ended].compactMap(\.self).max() }
}
