import Foundation
import Support

/// One end of what is measured, in a process of its own.
///
/// It is the bare C program, which does it with OpenSSL alone, or this one, which does it with what a node is made of.
/// Both take the same words and tell the same numbers.
final class TransportProgram {
    enum Kind { case bare, ours }

    private let process: ChildProcess
    private var linesRead = 0

    init(_ kind: Kind, _ words: [String], in folder: TemporaryFolder) throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let bare = (own as NSString).deletingLastPathComponent + "/BareTLS"
        process = try ChildProcess(
            (kind == .bare ? [bare] : [own, TransportSide.word]) + words, environment: [:],
            files: folder.path + "/\(UUID().uuidString)", hasInput: true)
    }

    /// The numbers on the next line that it writes.
    func numbers(within time: Duration = .seconds(120)) throws -> [Double] {
        let line = try eventual("a line of the bare program", within: time) {
            () -> Substring? in
            let lines = process.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            guard lines.count > linesRead else {
                guard process.isRunning else { throw BenchmarkFailure("\(process.errors)") }
                return nil
            }
            return lines[linesRead]
        }
        linesRead += 1
        return line.split(separator: " ").compactMap { Double($0) }
    }

    func number() throws -> Double {
        guard let number = try numbers().first else { throw BenchmarkFailure("no number was told") }
        return number
    }

    /// Has it go on.
    func poke() { process.write([10]) }

    /// The output on its standard error.
    var errors: String { process.errors }

    /// Its resident memory in bytes.
    var memory: Double { residentMemory(process.number) }

    func end() { process.end(SIGKILL) }
}

/// How many bytes of memory a process has.
func residentMemory(_ process: pid_t) -> Double {
    let status = File.read("/proc/\(process)/status") ?? ""
    let row = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return 1024 * (Double((row ?? "").filter(\.isNumber)) ?? .nan)
}
