import BatonClient
import BatonCommand
import BatonCore
import Foundation
import Support
import Testing

/// Addresses with secrets: the host and the extension cut off the same.
@Suite struct `Addresses with secrets` {
    /// Addresses, and what may be told of them; nil for nothing.
    static let addresses: [(String, String?)] = [
        ("https://a.b/", "https://a.b/"), ("https://a.b", "https://a.b"),
        ("https://a.b/c?q=swift&page=2#part", "https://a.b/c?q=swift&page=2#part"),
        ("https://a.b/c?author=me&sort=asc&codec=x", "https://a.b/c?author=me&sort=asc&codec=x"),
        ("https://a.b/c#:~:text=code%20and%20key", "https://a.b/c#:~:text=code%20and%20key"),
        ("https://a.b/c?code=", "https://a.b/c?code="),
        ("https://a.b/cb?code=4/0A&state=x", "https://a.b/cb"),
        ("https://a.blob.example/c?sv=1&se=2026-11-28&sig=abc%3D", "https://a.blob.example/c"),
        ("https://s3.example/f?X-Amz-Signature=1f&X-Amz-Expires=60", "https://s3.example/f"),
        ("https://s3.example/f?x%2Damz%2Dcredential=1f", "https://s3.example/f"),
        ("https://cdn.example/f?Policy=e&Signature=s&Key-Pair-Id=K", "https://cdn.example/f"),
        ("https://maps.example/api?key=AIzaX", "https://maps.example/api"),
        ("https://a.b/c#access_token=abc&token_type=bearer", "https://a.b/c"),
        ("https://a.b/c#/route?session=1", "https://a.b/c"), ("https://a.b/c?auth=1", "https://a.b/c"),
        ("https://a.b/c?user[password]=1", "https://a.b/c"), ("https://a.b/c?%63ode=1", "https://a.b/c"),
        ("https://a.b/c?next=https%3A%2F%2Fd.e%2F%3Fclient_secret%3D1", "https://a.b/c"),
        ("https://a.b/c?next=https%253A%252F%252Fd.e%252F%253Fsig%253D1", "https://a.b/c"),
        ("https://a.b/c?x=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.sig", "https://a.b/c"),
        ("https://a.b/c?x=ghp_0123456789abcdef0123456789", "https://a.b/c"),
        ("https://a.b/c?x=%252525252525", "https://a.b/c"), ("https://a.b/c?é=ü&Token=1", "https://a.b/c"),
        ("https://a.b/c;jsessionid=1", nil), ("https://a.b/reset/eyJhbGciOiJIUzI1NiJ9.eyJz.x", nil),
        ("https://a.b/token=1/x", nil),
    ]

    @Test(arguments: addresses)
    func `if an address's query contains a secret, the host reports the address without the query`(
        address: String, told: String?
    )
        throws
    {
        #expect(AddressSecrets.told(address) == told)
        // A message of the extension tells no more, whatever version it is of.
        let page = #"{"url":\#(JSON.string(address).text)}"#
        for message in [
            #"{"become":\#(page)}"#, #"{"update":\#(page)}"#,
            #"{"become":\#(page),"instance":"sent-1","lasting":true}"#,
        ] {
            let json = try JSON(reading: Array(message.utf8))
            guard let told else {
                #expect(throws: JSONError.self) { try BrowserGate().admit(json) }
                continue
            }
            let command = try BrowserGate().admit(json)
            #expect((command["become"] ?? command["update"])?["url"] == .string(told))
        }
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/node"), "node is not on this machine"))
    func `the extension's script removes the same secrets as the host`() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let module = try Data(contentsOf: root.appending(path: "Browser/secrets.js")).base64EncodedString()
        let list = JSON.array(Self.addresses.map { .string($0.0) }).text
        let script =
            "const { told } = await import('data:text/javascript;base64,\(module)');"
            + "console.log(JSON.stringify(\(list).map(told)));"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/node")
        process.arguments = ["--input-type=module", "-e", script]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let told = try JSON(reading: Array(output))
        #expect(told == .array(Self.addresses.map { $0.1.map { .string($0) } ?? .null }))
    }
}
