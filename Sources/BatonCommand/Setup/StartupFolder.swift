/// The folders around start-up files.
enum StartupFolder {
    /// The value of an environment variable, if it is an absolute path.
    static func named(_ variable: String, _ environment: (String) -> String?) -> String? {
        environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The person's folder for configuration.
    static func configuration(_ environment: (String) -> String?) -> String? {
        named("XDG_CONFIG_HOME", environment) ?? named("HOME", environment).map { $0 + "/.config" }
    }
}
