import BatonClient
import Glibc

// Whoever reads the output may stop reading; then this ends like any other command.
signal(SIGPIPE, SIG_DFL)
exit(
    Program(console: .standard(), environment: Environment.variable)
        .run(Array(CommandLine.arguments.dropFirst())))
