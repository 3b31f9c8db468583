/// The branches of one repository, as its files name them.
struct GitReferences {
    /// The folder of the working tree's private files, such as `HEAD`.
    let own: String
    /// The folder of the files that all working trees of the repository share.
    let common: String
    /// The number of digits in the name of a commit.
    let digits: Int

    /// The largest list of packed references that is read: some hundred thousand of them.
    private static let packedMost = 16 << 20
    /// The longest chain of references that name each other.
    private static let depthMost = 5

    /// The branch that is checked out, and its commit; either may be nil.
    var head: (branch: String?, commit: String?) {
        guard let line = PlainFile.line(of: own + "/HEAD") else { return (nil, nil) }
        guard let reference = Self.target(line) else { return (nil, hash(line)) }
        let branch = reference.hasPrefix("refs/heads/") ? String(reference.dropFirst(11)) : nil
        // This reference marks a repository with another storage of references, which is not read.
        return reference == "refs/heads/.invalid" ? (nil, nil) : (branch, commit(reference))
    }

    /// Returns the commit of a reference; nil if the reference does not exist.
    func commit(_ reference: String, depth: Int = 0) -> String? {
        guard Self.isName(reference), depth < Self.depthMost else { return nil }
        let isOwn = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"].contains { reference.hasPrefix($0) }
        if let line = PlainFile.line(of: (isOwn ? own : common) + "/" + reference) {
            if let next = Self.target(line) { return commit(next, depth: depth + 1) }
            return hash(line)
        }
        return packed(reference)
    }

    /// Whether the repository has a local branch of that name.
    func hasBranch(_ name: String) -> Bool { commit("refs/heads/" + name) != nil }

    /// Looks a reference up in the packed references, whose lines are a commit and a name.
    private func packed(_ reference: String) -> String? {
        guard let bytes = PlainFile.content(of: common + "/packed-refs", most: Self.packedMost) else {
            return nil
        }
        let name = Array(reference.utf8)
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            if end - start == digits + 1 + name.count, bytes[start + digits] == UInt8(ascii: " "),
                bytes[(start + digits + 1)..<end].elementsEqual(name)
            {
                return hash(String(decoding: bytes[start..<(start + digits)], as: UTF8.self))
            }
            start = end + 1
        }
        return nil
    }

    /// Returns the reference that a line names, as `ref: refs/heads/main`.
    private static func target(_ line: String) -> String? {
        guard line.hasPrefix("ref:") else { return nil }
        let name = String(line.dropFirst(4).drop { $0 == " " || $0 == "\t" })
        return isName(name) || name == "refs/heads/.invalid" ? name : ""
    }

    /// Returns the name of a commit at the beginning of a line.
    private func hash(_ line: String) -> String? {
        let text = line.prefix { !$0.isWhitespace }
        let isHash =
            text.utf8.count == digits && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
        return isHash ? String(text) : nil
    }

    /// Whether a text is a valid name of a reference by the rules of git; such a name never leads out of its folder.
    static func isName(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return text.utf8.count <= 1024 && parts.count > 1 && parts[0] == "refs"
            && parts.allSatisfy { part in
                !part.isEmpty && !part.utf8.starts(with: ".".utf8) && !part.utf8.starts(with: "-".utf8)
                    && !part.hasSuffix(".lock") && !part.hasSuffix(".")
            } && !text.contains("..") && !text.contains("@{")
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && !"~^:?*[\\".utf8.contains($0) }
    }
}
