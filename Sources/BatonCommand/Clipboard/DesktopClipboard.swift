import BatonClient
package import BatonCore
import Glibc

/// Accesses the clipboard of the desktop through other programs.
///
/// These are `wl-copy` and `wl-paste` on Wayland, and `xclip` or `xsel` on X11. Content goes through pipes, and each
/// type is an argument of its own. So no shell interprets them.
package struct DesktopClipboard {
    private let way: Way

    private enum Way { case wayland, xclip, xsel }

    /// How long to wait for the program that owns the clipboard.
    private static let patience = Duration.seconds(10)
    /// The maximum length in bytes of the list of types.
    private static let typesMost = 64 << 10

    /// Finds the programs that access the clipboard; returns nil if this process has no desktop.
    ///
    /// Throws if there is a desktop, but no program that accesses its clipboard is installed.
    package init?(environment: (String) -> String?) throws(LocalFailure) {
        let isWayland = Self.isSet("WAYLAND_DISPLAY", environment)
        let isX11 = Self.isSet("DISPLAY", environment)
        guard isWayland || isX11 else { return nil }
        if isWayland, Self.isThere("wl-copy", environment) {
            way = .wayland
        } else if isX11, Self.isThere("xclip", environment) {
            way = .xclip
        } else if isX11, Self.isThere("xsel", environment) {
            way = .xsel
        } else {
            throw LocalFailure(
                .failed,
                "No program for the clipboard of this desktop is installed.\n"
                    + (isWayland ? "Install wl-clipboard." : "Install xclip."))
        }
    }

    private static func isSet(_ variable: String, _ environment: (String) -> String?) -> Bool {
        environment(variable).map { !$0.isEmpty } ?? false
    }

    private static func isThere(_ program: String, _ environment: (String) -> String?) -> Bool {
        do throws(LocalFailure) {
            try ProgramStart.check([program], path: environment("PATH"))
            return true
        } catch {
            return false
        }
    }

    // MARK: Reading

    /// Returns the content of the clipboard.
    ///
    /// Files are opened only when they are pasted.
    package func content() throws(LocalFailure) -> HeldContent {
        guard way != .xsel else {
            throw LocalFailure(
                .failed,
                "xsel can't say whether the clipboard has a password, so it is not read.\nInstall xclip, or pipe it: xsel -bo | baton copy"
            )
        }
        let types = try run(typesCommand, most: Self.typesMost).split(separator: 10).map {
            String(decoding: $0, as: UTF8.self)
        }
        switch ClipboardOffer(types) {
        case .nothing: throw Self.empty
        case .secret:
            throw LocalFailure(
                .notAllowed,
                "The program that filled the clipboard marked its content as a password, so it was not copied."
            )
        case .unknown:
            throw LocalFailure(.failed, "The clipboard has something that is neither text, image nor files.")
        case .files(let type):
            let list = String(
                decoding: try run(pasteCommand(type), most: CopiedContent.lineBytes), as: UTF8.self)
            guard let paths = FileList.paths(in: list), !paths.isEmpty else {
                throw LocalFailure(.failed, "The clipboard has files that are not on this machine.")
            }
            return try HeldContent(files: paths)
        case .text(let type):
            let bytes = try run(pasteCommand(type), most: CopiedContent.mostBytes)
            guard !bytes.isEmpty else { throw Self.empty }
            let isText = ContentType.of(bytes) == ContentType.text
            return try HeldContent(bytes, type: isText ? ContentType.text : ContentType.unknown)
        case .image(let type):
            let bytes = try run(pasteCommand(type), most: CopiedContent.mostBytes)
            guard !bytes.isEmpty else { throw Self.empty }
            return try HeldContent(bytes, type: type)
        }
    }

    private static var empty: LocalFailure { LocalFailure(.notFound, "The clipboard is empty.") }

    private var typesCommand: [String] {
        way == .wayland
            ? ["wl-paste", "--list-types"] : ["xclip", "-selection", "clipboard", "-o", "-t", "TARGETS"]
    }

    private func pasteCommand(_ type: String) -> [String] {
        way == .wayland
            ? ["wl-paste", "--no-newline", "--type", type]
            : ["xclip", "-selection", "clipboard", "-o", "-t", type]
    }

    private func run(_ words: [String], most: Int) throws(LocalFailure) -> [UInt8] {
        guard let run = ProgramExchange(with: words, outputMost: most, within: Self.patience) else {
            throw Self.silent(words[0])
        }
        guard !run.isTooLarge else {
            throw LocalFailure(
                .tooLarge,
                "The clipboard has more than \(most >> 20) MiB. Save it in a file, and type: baton copy FILE")
        }
        // Both programs fail if the clipboard is empty. The message of any other failure names the display or the
        // server.
        guard run.status == 0 else {
            throw run.errors.contains("display") || run.errors.contains("server")
                ? Self.failed(words[0], run) : Self.empty
        }
        return run.output
    }

    // MARK: Writing

    /// Replaces the content of the clipboard.
    package func put(_ bytes: [UInt8], type: String) throws(LocalFailure) {
        let words: [String]
        switch way {
        case .wayland: words = ["wl-copy", "--type", type]
        case .xclip:
            let target = type == ContentType.text ? "UTF8_STRING" : type
            words = ["xclip", "-selection", "clipboard", "-i", "-t", target]
        case .xsel:
            guard type == ContentType.text else {
                throw LocalFailure(.failed, "xsel can take only text.\nInstall xclip for images.")
            }
            words = ["xsel", "--clipboard", "--input"]
        }
        guard let run = ProgramExchange(with: words, input: bytes, within: Self.patience) else {
            throw Self.silent(words[0])
        }
        guard run.status == 0 else { throw Self.failed(words[0], run) }
    }

    /// The folder on a disk in which the clipboard program keeps the content until the next copy.
    ///
    /// It is nil if the program keeps the content in memory.
    package var keptFolder: String? {
        guard way == .wayland else { return nil }
        let mounts = open("/proc/self/mounts", O_RDONLY | O_CLOEXEC)
        guard mounts >= 0 else { return Self.folder }
        defer { close(mounts) }
        do throws(SmallFile.Failure) {
            let table = String(decoding: try SmallFile.read(mounts, most: 1 << 20), as: UTF8.self)
            return Self.isInMemory(Self.folder, mounts: table) ? nil : Self.folder
        } catch {
            return Self.folder
        }
    }

    /// The folder in which `wl-copy` keeps the content.
    private static let folder = "/tmp"

    /// Whether a folder is the root of a file system in memory.
    ///
    /// `table` is the system's table of mounts.
    package static func isInMemory(_ folder: String, mounts table: String) -> Bool {
        let rows = table.split(separator: "\n").map { $0.split(separator: " ") }
        return rows.last { $0.count > 2 && $0[1] == folder }.map { $0[2] == "tmpfs" || $0[2] == "ramfs" }
            ?? false
    }

    private static func silent(_ program: String) -> LocalFailure {
        LocalFailure(.failed, "\(program) did not answer. The program that owns the clipboard may hang.")
    }

    private static func failed(_ program: String, _ run: ProgramExchange) -> LocalFailure {
        let said = run.errors.split(separator: "\n").first.map { ": \(VisibleText($0).text)" } ?? ""
        return LocalFailure(.failed, "\(program) ended with status \(run.status)\(said)")
    }
}

/// The kind of content that a clipboard offers, judging by the names of its types.
package enum ClipboardOffer: Equatable, Sendable {
    case nothing
    /// A password manager has put the content into the clipboard.
    case secret
    case files(String)
    case text(String)
    case image(String)
    case unknown

    /// Chooses the best of the offered types.
    ///
    /// Files are better than text, and text is better than an image.
    package init(_ types: [String]) {
        let known = Set(types)
        if known.contains("x-kde-passwordManagerHint") {
            self = .secret
        } else if known.contains("text/uri-list") {
            self = .files("text/uri-list")
        } else if let type = Self.texts.first(where: known.contains) {
            self = .text(type)
        } else if let type = (["image/png"] + types).first(where: { type in
            known.contains(type) && type.hasPrefix("image/") && ContentType.isValid(type)
        }) {
            self = .image(type)
        } else {
            self = types.isEmpty ? .nothing : .unknown
        }
    }

    /// The types of text, from the best to the worst.
    private static let texts = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING", "TEXT"]
}

/// A list of files as desktops write it, with one address on each line.
package enum FileList {
    /// Returns the paths of the listed files, or nil if an address is not that of a file on this machine.
    package static func paths(in list: String) -> [String]? {
        var paths: [String] = []
        for line in list.split(whereSeparator: { $0.isNewline }) where !line.hasPrefix("#") {
            guard let path = path(line) else { return nil }
            paths.append(path)
        }
        return paths
    }

    private static func path(_ address: Substring) -> String? {
        guard address.lowercased().hasPrefix("file://") else { return nil }
        let rest = address.dropFirst(7)
        guard let slash = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<slash].lowercased())
        else { return nil }
        var bytes: [UInt8] = []
        var left = rest[slash...].utf8
        while let byte = left.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard left.count >= 2, let value = UInt8(String(left.prefix(2)) ?? "", radix: 16), value != 0
            else { return nil }
            bytes.append(value)
            left = left.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
