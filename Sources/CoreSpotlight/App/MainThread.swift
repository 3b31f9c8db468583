import Glibc

/// The main thread of this process, as the system reports it.
enum MainThread {
    /// The place in the kernel where the main thread is waiting.
    struct Stand: Equatable, Sendable {
        /// The number of the system call, its arguments, and the stack and instruction pointers of the thread.
        let text: String
        /// Whether the thread is reading standard input.
        let isReadingInput: Bool
    }

    /// The place where the main thread is waiting now; nil if it is busy, has ended, or can't be observed.
    ///
    /// In a program that has called `dispatchMain()`, the main thread only waits for signals, and other threads serve
    /// the main queue. So this also gives nil.
    static var stand: Stand? {
        guard state == "S", let text = read("syscall") else { return nil }
        let words = text.split(separator: " ")
        guard words.count > 2, words[0] != "running", words[0] != "-1", words[0] != suspendNumber else {
            return nil
        }
        return Stand(text: text, isReadingInput: words[0] == readNumber && words[1] == "0x0")
    }

    /// The letter for the thread's state; `S` means that it waits for something that may take any time.
    private static var state: Character? {
        // The state follows the name of the program. The name is in parentheses, and may contain any characters.
        read("stat")?.split(separator: ")").last?.first { $0 != " " }
    }

    /// The numbers of the system calls `read` and `rt_sigsuspend`.
    #if arch(x86_64)
        private static let (readNumber, suspendNumber): (Substring, Substring) = ("0", "130")
    #else
        private static let (readNumber, suspendNumber): (Substring, Substring) = ("63", "133")
    #endif

    /// Returns the text of a file in the thread's folder below `/proc`.
    private static func read(_ name: String) -> String? {
        let process = getpid()
        let file = open("/proc/self/task/\(process)/\(name)", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = Glibc.read(file, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }
}
