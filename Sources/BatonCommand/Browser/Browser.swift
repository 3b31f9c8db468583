import Glibc

/// A browser in which the extension works, and the folders in which the browser looks for native messaging hosts.
package enum Browser: String, CaseIterable, Sendable {
    case chromium, chrome, brave, edge, vivaldi, firefox, librewolf

    /// The identifier of the extension in Chromium and the browsers derived from it.
    ///
    /// It follows from `key` in the manifest.
    static let chromiumExtension = "enjnibdbjniakoblkpomplinhhdennoh"
    /// The identifier of the extension in Firefox and the browsers derived from it.
    static let firefoxExtension = "browser@org.baton"

    /// Whether the browser is Firefox or derived from it.
    var isFirefox: Bool {
        switch self {
        case .firefox, .librewolf: true
        case .chromium, .chrome, .brave, .edge, .vivaldi: false
        }
    }

    /// Whether `install` always registers the host with this browser, even if the browser has not run here and was not
    /// named.
    var isUsual: Bool { self == .chromium || self == .firefox }

    /// The browser's folder, relative to the person's configuration folder.
    ///
    /// For Firefox and the browsers derived from it, it is relative to the home folder.
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

    /// The browser's name in messages to a person.
    package var title: String {
        switch self {
        case .chromium: "Chromium"
        case .chrome: "Chrome"
        case .brave: "Brave"
        case .edge: "Edge"
        case .vivaldi: "Vivaldi"
        case .firefox: "Firefox"
        case .librewolf: "LibreWolf"
        }
    }

    /// The names of programs by which the browser is started.
    private var programs: [String] {
        switch self {
        case .chromium: ["chromium", "chromium-browser"]
        case .chrome: ["google-chrome", "google-chrome-stable"]
        case .brave: ["brave-browser", "brave"]
        case .edge: ["microsoft-edge", "microsoft-edge-stable"]
        case .vivaldi: ["vivaldi", "vivaldi-stable"]
        case .firefox: ["firefox", "firefox-esr"]
        case .librewolf: ["librewolf"]
        }
    }

    /// Whether the browser is installed here, or has run here.
    package func isHere(environment: (String) -> String?) -> Bool {
        if let folder = folder(environment: environment), access(folder, F_OK) == 0 { return true }
        return programs.contains { ProgramStart.isThere($0, path: environment("PATH")) }
    }

    /// Returns the path of the browser's folder, or nil if there is no home folder.
    func folder(environment: (String) -> String?) -> String? {
        let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard !isFirefox else { return home.map { "\($0)/\(name)" } }
        // The XDG specification says that a relative path is ignored as if the variable were not set.
        let own = environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (own ?? home.map { $0 + "/.config" }).map { "\($0)/\(name)" }
    }

    /// The most folders that exist only for the manifest of a host: the browser's own folder, which may be in a folder of its
    /// vendor, and the one in it.
    var folderCount: Int { name.split(separator: "/").count + 1 }

    /// The name of the folder, in the browser's folder, that contains the manifests of hosts.
    var hosts: String { isFirefox ? "native-messaging-hosts" : "NativeMessagingHosts" }

    /// Whether a browser started the host for Baton's extension, judging by the arguments that the browser passed.
    ///
    /// Chromium and the browsers derived from it pass the origin of the extension. Firefox and its derivatives pass the
    /// path of the manifest, and then the identifier of the extension.
    package static func isStarted(by arguments: [String]) -> Bool {
        switch arguments.count {
        case 0: false
        case 1: arguments[0] == "chrome-extension://\(chromiumExtension)/"
        default:
            arguments[1] == firefoxExtension || arguments[0] == "chrome-extension://\(chromiumExtension)/"
        }
    }
}
