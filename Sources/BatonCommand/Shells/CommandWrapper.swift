/// A program that starts another program, which its arguments name.
///
/// An example is `sudo`.
struct CommandWrapper {
    /// The wrapper's options that have no value.
    let flags: Set<String>
    /// The wrapper's options whose value is the next word.
    let values: Set<String>

    private init(_ flags: Set<String> = [], values: Set<String> = []) {
        (self.flags, self.values) = (flags, values)
    }

    /// The known wrappers, by name.
    ///
    /// If a wrapper has an option that is not listed, other machines see neither the option nor anything after it.
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
