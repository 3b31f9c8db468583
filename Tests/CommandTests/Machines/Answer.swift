import Testing

/// The result of a command.
struct Answer: CustomStringConvertible {
    let words: [String]
    let status: Int32
    let output: String
    let errors: String

    /// The description in the message of a failed test.
    var description: String {
        "\(words.joined(separator: " ").prefix(400)) ended with \(status), printed:\n\(output.prefix(2000))"
            + "and said:\n\(errors.prefix(2000))"
    }

    /// The commands that the error advises: the text between backquotes that begins with `baton`.
    var advice: [String] {
        errors.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("baton ") }.map { String($0.element) }
    }
}

/// Expects an exit status, and advice that names an existing command.
func expect(
    _ answer: Answer, _ status: Int32, advice: String?...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(answer.status == status, "\(answer)", sourceLocation: sourceLocation)
    #expect(answer.errors.hasPrefix("baton: "), "\(answer)", sourceLocation: sourceLocation)
    #expect(answer.errors.split(separator: "\n").count <= 2, "\(answer)", sourceLocation: sourceLocation)
    for command in advice.compactMap(\.self) {
        #expect(answer.advice.contains(command), "\(answer)", sourceLocation: sourceLocation)
    }
}
