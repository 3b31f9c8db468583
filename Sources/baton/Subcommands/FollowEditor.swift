import BatonCommand
import BatonCore
import BatonTerminal

/// `baton editor`: connects an editor to the node, which learns what is edited and lets the editor open files.
enum FollowEditor {
    static var specification: CommandSpecification {
        CommandSpecification(
            "editor", "Connect your editor: offer its files, and open in it what you continue.",
            operands: [.optional("vim|neovim|emacs")],
            options: [
                .value("follow", "EDITOR", "follow the editor, which its plugin does for you"),
                HandlerOptions.file,
            ],
            notes: [
                "It prints the lines for your editor's own file that load the plugin:",
                "  baton editor vim >>~/.vimrc",
                "  baton editor neovim >>~/.config/nvim/init.vim",
                "  baton editor emacs >>~/.emacs.d/init.el",
                "From then on your other machines see which file you edit, at which line, and",
                "what else is open; `baton continue` opens all of it, in the editor that runs in",
                "the folder of the file, else in VISUAL or EDITOR. See `:help baton` in Vim.", "",
                "The editor waits for nothing, and nothing is printed where no node runs. Files",
                "that look like secrets are never told; `shell` in the configuration file has",
                "`privateFolders` and `privateFiles`. To stop, remove the lines.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        switch (arguments[0], arguments.value("follow")) {
        case (let name?, nil):
            let editor = try Editor(typed: name)
            call.console.print(exactly: try editor.settings(try editor.pluginFolder()))
        case (nil, let name?):
            var follower = try EditorFollower(
                try Editor(typed: name), home: try call.home(),
                places: try call.configuration()?.shell?.places ?? PrivatePlaces(),
                environment: call.environment
            ) { (line) throws(LocalFailure) in
                call.console.print(line)
                try call.console.flush()
            }
            try follower.run()
        default: throw LocalFailure(.usage, "Name your editor, as in `baton editor vim`.")
        }
    }
}
