import BatonClient
import BatonCommand
import BatonTerminal
import Glibc

// If the reader of the output stops reading, the signal ends this process, as with other commands.
signal(SIGPIPE, SIG_DFL)
exit(
    Program(console: .standard(), environment: Environment.variable)
        .run(Array(CommandLine.arguments.dropFirst())))
