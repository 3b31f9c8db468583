/// A switch by which a person can turn off one use of an app's data on this machine.
package enum AppSwitch: String, CaseIterable, Sendable {
    /// Whether searches show the app's items and activities.
    case search
    /// Whether suggestions are made from the app's items and activities.
    case suggestions
    /// Whether the app's activities on this machine are offered to other devices.
    case handoff

    /// A one-line description for a person.
    package var summary: String {
        switch self {
        case .search: "searches show what the app has"
        case .suggestions: "suggestions are made from what the app has"
        case .handoff: "other machines may continue what begins here"
        }
    }
}

/// The name of the setting that holds one switch of an app.
package struct AppSwitchName: Hashable, Sendable {
    package let switched: AppSwitch
    /// The bundle identifier of the app.
    package let app: String

    package init(_ switched: AppSwitch, of app: String) { (self.switched, self.app) = (switched, app) }

    /// The text of the name: the switch, a space, and the app.
    package var text: String { "\(switched.rawValue) \(app)" }

    /// Parses the name of a setting; nil if it is not a switch of an app.
    package init?(_ text: String) {
        guard let space = text.utf8.firstIndex(of: UInt8(ascii: " ")),
            let switched = AppSwitch(rawValue: String(text[..<space]))
        else { return nil }
        self.init(switched, of: String(text[text.index(after: space)...]))
        guard !app.isEmpty, app.utf8.count <= Self.appBytes else { return nil }
    }

    /// The maximum length of an app's identifier in bytes.
    package static let appBytes = 512

    package static func == (left: Self, right: Self) -> Bool {
        // The bytes are compared, because texts that only look the same name different apps.
        left.switched == right.switched && left.app.utf8.elementsEqual(right.app.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(switched)
        for byte in app.utf8 { hasher.combine(byte) }
    }
}
