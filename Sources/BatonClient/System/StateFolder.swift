/// The folder for files that Baton keeps between runs on this machine, and that Baton sends to no other machine.
package enum StateFolder {
    /// Returns the path of the folder according to the XDG specification; nil if the person has no home folder.
    package static func path(_ environment: (String) -> String?) -> String? {
        // A relative path counts as unset.
        let own = environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        return (own ?? home).map { $0 + "/baton" }
    }
}
