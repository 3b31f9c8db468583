import BatonCore

/// The parts of the manual page that don't come from the specifications of the commands.
enum ManualTexts {
    static let description = [
        "Each of your machines runs a node. The nodes of one account connect to each other over TLS 1.3, and each keeps a full "
            + "copy of your activities and of all that your apps have indexed. Start something on one machine, type "
            + "`baton continue` on another, and go on there.",
        "`baton setup` does on a new machine all that the next sentences say, and asks before each step. "
            + "`baton init` creates an account on the first machine. `baton invite` shows a code there, and `baton join` adds "
            + "another machine with that code. `baton service install` runs the node whenever you are logged in; `baton node` "
            + "runs it in the foreground.",
    ]

    static let environment = [
        ("BATON_HOME", "the folder for everything, in place of the usual ones; --home overrides it"),
        ("BATON_ACCOUNT", "the account to use; --account overrides it"),
        ("BATON_CONFIG", "the file with your handlers; --config overrides it"),
        ("XDG_DATA_HOME, XDG_RUNTIME_DIR, XDG_CONFIG_HOME", "where the usual folders are"),
        ("VISUAL, EDITOR", "the editor that opens files"),
        ("COLUMNS", "the width of a terminal that does not report its own"),
    ]

    static let files = [
        ("~/.local/share/baton", "accounts, keys and databases, readable by you alone"),
        ("~/.config/baton/config.json5", "your handlers: what continues which activities"),
        ("~/.config/systemd/user/baton.service, baton.socket", "the units of the service"),
        ("~/.local/share/baton/run/node.sock", "the socket on which apps and commands reach the node"),
    ]

    static let json = [
        "With --json, each command that prints data prints one value per line. Later versions may add keys, but remove none. "
            + "Unknown values are null. A date is a string in ISO 8601, in UTC."
    ]

    /// The JSON objects that `--json` prints, each with a list of its keys.
    static let objects: [(name: String, text: String)] = [
        ("list", "activities: an array of activities"),
        ("devices", "devices: an array of device states"),
        ("status", JSONKeys.status.joined(separator: ", ") + "; peers is an array of device states"),
        ("doctor", "for each finding a line with " + JSONKeys.finding.joined(separator: ", ")),
        ("accounts", "accounts: an array of objects with " + JSONKeys.account.joined(separator: ", ")),
        ("search", "items: an array of items; complete: whether all items were searched"),
        ("service status", JSONKeys.service.joined(separator: ", ")),
        ("continue", "activity, source, taken, milliseconds, handler"),
        ("an activity", JSONKeys.activity.joined(separator: ", ")),
        ("an attempt", JSONKeys.attempt.joined(separator: ", ")),
        ("a device", JSONKeys.device.joined(separator: ", ")),
        ("a device state", JSONKeys.deviceState.joined(separator: ", ")),
        (
            "backlog",
            JSONKeys.backlog.joined(separator: ", ") + ": what is left until two devices are in step"
        ),
    ]
}

/// The keys of the JSON that `--json` prints.
///
/// A test compares these keys with the printed ones.
package enum JSONKeys {
    package static let status = [
        "account", "name", "device", "version", "pid", "listening", "peers", "discovery", "locked",
        "troubles",
    ]
    package static let finding = [
        "check", "outcome", "mark", "subject", "found", "advice", "device", "address",
    ]
    package static let account = ["name", "default", "account", "devices", "connected", "trouble"]
    package static let device = ["id", "name", "here"]
    package static let deviceState = [
        "device", "admitted", "connected", "inStep", "seen", "addresses", "namedAddresses", "trouble",
        "owner", "removed", "left",
        "revoked", "version", "clockLeadMilliseconds", "lastChange", "received", "connectedSince",
        "outOfStepSince",
        "attempts", "backlog", "closeCode",
    ]
    package static let attempt = ["address", "source", "outcome", "text", "at"]
    package static let backlog = ["toSend", "toTake", "taken", "sendingSnapshot", "takingSnapshot"]
    package static let activity = [
        "id", "device", "app", "instance", "type", "title", "info", "url", "keywords", "started", "changed",
        "expires", "continued", "finished", "sent", "sentHere", "taken", "forgotten", "private", "protected",
        "locked", "departed",
    ]
    package static let service = [
        "unit", "file", "enabled", "state", "result", "since", "pid", "restarts", "listening", "lingering",
        "trouble",
    ]
}
