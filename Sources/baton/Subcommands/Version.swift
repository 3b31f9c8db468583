import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton version`: prints the version.
enum Version {
    static var specification: CommandSpecification {
        CommandSpecification("version", "Print the version.", isOfAccount: false)
    }

    static func run(_ call: Call) { print(on: call.console, isJSON: call.isJSON) }

    /// Prints the version of this command.
    static func print(on console: Console, isJSON: Bool) {
        if isJSON {
            console.print(.object([.init("version", .string(Build.version))]))
        } else {
            console.print("baton \(Build.version)")
        }
    }
}
