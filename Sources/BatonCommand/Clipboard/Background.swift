import BatonClient
package import BatonCore
import BatonNetwork
@preconcurrency import Glibc

/// Starts a process that continues in the background after the command has ended.
///
/// The process keeps the command's terminal, folder and output until its work has begun. Then it gives up all of them.
package enum Background {
    /// The descriptor on which the process tells the command that its work has begun.
    private static let told: Int32 = 3

    /// Starts this program again, with the given arguments.
    ///
    /// Returns 0 as soon as the work of the new process has begun. If the new process ends before that, returns its
    /// exit status.
    package static func start(_ arguments: [String]) throws(LocalFailure) -> Int32 {
        guard let program = OwnProgram.path else {
            throw LocalFailure(.failed, "The path of this command can't be read from /proc/self/exe.")
        }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw cannotStart(program, errno) }
        defer { close(ends[0]) }
        // The child gets a copy of the descriptor as number `told`. So this descriptor needs a higher number. It is
        // closed when the child starts.
        let writing = fcntl(ends[1], F_DUPFD_CLOEXEC, told + 1)
        let number = errno
        close(ends[1])
        guard writing >= 0 else { throw cannotStart(program, number) }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        let process: pid_t
        do throws(LocalFailure) {
            process = try spawn(program, arguments, telling: writing)
            close(writing)
        } catch {
            close(writing)
            throw error
        }
        var byte: UInt8 = 0
        while true {
            let count = read(ends[0], &byte, 1)
            if count == 1 { return 0 }
            if count == 0 || errno != EINTR { break }
        }
        guard let status = EndedProgram.status(of: process) else { throw cannotStart(program, errno) }
        return status
    }

    private static func spawn(
        _ program: String, _ arguments: [String], telling descriptor: Int32
    ) throws(LocalFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, descriptor, told)
        var copies = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var process = pid_t()
        let number = posix_spawn(&process, program, &actions, nil, &copies, environ)
        guard number == 0 else { throw cannotStart(program, number) }
        return process
    }

    private static func cannotStart(_ program: String, _ number: Int32) -> LocalFailure {
        LocalFailure(.failed, "\(program) can't be started: \(SystemText.of(number)).")
    }

    /// Closes the descriptors that this process has inherited and does not need.
    ///
    /// Otherwise, pipes of the person's shell would stay open. Throws if no command waits for this process.
    package static func closeInherited() throws(LocalFailure) {
        for name in FolderContents.names(in: "/proc/self/fd") {
            if let number = Int32(name), number > told { close(number) }
        }
        guard fcntl(told, F_SETFD, FD_CLOEXEC) == 0 else {
            throw LocalFailure(.usage, "--hold is for a process that `baton copy` starts. Leave it out.")
        }
        // After a crash, the system must not write the memory of this process to the disk.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    /// Leaves the terminal and the folder, and tells the waiting command that the work has begun.
    package static func begin() {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC | O_NOCTTY)
        if nothing >= 0 {
            for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { dup2(nothing, descriptor) }
            close(nothing)
        }
        _ = setsid()
        _ = chdir("/")
        var byte: UInt8 = 1
        // If the command has already ended, `write` must return an error instead of raising a signal.
        signal(SIGPIPE, SIG_IGN)
        _ = write(told, &byte, 1)
        close(told)
    }
}
