import BatonClient
package import BatonCore
@preconcurrency import Glibc

/// The executable of the node.
///
/// It also does work for the command that needs keys and certificates.
package struct NodeProgram: Equatable, Sendable {
    package let path: String

    /// Uses the executable at a path.
    package init(path: String) { self.path = path }

    /// Finds the executable in the folder of this command, in `../libexec/baton` beside that folder, or in `PATH`.
    package static func find() throws(LocalFailure) -> NodeProgram {
        let folders = ownFolder.map { [$0, $0 + "/../libexec/baton"] } ?? []
        let searched = Environment.variable("PATH")?.split(separator: ":").map(String.init) ?? []
        for folder in folders + searched where access(folder + "/" + name, X_OK) == 0 {
            return NodeProgram(path: folder + "/" + name)
        }
        throw LocalFailure(
            .failed,
            "The program \(name) is neither in the folder of this command nor on PATH.\nReinstall Baton."
        )
    }

    /// Replaces this process with the node; returns only by throwing.
    package func replaceThisProcess(_ arguments: [String]) throws(LocalFailure) -> Never {
        let number = Self.withStrings([path] + arguments) { strings in
            execv(path, strings)
            return errno
        }
        throw cannotStart(number)
    }

    /// Runs the program and returns its reply; throws the failure if the program answers with one.
    package func reply<Reply: LocalReply>(
        to arguments: [String], _: Reply.Type = Reply.self, waited: ((Duration) -> Void)? = nil
    ) throws(LocalFailure) -> Reply {
        var conversation = try converse(arguments)
        conversation.waited = waited
        return try conversation.next(Reply.self)
    }

    /// Runs the program to join an account.
    ///
    /// The closure is called when it is known which machine has sent the invitation.
    package func join(
        _ arguments: [String], waited: ((Duration) -> Void)? = nil,
        greeted: (PairingNotice) throws(LocalFailure) -> Void
    ) throws(LocalFailure) -> AdmissionReply {
        var conversation = try converse(arguments)
        conversation.waited = waited
        while true {
            switch try conversation.next(JoinReply.self) {
            case .joining(let notice): try greeted(notice)
            case .admitted(let admission): return admission
            }
        }
    }

    /// Starts the program.
    ///
    /// The caller can send it lines, and read its answers.
    package func converse(_ arguments: [String]) throws(LocalFailure) -> NodeConversation {
        var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        // With a socket, writing to a program that has ended returns an error instead of raising a signal.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &input) == 0 else {
            throw cannotStart(errno)
        }
        guard pipe(&output) == 0 else {
            let number = errno
            input.forEach { close($0) }
            throw cannotStart(number)
        }
        output.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
        defer {
            close(input[0])
            close(output[1])
        }
        do throws(LocalFailure) {
            let process = try spawn(arguments, input: input[0], output: output[1])
            return NodeConversation(process: process, input: input[1], output: output[0])
        } catch {
            close(input[1])
            close(output[0])
            throw error
        }
    }

    /// Starts the program; the descriptors become its standard input and output.
    private func spawn(_ arguments: [String], input: Int32, output: Int32) throws(LocalFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var process = pid_t()
        let number = Self.withStrings([path] + arguments) { strings in
            posix_spawn(&process, path, &actions, nil, strings, environ)
        }
        guard number == 0 else { throw cannotStart(number) }
        return process
    }

    private func cannotStart(_ number: Int32) -> LocalFailure {
        LocalFailure(.failed, "\(path) can't be started: \(SystemText.of(number)).")
    }

    static let name = "baton-node"
}

extension NodeProgram {
    /// The folder that contains the executable of this process.
    private static var ownFolder: String? {
        OwnProgram.path.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
    }

    /// Passes strings to a closure as a null-terminated array of C strings.
    private static func withStrings<Value>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
    ) -> Value {
        var copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return body(&copies)
    }
}
