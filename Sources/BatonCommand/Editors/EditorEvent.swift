import BatonClient
import BatonCore
import Glibc

/// The lines of JSON that are sent to an editor's plugin.
package enum EditorEvent {
    /// The environment variable for an editor that is started to open a file.
    ///
    /// It contains the other files to open, and the changes.
    static let openingVariable = "BATON_OPENING"
    /// The maximum length of the variable's value in bytes.
    ///
    /// It is somewhat less than the system's maximum.
    private static let variableBytes = 100 << 10

    /// Asks the plugin whether the editor can open a file now.
    ///
    /// `number` is the number of the node's event.
    static func ask(_ number: UInt64) -> JSON {
        .event("ask", .init("number", .integer(Int64(clamping: number))))
    }

    /// Asks the plugin for the editor's present state, because another machine continues the activity.
    static func save(_ number: UInt64) -> JSON {
        .event("save", .init("number", .integer(Int64(clamping: number))))
    }

    /// Tells the plugin to open files.
    ///
    /// `line` says from where the activity is continued.
    static func open(_ opening: FileOpening, _ line: VisibleText) -> JSON {
        .event("open", members: [.init("text", .string(line.text))] + opening.members)
    }

    /// Tells the plugin to show a sentence to the person.
    static func tell(_ text: VisibleText) -> JSON { .event("tell", .init("text", .string(text.text))) }

    /// Sends the plugin the text that a file has with the changes of another machine.
    static func applied(_ path: String, _ text: String) -> JSON {
        .event("applied", .init("file", .string(path)), .init("text", .string(text)))
    }

    /// Sets the environment variable for an editor that replaces this process.
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
