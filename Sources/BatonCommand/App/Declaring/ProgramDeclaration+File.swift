import BatonClient
package import BatonCore
import Glibc

extension ProgramDeclaration {
    /// The most bytes of a file, which may have spaces that the declaration itself does not need.
    private static let fileBytes = 1 << 20

    /// Reads the declaration of an app from a file; `-` is the standard input.
    package init(file path: String, of app: String) throws(LocalFailure) {
        let name = path == "-" ? "The standard input" : VisibleText(path).text
        let bytes = try Self.bytes(of: path, name)
        do throws(TextError) {
            // Reads only for the place of an error, which a value without places does not have.
            _ = try JSONReader.json(bytes)
        } catch {
            throw LocalFailure(.usage, "\(name):\(error.place): \(VisibleText(error.text).text).")
        }
        do throws(JSONError) {
            try self.init(JSON(reading: bytes), of: app)
        } catch {
            throw LocalFailure(.usage, "\(name) can't be used: \(error.sentence)")
        }
    }

    private static func bytes(of path: String, _ name: String) throws(LocalFailure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw LocalFailure(.failed, "\(name) can't be opened: \(SystemText.of(errno)).")
        }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        do throws(SmallFile.Failure) {
            return try SmallFile.read(descriptor, most: fileBytes)
        } catch {
            switch error {
            case .refused(let number):
                throw LocalFailure(.failed, "\(name) can't be read: \(SystemText.of(number)).")
            case .tooLarge:
                throw LocalFailure(.tooLarge, "\(name) is larger than \(fileBytes >> 10) KiB, the limit.")
            }
        }
    }
}
