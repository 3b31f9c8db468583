import Foundation
import Support

/// Two servers of NATS, of which the one is a leaf of the other.
///
/// They neither acknowledge nor store the messages that they forward, and apps reach them over TCP only.
final class LeafNodes: Rival {
    static let program = "nats-server"
    static let versionWord = "--version"

    let near, far: String
    private let servers: [ChildProcess]

    init(in folder: TemporaryFolder) throws {
        let path = folder.path + "/nats"
        try makeFolder(path)
        try RivalProgram.makeCertificates(in: path, folder)
        (near, far) = ("\(try RivalProgram.freePort())", "\(try RivalProgram.freePort())")
        let port = try RivalProgram.freePort()
        let files = { (name: String) in
            """
            cert_file: "\(path)/\(name).pem", key_file: "\(path)/\(name).key", ca_file: "\(path)/authority.pem"
            """
        }
        try File.write(
            """
            listen: "127.0.0.1:\(far)"
            leafnodes { listen: "127.0.0.1:\(port)", tls { \(files("one")), verify: true } }

            """, to: path + "/far.conf")
        try File.write(
            """
            listen: "127.0.0.1:\(near)"
            leafnodes { remotes: [ { url: "tls://127.0.0.1:\(port)", tls { \(files("two")) } } ] }

            """, to: path + "/near.conf")
        servers = try ["far", "near"].map { name in
            let server = try RivalProgram.start(["nats-server", "-c", "\(path)/\(name).conf"], in: folder)
            try eventually("a server of NATS") {
                guard server.isRunning else { throw BenchmarkFailure("nats-server: \(server.errors)") }
                return server.errors.contains("Server is ready")
            }
            return server
        }
    }

    // MARK: Messages of apps

    static let script = AppScript(
        opening: line(#"CONNECT {"verbose":false,"pedantic":false,"name":"teller"}"#),
        change: { line("PUB \(subject) \(AppScript.changeBytes)") + AppScript.bare($0) + line("") },
        listening: line(#"CONNECT {"verbose":false,"pedantic":false,"name":"hearer"}"#)
            + line("SUB \(subject) 1"), how: "nats")

    private static let subject = "one.editor.window"

    private static func line(_ text: String) -> [UInt8] { Array((text + "\r\n").utf8) }
}
