import Glibc

/// A system call's answer: a result, or an error that names the file.
enum FileSystemCall {
    /// Makes a call that answers a negative number for failure; one that was interrupted is made again.
    @discardableResult static func check<Answer: SignedInteger>(
        _ purpose: String, _ path: String, _ call: () -> Answer
    ) throws(SecurityError) -> Answer {
        while true {
            let answer = call()
            if answer >= 0 { return answer }
            let number = errno
            if number == EINTR { continue }
            throw SecurityError(.file, "Could not \(purpose) \(path): \(text(of: number)).")
        }
    }

    /// What the system calls an error.
    static func text(of number: CInt) -> String { unsafe String(cString: strerror(number)) }

    /// A path as one word for a shell, for commands that a person is to type.
    static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        }
        guard !isPlain || path.isEmpty else { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
