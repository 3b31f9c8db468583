/// The address of a repository's remote, in the form that all machines of a person have in common.
enum RemoteAddress {
    /// The longest address that is kept.
    private static let most = 300

    /// Returns `host/path` for an address that git accepts; nil for one that means something on this machine only.
    ///
    /// The scheme, the user, the password, the port and `.git` are left out: one machine may fetch by SSH and another by
    /// HTTPS, and a password belongs to nobody else.
    static func shared(_ address: String) -> String? {
        guard let (host, path) = parts(address) else { return nil }
        let names = path.split(separator: "/").map(String.init)
        guard !host.isEmpty, var last = names.last else { return nil }
        if last.hasSuffix(".git"), last != ".git" { last.removeLast(4) }
        let whole = ([host.lowercased()] + names.dropLast() + [last]).joined(separator: "/")
        let isPlain = whole.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f }
        return isPlain && whole.utf8.count <= most ? whole : nil
    }

    /// Splits an address of the form `SCHEME://HOST/PATH` or `HOST:PATH`.
    private static func parts(_ address: String) -> (host: String, path: String)? {
        let text = address.utf8
        if let mark = address.firstRange(of: "://") {
            let scheme = address[..<mark.lowerBound]
            guard scheme != "file", !scheme.contains("::") else { return nil }
            let rest = address[mark.upperBound...]
            guard let slash = rest.firstIndex(of: "/") else { return nil }
            let host = withoutUser(rest[..<slash])
            return (withoutPort(host), String(rest[slash...]))
        }
        // A colon behind a slash belongs to a path of this machine, as git reads it.
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
            !address[..<colon].contains("/"), address.index(after: colon) < address.endIndex
        else { return nil }
        return (String(withoutUser(address[..<colon])), String(address[address.index(after: colon)...]))
    }

    private static func withoutUser(_ host: Substring) -> Substring {
        host.lastIndex(of: "@").map { host[host.index(after: $0)...] } ?? host
    }

    private static func withoutPort(_ host: Substring) -> String {
        // The colons of an address of IP version 6 stand in brackets.
        let end = host.lastIndex(of: "]") ?? host.startIndex
        guard let colon = host[end...].lastIndex(of: ":") else { return String(host) }
        return String(host[..<colon])
    }
}
