import BatonClient
import BatonCore
import Glibc

/// The lines that an editor's plugin gets.
package enum EditorEvent {
    /// The variable by which an editor that is started for a file gets the other open files and the changes.
    static let openingVariable = "BATON_OPENING"
    /// The longest value of that variable; the system accepts somewhat more.
    private static let variableBytes = 100 << 10

    /// Asks whether the editor can open something now.
    static func ask(_ number: UInt64) -> JSON {
        .event("ask", .init("number", .integer(Int64(clamping: number))))
    }

    /// Asks for the present state, because another machine continues the activity.
    static func save(_ number: UInt64) -> JSON {
        .event("save", .init("number", .integer(Int64(clamping: number))))
    }

    /// Has the editor open files; the line says where they come from.
    static func open(_ opening: FileOpening, _ line: VisibleText) -> JSON {
        .event("open", members: [.init("text", .string(line.text))] + opening.members)
    }

    /// A sentence for the person.
    static func tell(_ text: VisibleText) -> JSON { .event("tell", .init("text", .string(text.text))) }

    /// The text of a file with the changes of another machine.
    static func applied(_ path: String, _ text: String) -> JSON {
        .event("applied", .init("file", .string(path)), .init("text", .string(text)))
    }

    /// Passes the other open files, and the changes, to an editor that replaces this process.
    package static func passOn(_ opening: FileOpening) {
        var opening = opening
        let process = JSON.Member("process", .integer(Int64(getpid())))
        var text = JSON.object([process] + opening.members).text
        if text.utf8.count > variableBytes {
            opening.changes = []
            text = JSON.object([process] + opening.members).text
        }
        if text.utf8.count <= variableBytes { Environment.set(openingVariable, text) }
    }
}

extension FileOpening {
    fileprivate var members: [JSON.Member] {
        [
            .init("file", .string(path)), .init("line", line.map { .integer($0) } ?? .null),
            .init("column", column.map { .integer($0) } ?? .null),
            .init("others", .array(others.map { .string($0) })),
            .init(
                "changes",
                .array(
                    changes.map {
                        .object([.init("file", .string($0.path)), .init("diff", .string($0.diff))])
                    })),
            .init("notes", .array(notes.map { .string($0.text) })),
        ]
    }
}
