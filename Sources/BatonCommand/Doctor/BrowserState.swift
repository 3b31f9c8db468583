import BatonCore

/// Whether browsers can hand pages over: by the extension for all users, or by what this person has set up.
package enum BrowserState: Equatable, Sendable {
    /// The extension is installed for all users, for these browsers.
    case installed([Browser])
    /// The extension is installed for all users, but this file of it does not exist.
    case incomplete(String)
    /// This person has set up the host for these browsers, and loads the extension into them.
    case own([Browser])
    /// This person has set up the host, but this program that it needs does not exist.
    ///
    /// Browsers prefer the host of the person, even if another one is installed for all users.
    case programMissing(String)

    /// Examines both; returns nil if nothing is set up.
    package init?(_ system: SystemExtension, _ host: BrowserHost) {
        let own = host.registered
        if let missing = own.compactMap(\.missing).first {
            self = .programMissing(missing)
        } else if let missing = system.missing.first, !system.browsers.allSatisfy(own.map(\.browser).contains)
        {
            self = .incomplete(missing)
        } else if !system.browsers.isEmpty {
            self = .installed(system.browsers)
        } else if !own.isEmpty {
            self = .own(own.map(\.browser))
        } else {
            return nil
        }
    }

    /// The finding; `isInstalled` says whether the extension is installed for all users.
    package func finding(isInstalled: Bool) -> Finding {
        switch self {
        case .installed(let browsers):
            Finding(
                .browser, "installed", .ok, "browser extension",
                "installed for all users; \(SystemExtension.names(browsers)) of this system load it by themselves"
            )
        case .incomplete(let path):
            Finding(
                .browser, "incomplete", .warning, "browser extension",
                "installed for all users, but \(path) does not exist or can't be read",
                advice: "Install the package with the extension again, or type `baton browser install`.")
        case .own(let browsers):
            Finding(
                .browser, "own", .note, "browser extension",
                "set up for \(SystemExtension.names(browsers)); each has to load the extension"
                    + (browsers.contains(where: \.isFirefox)
                        ? VisibleText(", which Firefox forgets when it ends") : ""))
        case .programMissing(let path):
            Finding(
                .browser, "programMissing", .warning, "browser extension",
                "browsers start \(path), which was moved or removed",
                advice: isInstalled
                    ? "Type `baton browser uninstall`; browsers then use what is installed for all users."
                    : "Type `baton browser install`.")
        }
    }
}
