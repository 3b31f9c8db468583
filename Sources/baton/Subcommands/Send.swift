import BatonCommand
import BatonCore

/// `baton send`: offers an activity on another machine, where it is the first of the list.
enum Send {
    static var specification: CommandSpecification {
        CommandSpecification(
            "send", "Offer the activity of this shell, or another, on one of your machines.",
            operands: [.required("DEVICE"), .optional("ID")],
            options: [.value("instance", "NAME", "send the activity that was started under that name")],
            notes: [
                "There, `baton list` marks it as sent to you, and `baton continue` takes it",
                "first. DEVICE is a name or an ID that `baton devices` shows.",
                "Exit status: 11 if there is no such activity or device.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        guard let device = call.arguments[0], !device.isEmpty else {
            throw LocalFailure(.usage, "The name of the device is empty.")
        }
        let summary = try call.activity(named: call.arguments[1]) { SendActivity($0, to: device) }
        call.print(summary, "\(summary.label) (\(summary.short)) is offered on \(device).")
    }
}
