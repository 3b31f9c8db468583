import BatonClient
import BatonCore

/// `baton private`: whether what goes on here is known on other machines.
enum KeepPrivate {
    static var specification: CommandSpecification {
        CommandSpecification(
            "private", "Keep what goes on here to this machine, or share it again.",
            operands: [.optional("on|off")],
            notes: [
                "While it is on, nothing leaves: your other machines no longer see what you do",
                "here and can't continue it, what apps index here waits, and streams that are",
                "open are broken on both sides. What you do on them you still see, and can",
                "continue; that it went on here is then told, or that it was taken over. Off",
                "shares what is going on again.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let value: Int64?
        switch call.arguments[0] {
        case nil: value = nil
        case "on"?: value = 1
        case "off"?: value = 0
        case let other?: throw LocalFailure(.usage, "\(other) is neither on nor off.")
        }
        var node = try call.connect()
        let settings =
            if let value { try node.ask(ChangeSetting(Setting.private.rawValue, to: value)) } else {
                try node.ask(GetSettings())
            }
        let isOn = settings[.private] != 0
        guard !call.isJSON else { return call.console.print(.object([.init("private", .boolean(isOn))])) }
        call.console.print(
            isOn
                ? "Private: nothing that goes on here leaves this machine."
                : "Not private: your other machines see what goes on here.")
    }
}
