import Foundation
import Support

/// Starts programs of other projects.
enum RivalProgram {
    static func start(_ words: [String], in folder: TemporaryFolder) throws -> ChildProcess {
        var words = words
        // Debian installs daemons here, which is not on the path of an ordinary user.
        let place = "/usr/sbin/" + words[0]
        if FileManager.default.isExecutableFile(atPath: place) { words[0] = place }
        return try ChildProcess(
            words, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder.path],
            files: folder.path + "/\(UUID().uuidString)")
    }

    /// Two certificates of an authority made for them, as `one` and `two`, with keys of the kind that our nodes have.
    static func makeCertificates(in path: String, _ folder: TemporaryFolder) throws {
        let request = "openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        let script = """
            set -e
            cd '\(path)'
            echo 'subjectAltName = IP:127.0.0.1' >names
            \(request) -x509 -days 2 -subj /CN=authority -keyout authority.key -out authority.pem
            for name in one two; do
                \(request) -subj /CN=$name -keyout $name.key -out $name.request
                openssl x509 -req -in $name.request -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \
                    -extfile names -out $name.pem
            done
            """
        let process = try start(["sh", "-c", script], in: folder)
        guard try process.wait() == 0 else { throw BenchmarkFailure("openssl: \(process.errors)") }
    }

    /// A port that nobody has at this moment.
    static func freePort() throws -> Int { Int(try Listening().port) }
}
