import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal
import Glibc

/// `baton copy`: lets the other machines paste content for two minutes.
enum Copy {
    static var specification: CommandSpecification {
        CommandSpecification(
            "copy", "Copy text, an image or files, to paste them on your other machines.",
            operands: [.anyNumber("FILE")],
            options: [
                .flag("clipboard", "copy what is in the clipboard of the desktop"),
                .value("expires", "WHEN", "how long it can be pasted: 30s, 1m (default 2m)"),
                .flag("hold", "hold it in this process, which `baton copy` starts for you"),
            ],
            notes: [
                "Without a FILE it copies its input:  git diff | baton copy",
                "At a terminal it copies the clipboard of the desktop, through wl-paste or xclip.",
                "Passwords that a password manager put there are not copied.",
                "`baton paste` gets it, on any machine of the account. It stays in the memory of",
                "this machine and is sent only then; a file is read where it is. It ends after",
                "two minutes, or with the next copy on any of your machines. The other machines",
                "see only its kind, its size and the names of files. Input has at most 64 MiB;",
                "files may have any size.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) -> Int32 {
        if call.arguments.has("hold") {
            try hold(call)
            return 0
        }
        // Wrong arguments are reported here, before the process in the background is started.
        _ = try time(call)
        try checkSources(call)
        let options =
            ["clipboard", "json"].filter(call.arguments.has).map { "--\($0)" }
            + (call.arguments.value("expires").map { ["--expires", $0] } ?? []) + call.homeArguments
        return try Background.start(["copy", "--hold"] + options + ["--"] + call.arguments.operands)
    }

    private static func checkSources(_ call: Call) throws(LocalFailure) {
        guard call.arguments.operands.isEmpty || !call.arguments.has("clipboard") else {
            throw LocalFailure(.usage, "Name files or use --clipboard, not both.")
        }
        guard !call.arguments.operands.contains("") else {
            throw LocalFailure(.usage, "The name of a file is empty.")
        }
    }

    /// How long the copy can be pasted.
    private static func time(_ call: Call) throws(LocalFailure) -> Duration {
        guard let text = call.arguments.value("expires") else { return CopyHolder.patience }
        let now = PresentTime.here
        let time = Duration.milliseconds(try now.expiry(text).milliseconds - now.now.milliseconds)
        guard time <= CopyHolder.patience else {
            throw LocalFailure(.usage, "A copy can be pasted for at most two minutes.")
        }
        return time
    }

    /// Holds the content until its time is over.
    private static func hold(_ call: Call) throws(LocalFailure) {
        try Background.closeInherited()
        let time = try time(call)
        let held = try content(call)
        var holder = try CopyHolder(
            held, for: time, in: try call.home().absolute(environment: call.environment))
        let summary = try holder.start()
        let label = VisibleText(held.content.label)
        let option = try call.options()
        call.print(
            summary,
            summary.isPrivate
                ? "Copied \(label). This machine is private, so you can paste it only here: baton paste\(option)"
                : "Copied \(label). Paste it within \(HumanTime.span(time)): baton paste\(option)")
        try call.console.flush()
        Background.begin()
        holder.run()
    }

    private static func content(_ call: Call) throws(LocalFailure) -> HeldContent {
        if !call.arguments.operands.isEmpty { return try HeldContent(files: call.arguments.operands) }
        if call.arguments.has("clipboard") || isatty(STDIN_FILENO) == 1 {
            guard let desktop = try DesktopClipboard(environment: call.environment) else {
                throw LocalFailure(
                    .usage,
                    "There is no desktop here whose clipboard could be copied.\nName files, or pipe text: date | baton copy"
                )
            }
            return try desktop.content()
        }
        return try HeldContent(readingFrom: STDIN_FILENO)
    }
}
