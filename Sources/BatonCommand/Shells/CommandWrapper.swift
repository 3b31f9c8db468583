/// A program that starts the one that its arguments name, such as `sudo`.
struct CommandWrapper {
    /// Its options without a value.
    let flags: Set<String>
    /// Its options whose value is the next word.
    let values: Set<String>

    private init(_ flags: Set<String> = [], values: Set<String> = []) {
        (self.flags, self.values) = (flags, values)
    }

    /// The wrappers by their names; an unlisted option of a wrapper, and everything after it, is not told.
    static let all: [String: CommandWrapper] = [
        "sudo": CommandWrapper(
            ["-n", "-E", "-H", "-i", "-s", "-b", "-k", "-S", "-A"], values: ["-u", "-g"]),
        "doas": CommandWrapper(["-n", "-s"], values: ["-u"]),
        "env": CommandWrapper(["-i", "-0"], values: ["-u", "-C"]),
        "nice": CommandWrapper(values: ["-n"]),
        "time": CommandWrapper(["-p", "-v"]),
        "nohup": CommandWrapper(),
        "setsid": CommandWrapper(["-f", "-w"]),
        "exec": CommandWrapper(["-c", "-l"], values: ["-a"]),
        "command": CommandWrapper(["-p"]),
        "builtin": CommandWrapper(),
        "noglob": CommandWrapper(),
        "nocorrect": CommandWrapper(),
    ]
}
