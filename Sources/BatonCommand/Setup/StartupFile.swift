import BatonClient
package import BatonCore
import Glibc

/// A start-up file that is replaced as a whole, or not at all.
///
/// The file keeps its mode and owner. If the path is a link, the file that it leads to is replaced, and the link stays.
package struct StartupFile {
    /// The path that a person knows.
    package let path: String
    /// The path of the file itself.
    private let target: String
    /// The content; nil if the file does not exist.
    package let content: [UInt8]?
    /// The state of the file when it was read.
    private let state: stat?

    /// The maximum size of a file in bytes.
    private static let most = 4 << 20

    /// Reads the file; throws if it can't be read, or is not a plain file.
    package init(reading path: String) throws(LocalFailure) {
        self.path = path
        guard !PlainFile.isMissing(path) else {
            (target, content, state) = (path, nil, nil)
            return
        }
        guard let target = LocalPath.resolved(path) else {
            throw Self.failure("\(path) leads to no file: \(SystemText.of(errno))")
        }
        self.target = target
        let descriptor = open(target, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Self.failure("\(path) can't be read: \(SystemText.of(errno))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Self.failure("\(path) is not a plain file")
        }
        do throws(SmallFile.Failure) {
            content = try SmallFile.read(descriptor, most: Self.most)
        } catch {
            switch error {
            case .tooLarge: throw Self.failure("\(path) is too large for a start-up file")
            case .refused(let number): throw Self.failure("\(path) can't be read: \(SystemText.of(number))")
            }
        }
        state = status
    }

    // MARK: Changing

    /// Replaces the content, or creates the file with its folders.
    package func replace(with new: [UInt8]) throws(LocalFailure) {
        try demandChangeable()
        if state == nil { try WholeFile.makeFolders(around: target) }
        let part = "\(LocalPath.folder(of: target))/.\(LocalPath.name(of: target)).baton-setup"
        // Until the new file has the mode of the present one, only this user may read it.
        let mode: mode_t = state == nil ? 0o644 : 0o600
        try FileReplacement(of: target, part: part, failing: .failed).write(new, mode: mode) {
            (descriptor) throws(LocalFailure) in
            try keepOwner(descriptor)
            try demandUnchanged()
        }
    }

    /// Deletes the file.
    ///
    /// If the path is a link, the link stays, and the file that it leads to becomes empty.
    package func delete() throws(LocalFailure) {
        guard
            target == path
                || LocalPath.resolved(LocalPath.folder(of: path)).map({ $0 + "/" + LocalPath.name(of: path) })
                    == target
        else { return try replace(with: []) }
        try demandChangeable()
        try demandUnchanged()
        guard unlink(target) == 0 else {
            throw Self.failure("\(path) can't be deleted: \(SystemText.of(errno))")
        }
    }

    /// Gives a new file the owner and the mode of the present one.
    private func keepOwner(_ descriptor: Int32) throws(LocalFailure) {
        guard let state else { return }
        var new = stat()
        guard fstat(descriptor, &new) == 0 else { throw cannotWrite(errno) }
        if new.st_uid != state.st_uid || new.st_gid != state.st_gid {
            guard fchown(descriptor, state.st_uid, state.st_gid) == 0 else {
                throw Self.failure("\(path) can't keep its owner and group: \(SystemText.of(errno))")
            }
        }
        guard fchmod(descriptor, state.st_mode & 0o7777) == 0 else { throw cannotWrite(errno) }
    }

    /// Throws if the file must not be replaced, because a person has protected it or other names lead to it.
    private func demandChangeable() throws(LocalFailure) {
        guard let state else { return }
        guard state.st_uid == geteuid() || geteuid() == 0 else {
            throw Self.failure("\(path) belongs to another user")
        }
        // The system lets root write every file.
        guard state.st_mode & 0o222 != 0, access(target, W_OK) == 0 else {
            throw Self.failure("\(path) is read-only")
        }
        guard state.st_nlink == 1 else { throw Self.failure("\(path) has several names (hard links)") }
    }

    /// Throws if another program has changed or replaced the file since it was read.
    private func demandUnchanged() throws(LocalFailure) {
        let present = try StartupFile(reading: target)
        guard present.content == content, present.state?.st_ino == state?.st_ino else {
            throw Self.failure("\(path) was changed by another program meanwhile")
        }
    }

    private func cannotWrite(_ number: Int32) -> LocalFailure {
        Self.failure("\(path) can't be written: \(SystemText.of(number))")
    }

    private static func failure(_ text: VisibleText) -> LocalFailure {
        LocalFailure(.failed, text.text + ".")
    }
}

extension StartupText {
    /// Returns the first of the files that has the program's lines, or nil if none of them has.
    ///
    /// The file to which the lines would be added must be readable.
    package func firstFile(of files: [String], writing target: String) throws(LocalFailure) -> String? {
        for file in files where file == target || LocalPath.kind(file) == .file && access(file, R_OK) == 0 {
            guard let content = try StartupFile(reading: file).content else { continue }
            if isThere(in: content) { return file }
        }
        return nil
    }
}
