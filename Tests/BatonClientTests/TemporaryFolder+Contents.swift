import Foundation
import Support

extension TemporaryFolder {
    /// Makes a folder in it, and those above.
    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path + "/" + name, withIntermediateDirectories: true)
    }

    /// Writes a file that can be run.
    func makeProgram(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        try File.write(text, to: file)
        guard chmod(file, 0o700) == 0 else { throw SystemError("let \(file) be run") }
        return file
    }
}
