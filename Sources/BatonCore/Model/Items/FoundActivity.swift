/// An ended activity that a search found.
package struct FoundActivity: Equatable, Sendable {
    /// The identifier by which a command names the activity, as in `ActivitySummary`.
    package var identifier: String
    /// The bundle identifier of the app that saved the activity.
    package var app: String
    package var type: String
    package var title: String?
    /// The beginning of the activity's description.
    package var summary: String?
    /// The web page on which the activity can be continued, or the address of its content.
    package var url: String?
    package var ended: WallTime
    /// Whether this device is the only one that has the activity.
    package var isHere: Bool

    package init(
        identifier: String, app: String, type: String, title: String? = nil, summary: String? = nil,
        url: String? = nil, ended: WallTime, isHere: Bool = false
    ) {
        self.identifier = identifier
        self.app = app
        self.type = type
        self.title = title
        self.summary = summary
        self.url = url
        self.ended = ended
        self.isHere = isHere
    }

    /// Creates the search result of an ended activity.
    package init(_ name: SavedActivityName, _ activity: Activity, isHere: Bool = false) {
        self.init(
            identifier: name.key.identity.hash.description, app: name.app, type: activity.type,
            ended: activity.end.time, isHere: isHere)
        let attributes = activity.attributes
        title =
            activity.title?.beginning(bytes: FoundItem.textBytes)
            ?? attributes.text([.title, .displayName, .subject, .headline])
        summary = attributes.text([.contentDescription, .textContentSummary, .comment, .textContent])
        url =
            activity.webpage?.beginning(bytes: FoundItem.textBytes)
            ?? attributes.text([.contentURL, .url])
    }
}

extension AttributeSet {
    /// Returns the beginning of the first text among the values of these attributes; nil if none of them has a text.
    fileprivate func text(_ attributes: [Attribute]) -> String? {
        for attribute in attributes {
            guard let text = value(attribute)?.someText, !text.isEmpty else { continue }
            return text.beginning(bytes: FoundItem.textBytes)
        }
        return nil
    }
}
