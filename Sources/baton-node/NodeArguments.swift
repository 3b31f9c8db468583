import BatonCore
import BatonNetwork
import BatonNode
import Glibc

/// The arguments that the command `baton` passes.
///
/// The command has already checked the text that people type. Therefore, the parsing here is simple and strict.
struct NodeArguments {
    /// The task of the process.
    enum Verb {
        case run
        case initialise
        case join(code: String)
        case recover
        case promote
        case leave(isConfirmed: Bool)
        case backUp(path: String, replaces: Bool)
        case restore(path: String, isConfirmed: Bool)
    }

    let verb: Verb
    /// The names of the options that take a value.
    private static let options: Set<String> = [
        "--home", "--account", "--listen", "--name", "--at", "--discovery", "--announce",
    ]
    /// Whether `init` waits until the person has typed the recovery code again.
    private(set) var isConfirming = false
    private var options: [String: [String]] = [:]

    init(_ arguments: [String]) throws(LocalFailure) {
        var rest = arguments[...]
        switch rest.popFirst() {
        case "run": verb = .run
        case "init": verb = .initialise
        case "join":
            guard let code = rest.popFirst() else { throw LocalFailure(.usage, "`join` needs a code.") }
            verb = .join(code: code)
        case "recover": verb = .recover
        case "promote": verb = .promote
        case "leave": verb = .leave(isConfirmed: true)
        case "examine-leaving": verb = .leave(isConfirmed: false)
        case "backup", "backup-anew":
            guard let path = rest.popFirst() else { throw LocalFailure(.usage, "A file is missing.") }
            verb = .backUp(path: path, replaces: arguments.first == "backup-anew")
        case "examine", "restore":
            guard let path = rest.popFirst() else { throw LocalFailure(.usage, "A file is missing.") }
            verb = .restore(path: path, isConfirmed: arguments.first == "restore")
        default: throw LocalFailure(.usage, "This program is started by `baton`; type `baton --help`.")
        }
        while let option = rest.popFirst() {
            if option == "--confirm", arguments.first == "init" {
                isConfirming = true
                continue
            }
            guard Self.options.contains(option),
                let value = rest.popFirst()
            else {
                throw LocalFailure(.usage, "“\(option)” is not an option here, or lacks its value.")
            }
            options[option, default: []].append(value)
        }
    }

    func home() throws(LocalFailure) -> Home {
        try Home(option: options["--home"]?.last, account: options["--account"]?.last) { name in
            getenv(name).map { String(cString: $0) }
        }
    }

    /// Returns the addresses to listen on.
    ///
    /// If the list is empty, the usual address is used.
    func addresses() throws(LocalFailure) -> [SocketAddress] {
        let texts = options["--listen"] ?? []
        var addresses: [SocketAddress] = []
        for text in texts {
            do {
                addresses.append(try SocketAddress(text: text, usualPort: Home.port))
            } catch {
                throw LocalFailure(
                    .usage,
                    "“\(text)” is not an address. An address looks like 192.0.2.7:\(Home.port) or [::1]:\(Home.port)."
                )
            }
        }
        return addresses
    }

    func name() throws(LocalFailure) -> String { try value("--name") }

    /// Returns the settings for finding machines on local networks, and for announcing this machine there.
    func discovery() throws(LocalFailure) -> DiscoverySettings {
        let (mode, interfaces) = (options["--discovery"]?.last, options["--announce"] ?? [])
        guard mode == nil || mode == "off" else {
            throw LocalFailure(.usage, "“\(mode ?? "")” is not a mode of discovery here.")
        }
        return DiscoverySettings(isOn: mode != "off", interfaces: interfaces)
    }

    /// The address of another machine; nil if none was given.
    var possibleAddress: String? { options["--at"]?.last }

    private func value(_ option: String) throws(LocalFailure) -> String {
        guard let value = options[option]?.last else { throw LocalFailure(.usage, "`\(option)` is missing.") }
        return value
    }
}
