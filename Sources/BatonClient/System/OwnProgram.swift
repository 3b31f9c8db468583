package import BatonNetwork
import Glibc

/// The program that this process runs.
package enum OwnProgram {
    /// The path of the executable, without symbolic links; nil if the system does not tell it.
    package static var path: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The executable file, by whose path others can start this program; nil if there is none.
    ///
    /// There is none if the file was removed or replaced since this process began. There is none either if another
    /// program has loaded this one, as `ld.so PROGRAM` does: the executable is the other program then.
    package static var file: ProgramFile? {
        guard let path, ProgramImage.path == path,
            let file = ProgramFile(at: path), let running = ProgramFile(at: "/proc/self/exe"),
            file.state == running.state
        else { return nil }
        return file
    }
}
