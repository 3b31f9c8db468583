import BatonCommand
import BatonCore
import BatonTerminal

/// `baton watch`: shows the changes of activities on all machines.
///
/// With `--notify`, it shows notifications that offer to continue an activity on this machine.
enum Watch {
    static var specification: CommandSpecification {
        CommandSpecification(
            "watch", "Watch what your machines do, or be offered to continue it here.",
            options: [
                .flag("notify", "show a notification when you change over to this machine")
            ],
            notes: [
                "Without --notify it is `baton list --watch`.", "",
                "With --notify it waits until you use this machine again, after five minutes in",
                "which none of its activities changed. If you worked on another machine until a",
                "moment ago, a notification offers to continue that here. Its button does what",
                "`baton continue --window` does. Each thing is offered once, and at most one in",
                "five minutes. An activity that you send here by `baton send` is offered, too.",
                "It needs notify-send, 0.8 or newer for the button (in libnotify-bin).", "",
                "With `notify: true` in the configuration file, `baton service install` has",
                "systemd run it while your desktop runs.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        guard call.arguments.has("notify") else {
            var watching = Watching(ActivityWatch(), call, try call.home())
            return try watching.run()
        }
        guard !call.isJSON else { throw LocalFailure(.usage, "--notify prints nothing for --json.") }
        var watch = OfferWatch(
            try call.home(), continuingBy: ["continue", "--window"] + call.homeArguments
        ) { (text) throws(LocalFailure) in try call.console.explain(text) }
        try watch.run()
    }
}
