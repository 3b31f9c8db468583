/// A host, given by name or address, and a port; a person writes it as `HOST:PORT`.
package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// A host name, or an address without brackets; empty for all addresses of this machine.
    package let host: String
    /// The TCP port.
    package let port: UInt16

    package init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// Reads `HOST:PORT`, `[ADDRESS]:PORT` or `:PORT`.
    package init(text: some StringProtocol) throws(NetworkError) {
        guard let colon = text.lastIndex(of: ":"),
            let port = Self.port(text[text.index(after: colon)...]),
            let host = Self.host(text[..<colon])
        else {
            throw NetworkError(
                .malformed, operation: "read the address \(String(text).debugDescription)",
                reason: "it is not HOST:PORT, [ADDRESS]:PORT or :PORT")
        }
        self.init(host: host, port: port)
    }

    /// Reads the forms of `init(text:)`, and also a host without a port: `HOST`, `[ADDRESS]` or `ADDRESS`.
    ///
    /// A host without a port gets the usual port.
    package init(text: some StringProtocol, usualPort: UInt16) throws(NetworkError) {
        let host = SocketAddress.Host(text: String(text))
        if let host, !host.isVersion4 {
            self.init(host: String(text), port: usualPort)
        } else if !text.isEmpty, let host = Self.host(text) {
            self.init(host: host, port: usualPort)
        } else {
            try self.init(text: text)
        }
    }

    /// The text in a form that `init(text:)` reads.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Reads a port, which must consist of digits only; `UInt16` would also accept a sign.
    private static func port(_ text: some StringProtocol) -> UInt16? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return UInt16(text)
    }

    /// Reads a host and removes its brackets; a host with colons must have brackets.
    ///
    /// Returns nil if the text contains characters that a host name can't contain.
    private static func host(_ text: some StringProtocol) -> String? {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return nil }
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = text.dropFirst().dropLast()
            return inner.contains(":") && !inner.contains("[") && !inner.contains("]") ? String(inner) : nil
        }
        return text.contains(":") || text.contains("[") || text.contains("]") ? nil : String(text)
    }
}
