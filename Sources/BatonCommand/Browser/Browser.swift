/// A browser that the extension works in, and where it looks for the hosts of native messages.
package enum Browser: String, CaseIterable, Sendable {
    case chromium, chrome, brave, edge, vivaldi, firefox, librewolf

    /// The identifier of the extension in Chromium and its relatives, which follows from `key` in its manifest.
    static let chromiumExtension = "enjnibdbjniakoblkpomplinhhdennoh"
    /// The identifier of the extension in Firefox and its relatives.
    static let firefoxExtension = "browser@org.baton"

    /// Whether it is a relative of Firefox.
    var isFirefox: Bool {
        switch self {
        case .firefox, .librewolf: true
        case .chromium, .chrome, .brave, .edge, .vivaldi: false
        }
    }

    /// Whether `install` registers the host with it even if it has not run here and was not named.
    var isUsual: Bool { self == .chromium || self == .firefox }

    /// The folder of the browser, in the person's configuration folder, or in the home folder for relatives of Firefox.
    private var name: String {
        switch self {
        case .chromium: "chromium"
        case .chrome: "google-chrome"
        case .brave: "BraveSoftware/Brave-Browser"
        case .edge: "microsoft-edge"
        case .vivaldi: "vivaldi"
        case .firefox: ".mozilla"
        case .librewolf: ".librewolf"
        }
    }

    /// Returns the folder of the browser; nil without a home folder.
    func folder(environment: (String) -> String?) -> String? {
        let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard !isFirefox else { return home.map { "\($0)/\(name)" } }
        // Relative folders count as unset, as the XDG specification says.
        let own = environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (own ?? home.map { $0 + "/.config" }).map { "\($0)/\(name)" }
    }

    /// The folder of the hosts, in that of the browser.
    var hosts: String { isFirefox ? "native-messaging-hosts" : "NativeMessagingHosts" }

    /// Whether a browser that starts the host with these arguments does so for the extension of Baton.
    ///
    /// Relatives of Chromium pass the origin of the extension; those of Firefox pass the path of the manifest, and the
    /// extension's identifier.
    package static func isStarted(by arguments: [String]) -> Bool {
        switch arguments.count {
        case 0: false
        case 1: arguments[0] == "chrome-extension://\(chromiumExtension)/"
        default:
            arguments[1] == firefoxExtension || arguments[0] == "chrome-extension://\(chromiumExtension)/"
        }
    }
}
