import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal
import Glibc

/// Pastes content that was copied: prints it, saves it, or puts it into a clipboard.
struct Pasting {
    private let source: PasteSource
    private let summary: ActivitySummary
    private let call: Call

    /// Gets the content of a copy.
    ///
    /// `summary` is the activity of the copy.
    init(_ summary: ActivitySummary, _ call: Call) throws(LocalFailure) {
        source = try PasteSource(summary, in: try call.home())
        (self.summary, self.call) = (summary, call)
    }

    private var content: CopiedContent { source.content }
    private var device: VisibleText { summary.device.isHere ? "this machine" : "“\(summary.device.name)”" }

    // MARK: The usual place

    /// Writes text to the standard output, and saves files.
    ///
    /// An image is saved if the output is a terminal.
    func show(replacing replaces: Bool = false) throws(LocalFailure) {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        if case .files(let files) = content.kind {
            try save(files, replacing: replaces)
        } else if call.isJSON, content.isText {
            try printJSON([.init("text", .string(String(decoding: try source.bytes(), as: UTF8.self)))])
        } else if !content.isText, isTerminal || call.isJSON {
            try save([CopiedContent.File(name: content.fileName, size: content.size)], replacing: replaces)
        } else if isTerminal {
            // Another machine wrote the text. It could contain control sequences for the terminal.
            let text = String(decoding: try source.bytes(), as: UTF8.self)
            for line in CopiedContent.lines(text) { call.console.print(exactly: line) }
        } else {
            try write(to: "-", replacing: true)
        }
    }

    /// Saves files in the working folder.
    private func save(_ files: [CopiedContent.File], replacing replaces: Bool) throws(LocalFailure) {
        let names = SavedName.safe(files.map(\.name))
        if !replaces { for name in names { try NewFile.demandFree(name) } }
        for (file, name) in zip(files, names) {
            var saved = try NewFile(name)
            try source.copy(file.size) { (bytes) throws(LocalFailure) in try saved.write(bytes) }
            try saved.keep(replacing: replaces)
        }
        if call.isJSON {
            let list = zip(files, names).map { file, name in
                JSON.object([
                    .init("name", .string(file.name)), .init("saved", .string(name)),
                    .init("size", .integer(Int64(file.size))),
                ])
            }
            return try printJSON([.init("files", .array(list))])
        }
        for (file, name) in zip(files, names) {
            call.console.print("Saved \(name), \(BackupText.size(file.size)), from \(device).")
        }
    }

    private func printJSON(_ members: [JSON.Member]) throws(LocalFailure) {
        call.console.print(
            .object([
                .init(
                    "clipboard",
                    .object(
                        [
                            .init("id", .string(summary.identifier)), .init("device", JSON(summary.device)),
                            .init("content", JSON(content.type)),
                            .init("size", .integer(Int64(content.size))),
                        ] + members))
            ]))
    }

    // MARK: A named file

    /// Writes the content to one file, or to the standard output if the path is `-`.
    func write(to path: String, replacing replaces: Bool) throws(LocalFailure) {
        if case .files(let files) = content.kind, files.count > 1 {
            throw LocalFailure(
                .usage, "\(files.count) files were copied, but --output names only one. Leave out --output.")
        }
        if path == "-" {
            return try source.copy(content.size) { (bytes) throws(LocalFailure) in
                let number = OutputBytes.write(bytes, to: STDOUT_FILENO)
                guard number == 0 else { throw LocalFailure(.failed, "Writing the output failed.") }
            }
        }
        if !replaces { try NewFile.demandFree(path) }
        var saved = try NewFile(path)
        try source.copy(content.size) { (bytes) throws(LocalFailure) in try saved.write(bytes) }
        try saved.keep(replacing: replaces)
        if call.isJSON {
            try printJSON([
                .init(
                    "files",
                    .array([
                        .object([
                            .init("name", JSON(content.onlyName)), .init("saved", .string(path)),
                            .init("size", .integer(Int64(content.size))),
                        ])
                    ]))
            ])
        } else {
            call.console.print("Saved \(path), \(BackupText.size(content.size)), from \(device).")
        }
    }

    // MARK: A clipboard

    /// Puts text or an image into the clipboard of the desktop.
    ///
    /// Without a desktop, text is put into that of the terminal.
    func putIntoClipboard() throws(LocalFailure) {
        guard let type = content.type else {
            throw LocalFailure(
                .usage, "Files can't be put into a clipboard, but only saved.\nLeave out --clipboard.")
        }
        if let desktop = try DesktopClipboard(environment: call.environment) {
            try desktop.put(try source.bytes(), type: type)
            if let folder = desktop.keptFolder {
                try call.console.explain(
                    "wl-copy stores the content in a file below \(folder) until something else is copied.")
            }
        } else {
            guard content.isText else {
                throw LocalFailure(
                    .failed,
                    "The clipboard of a terminal takes only text.\nSave it: baton paste --output FILE")
            }
            try TerminalClipboard.put(try source.bytes(), environment: call.environment)
        }
        call.console.print("The clipboard has \(content.label), from \(device).")
    }
}
