import COpenSSL

/// What a client says first, as far as a server chooses its account by it.
struct ClientHello {
    /// The name of the server that it means, where it says one.
    let serverName: AccountHint?
    /// The names of the protocols that it offers; nothing if it offers none.
    let protocols: [String]?

    /// The first ticket that it goes on from, as the server sealed it; nothing if it offers none.
    let ticket: [UInt8]?

    /// Reads it in the callback that OpenSSL makes for that; what is malformed counts as not said.
    @unsafe init(_ handle: OpaquePointer?) {
        let name = unsafe Self.field(CUnsignedInt(TLSEXT_TYPE_server_name), of: handle)
        serverName = name.flatMap(Self.readServerName)
        let offer = unsafe Self.field(
            CUnsignedInt(TLSEXT_TYPE_application_layer_protocol_negotiation), of: handle)
        protocols = offer.map(Self.readProtocols)
        let tickets = unsafe Self.field(CUnsignedInt(TLSEXT_TYPE_psk), of: handle)
        ticket = tickets.flatMap(Self.readTicket)
    }

    /// An extension's bytes.
    @unsafe private static func field(_ kind: CUnsignedInt, of handle: OpaquePointer?) -> [UInt8]? {
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard unsafe SSL_client_hello_get0_ext(handle, kind, &start, &count) == 1 else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// One name of the kind of hosts' names, in a list of its own length (RFC 6066).
    private static func readServerName(_ bytes: [UInt8]) -> AccountHint? {
        guard bytes.count > 5, bytes[2] == UInt8(TLSEXT_NAMETYPE_host_name) else { return nil }
        let (listCount, nameCount) = (number(bytes[0...1]), number(bytes[3...4]))
        guard listCount == bytes.count - 2, nameCount == bytes.count - 5 else { return nil }
        return AccountHint(text: String(decoding: bytes[5...], as: UTF8.self))
    }

    /// Names, each after its length, in a list of its own length (RFC 7301).
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

    /// The first of the identities, which stand in a list of its own length (RFC 8446, 4.2.11).
    private static func readTicket(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 4 else { return nil }
        let (listCount, count) = (number(bytes[0...1]), number(bytes[2...3]))
        guard count > 0, 2 + count <= listCount, 4 + count <= bytes.count else { return nil }
        return Array(bytes[4..<4 + count])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
