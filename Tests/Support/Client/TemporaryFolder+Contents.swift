import Foundation
package import Support

extension TemporaryFolder {
    /// Creates a folder in it, and its parents, for this user alone.
    package func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path + "/" + name, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    /// Makes it look like a home with an account, as far as a command can see.
    package func makeIdentity(of account: String = "default") throws {
        try makeFolder("accounts/\(account)/identity")
        try File.write("", to: "\(path)/accounts/\(account)/identity/device.pem")
    }

    /// Writes an executable file.
    package func makeProgram(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        try File.writeProgram(text, to: file)
        return file
    }
}
