/// What the kernel says about a process in `/proc/PID/stat`.
struct ProcessStatus: Equatable, Sendable {
    /// One letter: `Z` and `X` are processes that have ended.
    let state: Character
    /// The process that started it, or took it over.
    let parent: Int32
    /// When it was started, in ticks since the machine was.
    let startTicks: UInt64

    /// Reads the line, or nothing if it is none.
    ///
    /// The second field is the name of the command in parentheses. It may hold anything, parentheses, spaces and
    /// line ends too, so the fields are counted from the last parenthesis on, as no later field can have one.
    init?(parsing line: [UInt8]) {
        guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let rest = String(decoding: line[(end + 1)...], as: UTF8.self)
        let fields = rest.split(whereSeparator: \.isWhitespace)
        // In the manual's count the state is field 3, the parent 4 and the start 22.
        guard fields.count > 19, let state = fields[0].first, fields[0].count == 1,
            let parent = Int32(fields[1]), let startTicks = UInt64(fields[19])
        else { return nil }
        (self.state, self.parent, self.startTicks) = (state, parent, startTicks)
    }

    /// Asks the kernel; nothing if there is no such process.
    static func read(_ processID: Int32) throws(NetworkError) -> ProcessStatus? {
        let path = "/proc/\(processID)/stat"
        do throws(NetworkError) {
            let line = try FileDescriptor.contents(of: path, limit: 4096)
            guard let status = ProcessStatus(parsing: line) else {
                throw NetworkError(.malformed, operation: "read \(path)", reason: "it has another form")
            }
            return status
        } catch  where error.code == .notFound {
            return nil
        }
    }

    /// True if the process has not ended; one whose end nobody has asked for yet has.
    var isAlive: Bool { state != "Z" && state != "X" }
}
