package import BatonClient
import BatonCore
import BatonNetwork

/// The contents of the person's configuration file.
package struct Configuration: Equatable, Sendable {
    /// The handlers, in the order in which the file lists them.
    package var handlers: [Handler] = []
    /// The schemes of the addresses that may be opened, or nil if the file does not have `schemes`.
    package var schemes: [String]?
    /// Whether this machine is announced on local networks, and other machines are looked for there.
    package var discovery = true
    /// The addresses on which the node listens.
    ///
    /// If there are none, it listens on the usual port of all addresses.
    package var listen: [String] = []
    /// The interfaces or addresses on which this machine is announced.
    ///
    /// If there are none, it is announced on all.
    package var announce: [String] = []
    /// The program that computes the meanings of texts, followed by its arguments, or nil if there is no such program.
    package var embed: [String]?
    /// Whether `baton service install` also installs the notifications.
    ///
    /// They offer to continue activities of other machines on this machine.
    package var notify = false
    /// The settings for shells and editors, or nil if the file does not have `shell`.
    package var shell: ShellSettings?

    package init() {}

    /// The maximum size of the file in bytes.
    package static let fileBytes = 256 << 10
}

extension Configuration {
    /// Parses the text of a configuration file.
    ///
    /// Each handler notes `path` as its source.
    package init(_ bytes: [UInt8], from path: String) throws(TextError) {
        guard let value = try JSONReader.json5(bytes) else { return }
        let keys = ["handlers", "schemes", "discovery", "listen", "announce", "embed", "notify", "shell"]
        for member in try value.members("the configuration", keys: keys) {
            switch member.key {
            case "handlers": handlers = try Self.handlers(member.value, from: path)
            case "schemes": schemes = try Self.schemes(member.value)
            case "discovery":
                guard case .boolean(let isOn) = member.value.content else {
                    throw TextError(member.value.place, "`discovery` must be true or false")
                }
                discovery = isOn
            case "notify":
                guard case .boolean(let isOn) = member.value.content else {
                    throw TextError(member.value.place, "`notify` must be true or false")
                }
                notify = isOn
            case "listen":
                listen = try member.value.texts("`listen`", each: "an address such as \"192.0.2.7:4817\"") {
                    (try? SocketAddress(text: $0, usualPort: Home.port)) != nil
                }
            case "shell": shell = try ShellSettings(member.value)
            case "embed":
                let words = try member.value.texts(
                    "`embed`", each: "a text: the program, or one of its arguments")
                guard !words.isEmpty else {
                    throw TextError(member.value.place, "`embed` must name a program: [\"my-model\"]")
                }
                embed = words
            default:
                announce = try member.value.texts(
                    "`announce`", each: "an interface or an address, such as \"eth0\"")
            }
        }
    }

    private static func handlers(
        _ value: LocatedJSON, from path: String
    ) throws(TextError) -> [Handler] {
        guard case .object(let members) = value.content else {
            throw TextError(value.place, "`handlers` must be an object: { TYPE: HANDLER, … }")
        }
        return try members.map { (member) throws(TextError) in
            guard let pattern = TypePattern(member.key) else {
                throw TextError(
                    member.place,
                    "`\(member.key)` is neither a type, such as org.example.editing, nor a pattern, such as org.example.* or *"
                )
            }
            return Handler(
                pattern: pattern, action: try Handler.Action(member.value),
                source: .file(path, line: member.place.line))
        }
    }

    /// The arguments of `baton-node` that follow from the file's settings for discovery.
    package var discoveryArguments: [String] {
        (discovery ? [] : ["--discovery", "off"]) + announce.flatMap { ["--announce", $0] }
    }

    private static func schemes(_ value: LocatedJSON) throws(TextError) -> [String] {
        try value.elements("`schemes`").map { (element) throws(TextError) in
            guard case .string(let scheme) = element.content, let first = scheme.unicodeScalars.first,
                first.properties.isAlphabetic, first.isASCII,
                scheme.utf8.allSatisfy({ Array("abcdefghijklmnopqrstuvwxyz0123456789+-.".utf8).contains($0) })
            else { throw TextError(element.place, "a scheme must be a string such as \"https\"") }
            return scheme
        }
    }
}
