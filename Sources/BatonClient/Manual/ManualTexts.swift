import BatonCore

/// What the manual page says beside what the tables of the command do.
enum ManualTexts {
    static let description = [
        "Each of your machines runs a node. The nodes of one account find each other, speak TLS 1.3, and keep what is going on "
            + "and what apps have indexed on all of them. Start something on one machine, type `baton continue` on another, "
            + "and go on there.",
        "`baton init` makes an account on the first machine, `baton invite` shows a code there, and `baton join` takes "
            + "another machine in by it. `baton service install` has the node run whenever you are logged in; `baton node` runs "
            + "it in the foreground.",
    ]

    static let environment = [
        ("BATON_HOME", "keep everything in this folder rather than in the usual ones; --home counts more"),
        ("BATON_ACCOUNT", "of your accounts the one that is meant; --account counts more"),
        ("BATON_CONFIG", "the file with your handlers; --config counts more"),
        ("XDG_DATA_HOME, XDG_RUNTIME_DIR, XDG_CONFIG_HOME", "where the usual folders are"),
        ("VISUAL, EDITOR", "the editor with which files are continued"),
        ("COLUMNS", "the width of a terminal that does not tell its own"),
    ]

    static let files = [
        ("~/.local/share/baton", "accounts, keys and databases, for you alone"),
        ("~/.config/baton/config.json5", "what continues which activities"),
        ("~/.config/systemd/user/baton.service, baton.socket", "the units of the service"),
        ("$XDG_RUNTIME_DIR/baton/node.sock", "where the node is asked"),
    ]

    static let json = [
        "With --json, each command that prints data prints one value a line. Keys are only ever added; what is not known is "
            + "null. A date is a text in ISO 8601, in UTC."
    ]

    /// The objects that several commands print, with the keys that they have.
    static let objects: [(name: String, text: String)] = [
        ("list", "activities: an array of activities"),
        ("devices", "devices: an array of device states"),
        ("status", JSONKeys.status.joined(separator: ", ") + "; peers is an array of device states"),
        ("accounts", "accounts: an array of objects with " + JSONKeys.account.joined(separator: ", ")),
        ("search", "items: an array of items; complete: whether all were looked through"),
        ("service status", JSONKeys.service.joined(separator: ", ")),
        ("continue", "activity, source, taken, milliseconds, handler"),
        ("an activity", JSONKeys.activity.joined(separator: ", ")),
        ("a device", JSONKeys.device.joined(separator: ", ")),
        ("a device state", JSONKeys.deviceState.joined(separator: ", ")),
        (
            "backlog",
            JSONKeys.backlog.joined(separator: ", ") + ": what is missing until two devices are in step"
        ),
    ]
}

/// The keys of what is printed as JSON; a test holds them against what is.
package enum JSONKeys {
    package static let status = [
        "account", "name", "device", "version", "pid", "listening", "peers", "troubles",
    ]
    package static let account = ["name", "default", "account", "devices", "connected", "trouble"]
    package static let device = ["id", "name", "here"]
    package static let deviceState = [
        "device", "admitted", "connected", "inStep", "seen", "addresses", "namedAddresses", "trouble",
        "owner", "removed", "left",
        "revoked", "version", "clockLeadMilliseconds", "lastChange", "connectedSince", "outOfStepSince",
        "backlog",
    ]
    package static let backlog = ["toSend", "toTake", "taken", "sendingSnapshot", "takingSnapshot"]
    package static let activity = [
        "id", "device", "app", "instance", "type", "title", "info", "url", "keywords", "started", "changed",
        "expires", "continued", "finished", "sent", "sentHere", "taken", "forgotten", "private",
        "departed",
    ]
    package static let service = [
        "unit", "file", "enabled", "state", "result", "since", "pid", "restarts", "listening", "lingering",
        "trouble",
    ]
}
