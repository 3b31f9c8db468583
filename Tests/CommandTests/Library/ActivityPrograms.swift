import Support
import Testing

extension Machine {
    /// Starts the program of the tests that uses activities, as an app, and waits until it takes lines.
    func program(
        _ app: String = "org.example.program", way: String = "runloop", variables: [String: String] = [:]
    ) throws -> ChildProcess {
        self.variables.merge(["BATON_APP": app].merging(variables) { $1 }) { $1 }
        let program = try begin([Products.folder + "/ActivityProgram", way], hasInput: true)
        try program.hear("ready")
        return program
    }
}

extension ChildProcess {
    /// Types lines, and waits until the program has done what each says.
    func take(_ lines: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        for line in lines {
            let before = count(of: "done \(line)")
            write(Array((line + "\n").utf8))
            try eventually("“\(line)” done: \(output)\(errors)") { count(of: "done \(line)") > before }
        }
    }

    private func count(of line: String) -> Int {
        output.split(separator: "\n").count { $0 == line }
    }

    /// Waits until the program has printed a line that begins so, and returns it.
    @discardableResult func hear(_ beginning: String) throws -> String {
        try eventual(
            "a line “\(beginning)…”: \(output)\(errors)",
            attempt: { output.split(separator: "\n").last { $0.hasPrefix(beginning) }.map(String.init) })
    }

    /// The number of printed lines that begin so.
    func count(beginning: String) -> Int {
        output.split(separator: "\n").count { $0.hasPrefix(beginning) }
    }
}
