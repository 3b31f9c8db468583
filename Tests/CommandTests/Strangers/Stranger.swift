import Foundation
import Support
import Testing

/// A real TLS client that connects to a node: the `openssl` command, which shares only the library with our code.
struct Stranger {
    /// Its output, once it has ended.
    let output: String

    /// Whether the command is installed; without it these tests are skipped, and say so.
    static var isThere: Bool {
        ["/usr/bin/openssl", "/bin/openssl", "/usr/local/bin/openssl"].contains { File.read($0) != nil }
    }

    /// Connects with these options, sends what looks like the protocol, and stays until it is disconnected.
    ///
    /// Its standard input stays open, so that it does not leave by itself.
    init(at machine: Machine, options: [String]) throws {
        let client = try machine.begin(
            ["openssl", "s_client", "-connect", machine.address, "-no_ign_eof"] + options, hasInput: true)
        client.write([0, 0, 1, 0x01, 0xa0, 0x0a])
        try client.wait(within: .seconds(20))
        output = client.output + client.errors
    }

    /// Options for the protocol of the account's devices.
    static let device = ["-alpn", "baton/1"]

    /// Options with which a client names the account of an identity once, as the protocol's page specifies, made with the
    /// `openssl` command.
    static func hint(_ folder: String, daysFromNow days: Int = 0) throws -> [String] {
        let time = Int(Date().timeIntervalSince1970) + days * 86_400
        let files = try TemporaryFolder()
        let making = try ChildProcess(
            ["sh", script("account-hint"), folder + "/root.pem", "\(time)"],
            environment: ["PATH": "/usr/bin:/bin"], files: files.path + "/hint")
        try #require(try making.wait() == 0, "\(making.errors)")
        return ["-servername", making.output.trimmingCharacters(in: .whitespacesAndNewlines)]
    }

    private static func script(_ name: String) -> String {
        #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" } + "/Certs/" + name
    }

    /// Options for an identity in a folder.
    static func identity(_ folder: String) -> [String] {
        [
            "-cert", folder + "/device.pem", "-cert_chain", folder + "/device.pem", "-key",
            folder + "/device-key.pem",
            "-CAfile", folder + "/root.pem",
        ]
    }

    /// Creates an account that the node does not know, and returns a device's folder.
    static func otherAccount(in folder: TemporaryFolder) throws -> String {
        let making = try ChildProcess(
            ["sh", script("make-test-account"), folder.path + "/other", "owner", "laptop"],
            environment: ["PATH": "/usr/bin:/bin"],
            files: folder.path + "/making")
        try #require(try making.wait() == 0, "\(making.errors)")
        return folder.path + "/other/laptop"
    }
}
