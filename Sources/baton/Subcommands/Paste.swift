import BatonClient
import BatonCommand
import BatonCore

/// `baton paste`: gets the content that was copied on another machine or on this machine.
enum Paste {
    static var specification: CommandSpecification {
        CommandSpecification(
            "paste", "Paste what was copied on one of your machines.",
            options: [
                .value("from", "DEVICE", "paste what was copied there, not what was copied last"),
                .flag("clipboard", "put it into the clipboard of the desktop, or of the terminal"),
                .value("output", "FILE", "write it into that file; - is the standard output"),
                .flag("force", "replace files that are here already"),
            ],
            notes: [
                "Text and images go to the standard output, and files into the present folder.",
                "At a terminal an image is saved there, too, and text is shown with everything",
                "spelled out that could steer the terminal. Nothing is replaced without --force.",
                "A file gets the name that it had, but _ for a dot, a hyphen or a tilde at the",
                "beginning and for what a name should not have.",
                "--clipboard uses wl-copy, xclip or xsel; where there is no desktop, the terminal",
                "gets it (OSC 52), also through tmux and from a machine you have come from.",
                "Exit status: 11 if nothing is copied, or it has ended; 10 if the other machine",
                "can't be reached; 20 if the connection broke before everything was here.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let device = call.arguments.value("from")
        guard device != "" else { throw LocalFailure(.usage, "The name of the device is empty.") }
        guard call.arguments.value("output") != "" else {
            throw LocalFailure(.usage, "The name of the file is empty.")
        }
        guard !call.arguments.has("clipboard") || !call.arguments.has("output") && !call.isJSON
        else {
            throw LocalFailure(.usage, "--clipboard can't be combined with --output or --json.")
        }
        var node = try call.connect()
        let pasted = try Pasting(try find(device, &node, call), call)
        let replaces = call.arguments.has("force")
        if call.arguments.has("clipboard") {
            try pasted.putIntoClipboard()
        } else if let path = call.arguments.value("output") {
            try pasted.write(to: path, replacing: replaces)
        } else {
            try pasted.show(replacing: replaces)
        }
    }

    /// Finds the latest copy: on the device with the given name, or on any device.
    private static func find(
        _ device: String?, _ node: inout NodeConnection, _ call: Call
    ) throws(LocalFailure) -> ActivitySummary {
        let copies = try node.activities(.withForgotten).filter {
            $0.activity.isClipboard && $0.departure == nil
        }
        guard let device else {
            guard let last = copies.latest else {
                throw LocalFailure(
                    .notFound,
                    "Nothing was copied, or the copy has ended.\nType `baton copy` on the machine that has the content; it can be pasted for two minutes."
                )
            }
            return last
        }
        let named = try node.ask(ListDevices()).devices.map(\.device).filter {
            $0.name == device || $0.identifier.description.hasPrefix(device.lowercased())
        }
        guard let found = named.first else {
            throw LocalFailure(
                .notFound,
                "No device has the name or ID “\(VisibleText(device).text)”.\nSee `baton devices\(try call.options())`."
            )
        }
        guard named.count == 1 else {
            throw LocalFailure(
                .notFound,
                "\(named.count) devices have the name or ID “\(VisibleText(device).text)”.\nType more of the ID that `baton devices\(try call.options())` shows."
            )
        }
        guard let last = copies.filter({ $0.device.identifier == found.identifier }).latest else {
            throw LocalFailure(
                .notFound,
                "Nothing was copied on “\(VisibleText(found.name).text)”, or the copy has ended.\nType `baton copy` there; it can be pasted for two minutes."
            )
        }
        return last
    }
}

extension [ActivitySummary] {
    /// The latest of the copies.
    fileprivate var latest: ActivitySummary? {
        self.max { $1.isCopied(after: $0) }
    }
}
