import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// The files through which shells and Baton exchange messages.
///
/// They are in a folder that is emptied when the machine restarts.
package struct ShellFiles: Equatable, Sendable {
    package let folder: String

    package init(_ home: Home) { folder = home.runtime + "/shells" }

    /// The file of a shell's reports.
    ///
    /// Each report overwrites the previous one.
    package func report(of shell: Int32) -> String { "\(folder)/\(shell)" }

    /// The file in which `baton continue` tells the shell the folder to change to.
    package func answer(of shell: Int32) -> String { report(of: shell) + ".answer" }

    /// The file with the word that prompts show.
    package var segment: String { folder + "/segment" }

    /// The environment variable with the path of the file for the answer to the shell.
    package static let answerVariable = "BATON_SHELL_ANSWER"

    /// The largest number of ancestors of a process that are examined.
    private static let ancestorsMost = 16

    /// Finds the nearest ancestor of a process that is a shell with a helper; returns nil if there is none.
    func shell(around process: Int32) throws(LocalFailure) -> ShellInstance? {
        var number = process
        for _ in 0..<Self.ancestorsMost {
            do throws(NetworkError) {
                number = try ProcessIdentity.parent(of: number) ?? 0
            } catch {
                throw LocalFailure(.failed, "The shell around this program can't be found: \(error)")
            }
            guard number > 0 else { return nil }
            if LocalPath.kind(report(of: number)) == .file { return try ShellInstance.followed(number) }
        }
        return nil
    }

    /// Creates the folder if it does not exist.
    ///
    /// Only this person has access to it.
    func make() throws(NetworkError) {
        try PrivateFolder.make(folder)
        try PrivateFolder.demand(folder)
    }

    /// Creates the folder before the shell shows its first prompt.
    ///
    /// The prompt writes into the folder, and may be shown before the helper is ready.
    package func prepare() {
        do throws(NetworkError) {
            try make()
        } catch {
            // The helper fails with the same error. The shell works without it.
        }
    }

    /// Removes the files of shells that have ended.
    ///
    /// Normally, a shell's helper does this.
    func sweep() {
        for name in FolderContents.names(in: folder) {
            guard let number = Int32(name.prefix { $0 != "." }), kill(number, 0) != 0, errno == ESRCH else {
                continue
            }
            unlink(folder + "/" + name)
        }
    }

    /// Writes the word that prompts show.
    ///
    /// An empty word means that prompts show none.
    package func showSegment(_ word: String) {
        let new = "\(folder)/segment.\(getpid())"
        guard ShellFiles.write(word.isEmpty ? [] : Array((word + "\n").utf8), to: new) else { return }
        if rename(new, segment) != 0 { unlink(new) }
    }

    /// The word that prompts show at present, or an empty text.
    package var shownSegment: String {
        guard let bytes = Self.read(segment) else { return "" }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Removes the folder with all files in it; returns whether there was such a folder.
    package func removeAll() -> Bool {
        let names = FolderContents.names(in: folder)
        for name in names { unlink(folder + "/" + name) }
        return rmdir(folder) == 0 || !names.isEmpty
    }

    // MARK: Small files

    /// Replaces the content of a file, which only this person may read; returns whether all bytes were written.
    package static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        return bytes.isEmpty || Glibc.write(file, bytes, bytes.count) == bytes.count
    }

    /// Reads the beginning of a file, up to the maximum size of a report; returns nil if the file can't be read.
    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        do throws(SmallFile.Failure) {
            return try SmallFile.beginning(file, most: ShellReport.bytesMost)
        } catch {
            return nil
        }
    }
}
