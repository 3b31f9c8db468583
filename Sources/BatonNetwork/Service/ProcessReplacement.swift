import CLinux
import Glibc

/// Replaces this process by a new run of its own program, which keeps the process number and the listening sockets.
///
/// The kernel frees all memory of the old run, so no secret of it is left. The new run gets the sockets as a service
/// manager passes them (`PassedSockets`). Connections that arrive in between wait in the kernel.
package enum ProcessReplacement {
    /// Replaces this process; returns the error if that is not possible.
    ///
    /// The caller has ended all threads and closed everything else. The sockets get the names that `name` returns.
    package static func run(
        passing listeners: [Listener], manager: ServiceManager?, name: (Listener) -> String
    ) -> NetworkError {
        let first = PassedSockets.first
        do throws(NetworkError) {
            guard listeners.count <= Int(PassedSockets.most) else {
                throw NetworkError(
                    .malformed, operation: operation, reason: "there are \(listeners.count) listening sockets"
                )
            }
            // The numbers that the new run expects may be in use. So all sockets are first moved above them.
            var moved: [Int32] = []
            for listener in listeners {
                moved.append(try listener.duplicate(from: first + PassedSockets.most))
            }
            for (place, number) in moved.enumerated() {
                // The copy stays open when the program is executed; all other descriptors are closed.
                try SystemCall.run(operation) { dup2(number, first + Int32(place)) }
            }
            let program = try self.program
            let names = listeners.map(name).joined(separator: ":")
            unsafe setenv("LISTEN_PID", String(getpid()), 1)
            unsafe setenv("LISTEN_FDS", String(listeners.count), 1)
            unsafe setenv("LISTEN_FDNAMES", names, 1)
            manager?.putIntoEnvironment()
            let arguments = unsafe CommandLine.unsafeArgv
            return NetworkError(
                number: SystemCall.attempt { unsafe execv(program, arguments) }.error, operation: operation)
        } catch {
            return error
        }
    }

    /// The path of the program to execute.
    ///
    /// The kernel's own path stays valid if the file was replaced meanwhile. But if another program has loaded this one,
    /// it names that program.
    private static var program: String {
        get throws(NetworkError) {
            let own = "/proc/self/exe"
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = try SystemCall.run(operation) { unsafe readlink(own, &buffer, buffer.count) }
            let executable = String(
                decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard let image = ProgramImage.path, image != executable else { return own }
            return image
        }
    }

    private static let operation = "replace the process by a new one"
}
