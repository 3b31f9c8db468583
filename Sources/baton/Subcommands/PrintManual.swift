import BatonCommand
import BatonCore
import BatonTerminal

/// `baton manual`: prints the manual page.
enum PrintManual {
    static var specification: CommandSpecification {
        CommandSpecification(
            "manual", "Print the manual page.", isOfAccount: false,
            notes: [
                "To read it without installing it, type",
                "  baton manual | man -l -",
            ])
    }

    static func run(_ call: Call) {
        call.console.print(exactly: Manual(call.parser.specifications).page)
    }
}
