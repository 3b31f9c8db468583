/// The settings of the person for shells and editors: the object `shell` of the configuration file.
package struct ShellSettings: Equatable, Sendable {
    /// The folders, files and commands that never become activities.
    package var places = PrivatePlaces()
    /// How long a command runs before it is told.
    package var commandPause = Duration.seconds(5)

    package init() {}
}

extension ShellSettings {
    init(_ value: LocatedJSON) throws(TextError) {
        let keys = ["privateFolders", "privateFiles", "privateCommands", "commandAfter"]
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
