import Support
import Testing

/// Strangers that connect and do not use TLS.
@Suite struct `Strangers that speak no TLS` {
    @Test(arguments: [
        Array("GET / HTTP/1.1\r\nHost: laptop\r\n\r\n".utf8), [UInt8](repeating: 0, count: 70_000),
        (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) },
        [0x16, 0x03, 0x01, 0xff, 0xff] + [UInt8](repeating: 1, count: 40_000),
    ])
    func `that send no TLS are disconnected without an answer`(bytes: [UInt8]) throws {
        let laptop = try Account("laptop")[0]
        let connection = try RawConnection(port: laptop.port)
        connection.write(bytes)
        let answer = try #require(connection.readToEnd(), "the node ends the connection")
        #expect(answer == [], "not even an alert comes back")
        try eventually("a refusal in the log") { laptop.log.contains("was refused: ") }
        try laptop.must("list")
    }

    @Test func `that close their connections early do no harm`() throws {
        let account = try Account("laptop", "desktop")
        for _ in 0..<200 {
            let connection = try RawConnection(port: account[0].port)
            connection.write([0x16, 0x03, 0x01])
        }
        // The log does not mention strangers beyond the limit.
        try eventually("refusals in the log") { account[0].log.contains("was refused: ") }
        try account[0].must("start", "x", "--title", "still here")
        try account[1].waitForActivity(titled: "still here")
    }
}
