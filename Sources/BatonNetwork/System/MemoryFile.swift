import CLinux
import Glibc

/// A file that exists in memory only, until the last process that has it open ends.
///
/// Other processes of this user can open it by the number of the descriptor, below `/proc`.
package struct MemoryFile: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Makes an empty file; the name is shown where the system lists the files of the process.
    package init(name: String) throws(NetworkError) {
        file = FileDescriptor(
            owning: try SystemCall.run("make a file in memory") { unsafe CLinux_memory_file(name) })
    }

    /// The descriptor, which belongs to this value.
    package var descriptor: Int32 { file.number }

    /// Writes bytes at the end.
    package func append(_ bytes: ArraySlice<UInt8>) throws(NetworkError) {
        let number = file.number
        var rest = bytes
        while !rest.isEmpty {
            let count = try SystemCall.run("write to a file in memory") {
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads up to `most` bytes at a place; none at the end.
    package func read(_ most: Int, at place: Int) throws(NetworkError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let number = file.number
        let count = try SystemCall.run("read a file in memory") {
            unsafe pread(number, &bytes, most, off_t(place))
        }
        return Array(bytes.prefix(count))
    }
}
