import BatonClient
import BatonCommand
import Glibc

// If the reader of the output stops reading, this process ends like any other command.
signal(SIGPIPE, SIG_DFL)
exit(
    Program(console: .standard(), environment: Environment.variable)
        .run(Array(CommandLine.arguments.dropFirst())))
