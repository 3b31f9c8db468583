import BatonClient
import BatonCore

/// `baton manual`: prints the manual page.
enum PrintManual {
    static var specification: CommandSpecification {
        CommandSpecification(
            "manual", "Print the manual page, for man to show.", isOfAccount: false,
            notes: [
                "It is made from the same tables as the command. To read it without having",
                "installed it, type",
                "  baton manual | man -l -",
            ])
    }

    static func run(_ call: Call) {
        call.console.print(Manual(Subcommand.allCases.map(\.specification)).page)
    }
}
