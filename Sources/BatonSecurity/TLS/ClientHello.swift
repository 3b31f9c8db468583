import COpenSSL

/// The parts of a client hello that a server needs to choose the account.
struct ClientHello {
    /// The server name, which is the hint; nil if the client sends no server name.
    let serverName: AccountHint?
    /// The names of the offered protocols, or nil if the client offers none.
    let protocols: [String]?

    /// The first ticket that the client offers, encrypted by the server; nil if the client offers none.
    let ticket: [UInt8]?

    /// Reads the hello in OpenSSL's client hello callback; a malformed extension counts as missing.
    @unsafe init(_ handle: OpaquePointer?) {
        let name = unsafe Self.field(CUnsignedInt(TLSEXT_TYPE_server_name), of: handle)
        serverName = name.flatMap(Self.readServerName)
        let offer = unsafe Self.field(
            CUnsignedInt(TLSEXT_TYPE_application_layer_protocol_negotiation), of: handle)
        protocols = offer.map(Self.readProtocols)
        let tickets = unsafe Self.field(CUnsignedInt(TLSEXT_TYPE_psk), of: handle)
        ticket = tickets.flatMap(Self.readTicket)
    }

    /// Returns the bytes of an extension; nil if the hello does not have it.
    @unsafe private static func field(_ kind: CUnsignedInt, of handle: OpaquePointer?) -> [UInt8]? {
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard unsafe SSL_client_hello_get0_ext(handle, kind, &start, &count) == 1 else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Reads the host name in the server name extension (RFC 6066), which must be the only one.
    private static func readServerName(_ bytes: [UInt8]) -> AccountHint? {
        guard bytes.count > 5, bytes[2] == UInt8(TLSEXT_NAMETYPE_host_name) else { return nil }
        let (listCount, nameCount) = (number(bytes[0...1]), number(bytes[3...4]))
        guard listCount == bytes.count - 2, nameCount == bytes.count - 5 else { return nil }
        return AccountHint(text: String(decoding: bytes[5...], as: UTF8.self))
    }

    /// Reads the list of protocol names (RFC 7301); empty if the list is malformed.
    private static func readProtocols(_ bytes: [UInt8]) -> [String] {
        guard bytes.count > 2, number(bytes[0...1]) == bytes.count - 2 else { return [] }
        var (names, rest): ([String], ArraySlice<UInt8>) = ([], bytes[2...])
        while let count = rest.popFirst() {
            guard rest.count >= Int(count) else { return [] }
            names.append(String(decoding: rest.prefix(Int(count)), as: UTF8.self))
            rest = rest.dropFirst(Int(count))
        }
        return names
    }

    /// Reads the first identity of the pre-shared key extension (RFC 8446, section 4.2.11), which is the ticket.
    private static func readTicket(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 4 else { return nil }
        let (listCount, count) = (number(bytes[0...1]), number(bytes[2...3]))
        guard count > 0, 2 + count <= listCount, 4 + count <= bytes.count else { return nil }
        return Array(bytes[4..<4 + count])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
