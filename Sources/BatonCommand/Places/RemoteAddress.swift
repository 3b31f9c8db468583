/// Converts the address of a repository's remote to a form that is the same for all clones.
enum RemoteAddress {
    /// The maximum length of an address in bytes.
    private static let most = 300

    /// Returns `host/path` for an address that git accepts, or nil if the address is a path of this machine.
    ///
    /// The scheme, the user, the password, the port and `.git` are left out. One machine may fetch over SSH and another
    /// over HTTPS. Other machines must not learn the password.
    static func shared(_ address: String) -> String? {
        guard let (host, path) = parts(address) else { return nil }
        let names = path.split(separator: "/").map(String.init)
        guard !host.isEmpty, var last = names.last else { return nil }
        if last.hasSuffix(".git"), last != ".git" { last.removeLast(4) }
        let whole = ([host.lowercased()] + names.dropLast() + [last]).joined(separator: "/")
        let isPlain = whole.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f }
        return isPlain && whole.utf8.count <= most ? whole : nil
    }

    /// Splits an address that is written `SCHEME://HOST/PATH` or `HOST:PATH`; returns nil for any other text.
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
        // If there is a slash before the colon, the text is a path of this machine. Git reads it in the same way.
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
            !address[..<colon].contains("/"), address.index(after: colon) < address.endIndex
        else { return nil }
        return (String(withoutUser(address[..<colon])), String(address[address.index(after: colon)...]))
    }

    private static func withoutUser(_ host: Substring) -> Substring {
        host.lastIndex(of: "@").map { host[host.index(after: $0)...] } ?? host
    }

    private static func withoutPort(_ host: Substring) -> String {
        // The colons of an IPv6 address are between brackets, so the port can only follow the bracket.
        let end = host.lastIndex(of: "]") ?? host.startIndex
        guard let colon = host[end...].lastIndex(of: ":") else { return String(host) }
        return String(host[..<colon])
    }
}
