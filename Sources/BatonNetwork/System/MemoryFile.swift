import CLinux
import Glibc

/// A file that exists only in memory, until no process has it open any more.
///
/// Other processes of this user can open the file through the number of its descriptor in `/proc`.
package struct MemoryFile: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Creates an empty file; the system shows the name in lists of the files that the process has open.
    package init(name: String) throws(NetworkError) {
        file = FileDescriptor(
            owning: try SystemCall.run("make a file in memory") { unsafe CLinux_memory_file(name) })
    }

    /// The descriptor; it belongs to this value.
    package var descriptor: Int32 { file.number }

    /// Writes bytes at the end of the file.
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

    /// Reads up to `most` bytes at an offset; returns an empty array at the end of the file.
    package func read(_ most: Int, at place: Int) throws(NetworkError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let number = file.number
        let count = try SystemCall.run("read a file in memory") {
            unsafe pread(number, &bytes, most, off_t(place))
        }
        return Array(bytes.prefix(count))
    }
}
