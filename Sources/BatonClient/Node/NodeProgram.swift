package import BatonCore
@preconcurrency import Glibc

/// The node's executable, which does what the command itself can't: keys, certificates, and being a node.
package struct NodeProgram: Equatable, Sendable {
    package let path: String

    /// An executable at a path.
    package init(path: String) { self.path = path }

    /// The executable beside this one, else in `../libexec/baton`, else where the shell would find it.
    package static func find() throws(LocalFailure) -> NodeProgram {
        let folders = ownFolder.map { [$0, $0 + "/../libexec/baton"] } ?? []
        let searched = Environment.variable("PATH")?.split(separator: ":").map(String.init) ?? []
        for folder in folders + searched where access(folder + "/" + name, X_OK) == 0 {
            return NodeProgram(path: folder + "/" + name)
        }
        throw LocalFailure(
            .failed,
            "The program \(name) is neither beside this one nor on PATH.\nInstall Baton anew, or build all of it."
        )
    }

    /// Becomes the node: this process goes on as that program.
    package func replaceThisProcess(_ arguments: [String]) throws(LocalFailure) -> Never {
        let number = Self.withStrings([path] + arguments) { strings in
            execv(path, strings)
            return errno
        }
        throw cannotStart(number)
    }

    /// Runs the program, and reads the one answer that it writes to its standard output.
    package func answer(_ arguments: [String]) throws(LocalFailure) -> LocalAnswer {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw cannotStart(errno) }
        let process: pid_t
        do throws(LocalFailure) {
            process = try spawn(arguments, output: ends[1], reading: ends[0])
        } catch {
            close(ends[0])
            close(ends[1])
            throw error
        }
        close(ends[1])
        let written = Self.read(ends[0])
        close(ends[0])
        let answer = try Self.answer(in: written, ending: ending(of: process))
        if case .failure(let failure) = answer { throw failure }
        return answer
    }

    /// Starts the program with a pipe as its standard output.
    private func spawn(_ arguments: [String], output: Int32, reading: Int32) throws(LocalFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&actions, output)
        posix_spawn_file_actions_addclose(&actions, reading)
        var process = pid_t()
        let number = Self.withStrings([path] + arguments) { strings in
            posix_spawn(&process, path, &actions, nil, strings, environ)
        }
        guard number == 0 else { throw cannotStart(number) }
        return process
    }

    /// Waits until the program has ended, and says how it did.
    private func ending(of process: pid_t) -> String {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return "its end was not told (\(SystemText.of(errno)))" }
        }
        let signal = status & 0x7f
        return signal == 0 ? "it ended with status \(status >> 8 & 0xff)" : "signal \(signal) ended it"
    }

    private func cannotStart(_ number: Int32) -> LocalFailure {
        LocalFailure(.failed, "\(path) can't be started: \(SystemText.of(number)).")
    }

    private static let name = "baton-node"
}

extension NodeProgram {
    /// Everything that the other end of a pipe writes, up to somewhat more than one answer can have.
    private static func read(_ descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 2 * Limits.frameBytes {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer.prefix(count)
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        return bytes
    }

    /// The answer in what a program wrote, whose ending says more where there is none.
    static func answer(in bytes: [UInt8], ending: String) throws(LocalFailure) -> LocalAnswer {
        do throws(CloseReason) {
            var decoder = FrameDecoder()
            decoder.feed(bytes)
            if let frame = try decoder.next() { return try LocalAnswer.read(frame).answer }
        } catch {
            throw LocalFailure(.failed, "\(name) gave an answer that makes no sense: \(error); \(ending).")
        }
        throw LocalFailure(.failed, "\(name) gave no answer: \(ending).")
    }

    /// The folder of the program that runs here.
    private static var ownFolder: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    /// Lends strings in the form that C wants, with nothing behind the last one.
    private static func withStrings<Value>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
    ) -> Value {
        var copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return body(&copies)
    }
}
