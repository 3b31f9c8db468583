public import LocalizedStrings

/// The words for accepting and declining an action.
public struct ConfirmationActionName: Sendable {
    /// The words for accepting.
    package let acceptLabel: LocalizedStringResource
    /// The words for declining.
    package let denyLabel: LocalizedStringResource
    /// Whether the action deletes something.
    package let isDestructive: Bool

    private init(
        _ accept: LocalizedStringResource, deny: LocalizedStringResource = "Cancel",
        _ destructive: Bool = false
    ) {
        (acceptLabel, denyLabel, isDestructive) = (accept, deny, destructive)
    }

    /// Returns words of the app's own.
    public static func custom(
        acceptLabel: LocalizedStringResource, acceptAlternatives: [LocalizedStringResource] = [],
        denyLabel: LocalizedStringResource, denyAlternatives: [LocalizedStringResource] = [],
        destructive: Bool = false
    ) -> ConfirmationActionName { ConfirmationActionName(acceptLabel, deny: denyLabel, destructive) }

    /// “Add”.
    public static let add = ConfirmationActionName("Add")
    /// “Add data”.
    public static let addData = ConfirmationActionName("Add data")
    /// “Book”.
    public static let book = ConfirmationActionName("Book")
    /// “Buy”.
    public static let buy = ConfirmationActionName("Buy")
    /// “Call”.
    public static let call = ConfirmationActionName("Call")
    /// “Check in”.
    public static let checkIn = ConfirmationActionName("Check in")
    /// “Continue”.
    public static let `continue` = ConfirmationActionName("Continue")
    /// “Create”.
    public static let create = ConfirmationActionName("Create")
    /// “Do”.
    public static let `do` = ConfirmationActionName("Do")
    /// “Download”.
    public static let download = ConfirmationActionName("Download")
    /// “Filter”.
    public static let filter = ConfirmationActionName("Filter")
    /// “Find”.
    public static let find = ConfirmationActionName("Find")
    /// “Get”.
    public static let get = ConfirmationActionName("Get")
    /// “Go”.
    public static let go = ConfirmationActionName("Go")
    /// “Log”.
    public static let log = ConfirmationActionName("Log")
    /// “Open”.
    public static let open = ConfirmationActionName("Open")
    /// “Order”.
    public static let order = ConfirmationActionName("Order")
    /// “Pay”.
    public static let pay = ConfirmationActionName("Pay")
    /// “Play”.
    public static let play = ConfirmationActionName("Play")
    /// “Play sound”.
    public static let playSound = ConfirmationActionName("Play sound")
    /// “Post”.
    public static let post = ConfirmationActionName("Post")
    /// “Request”.
    public static let request = ConfirmationActionName("Request")
    /// “Run”.
    public static let run = ConfirmationActionName("Run")
    /// “Search”.
    public static let search = ConfirmationActionName("Search")
    /// “Send”.
    public static let send = ConfirmationActionName("Send")
    /// “Set”.
    public static let set = ConfirmationActionName("Set")
    /// “Share”.
    public static let share = ConfirmationActionName("Share")
    /// “Start”.
    public static let start = ConfirmationActionName("Start")
    /// “Toggle”.
    public static let toggle = ConfirmationActionName("Toggle")
    /// “Turn off”.
    public static let turnOff = ConfirmationActionName("Turn off")
    /// “Turn on”.
    public static let turnOn = ConfirmationActionName("Turn on")
    /// “View”.
    public static let view = ConfirmationActionName("View")
}
