import Foundation
import Support

/// Two brokers of others that pass on what an app of the one says to an app of the other, over TLS with certificates on
/// both sides.
protocol Rival: AnyObject {
    /// The program, and the Debian package that brings it.
    static var program: String { get }
    /// The word by which the program tells its version.
    static var versionWord: String { get }
    /// The messages of the two apps.
    static var script: AppScript { get }

    /// Where apps connect.
    var near: String { get }
    var far: String { get }

    /// Starts both.
    init(in folder: TemporaryFolder) throws
}

extension Rival {
    /// Returns the program's name and version, or nil if it is not installed.
    static func version(in folder: TemporaryFolder) throws -> String? {
        guard let process = try? RivalProgram.start([program, versionWord], in: folder) else { return nil }
        try process.wait()
        let line = process.output.split(separator: "\n").first.map(String.init) ?? ""
        guard let number = line.split(separator: " ").last else { return nil }
        return "\(program) \(number)"
    }

    func apps(rounds: Int, in folder: TemporaryFolder) throws -> AppPair {
        try AppPair(Self.script, telling: near, hearing: far, rounds: rounds, between: self, in: folder)
    }
}
