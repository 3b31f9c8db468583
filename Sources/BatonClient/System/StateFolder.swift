/// The folder for what Baton remembers between runs on this machine and sends to no other.
package enum StateFolder {
    /// Returns the folder of the person, as the XDG specification says; nil without a home folder.
    package static func path(_ environment: (String) -> String?) -> String? {
        // Relative folders count as unset.
        let own = environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        return (own ?? home).map { $0 + "/baton" }
    }
}
