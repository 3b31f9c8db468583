import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton private`: keeps other machines from seeing the activities of this machine.
enum KeepPrivate {
    static var specification: CommandSpecification {
        CommandSpecification(
            "private", "Keep what you do here private to this machine, or share it again.",
            operands: [.optional("on|off")],
            notes: [
                "While it is on, your other machines do not see what you do here and can't",
                "continue it, what apps index here stays here, and open streams break on both",
                "sides. You still see what you do on the other machines and can continue it here;",
                "they are told only that you did. Off shares what is going on again.",
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
        guard !call.isJSON else {
            let doubt = settings.doubt.map { JSON.string($0.name) } ?? .null
            return call.console.print(.object([.init("private", .boolean(isOn)), .init("doubt", doubt)]))
        }
        if settings.doubt != nil {
            return call.console.print(
                "Private until you type `baton private on` or `baton private off`; `baton status` says why.")
        }
        call.console.print(
            isOn
                ? "Private: nothing that you do here leaves this machine."
                : "Not private: your other machines see what you do here.")
    }
}

extension SettingsDoubt {
    /// The name of the reason in `--json`.
    fileprivate var name: String {
        switch self {
        case .lost: "lost"
        case .earlierPrivate: "earlierPrivate"
        case .older: "older"
        }
    }
}
