import BatonClient

/// The person's settings for shells and editors, from the object `shell` of the configuration file.
package struct ShellSettings: Equatable, Sendable {
    /// The folders, files and commands that never become activities.
    package var places = PrivatePlaces()
    /// How long a command must run before other machines learn of it.
    package var commandPause = Duration.seconds(5)
    /// The names of the programs whose commands other machines see with all their words.
    package var wholeCommands: [String] = []
    /// The folders in which other machines see commands with all their words.
    ///
    /// This includes the folders inside them.
    package var wholeFolders: [String] = []

    package init() {}

    /// Whether other machines see all words of the commands that run in a folder.
    func tellsAll(in folder: String, home: String?) -> Bool {
        wholeFolders.contains { named in
            LocalPath.whole(named, home: home).map { LocalPath.isWithin($0, folder) } ?? false
        }
    }
}

extension ShellSettings {
    init(_ value: LocatedJSON) throws(TextError) {
        let keys = [
            "privateFolders", "privateFiles", "privateCommands", "wholeFolders", "wholeCommands",
            "commandAfter",
        ]
        for member in try value.members("`shell`", keys: keys) {
            switch member.key {
            case "privateFolders":
                places.folders = try member.value.texts(
                    "`privateFolders`", each: "a folder such as \"~/.ssh\"")
            case "privateFiles":
                places.files = try member.value.texts("`privateFiles`", each: "a pattern such as \"*.gpg\"")
            case "privateCommands":
                places.commands = try member.value.texts(
                    "`privateCommands`", each: "a pattern such as \"*token*\"")
            case "wholeFolders":
                wholeFolders = try member.value.texts("`wholeFolders`", each: "a folder such as \"~/src\"")
            case "wholeCommands":
                wholeCommands = try member.value.texts(
                    "`wholeCommands`", each: "the name of a program, such as \"make\""
                ) { !$0.contains("/") && !$0.contains(" ") }
            default: commandPause = try Self.seconds(member.value)
            }
        }
    }

    private static func seconds(_ value: LocatedJSON) throws(TextError) -> Duration {
        let seconds: Double
        switch value.content {
        case .integer(let number): seconds = Double(number)
        case .real(let number): seconds = number
        default: seconds = -1
        }
        guard 0...86_400 ~= seconds else {
            throw TextError(value.place, "`commandAfter` must be a number of seconds, up to 86400")
        }
        return .milliseconds(Int64(seconds * 1000))
    }
}
