/// Reads the branches of one repository from its files.
struct GitReferences {
    /// The folder with the files that belong only to this working tree, such as `HEAD`.
    let own: String
    /// The folder with the files that all working trees of the repository share.
    let common: String
    /// The number of hexadecimal digits in the name of a commit.
    let digits: Int

    /// The maximum size in bytes of the file with packed references.
    ///
    /// It has room for some hundred thousand of them.
    private static let packedMost = 16 << 20
    /// The largest number of references that are followed if one reference names the next.
    private static let depthMost = 5

    /// The branch that is checked out, and its commit.
    ///
    /// Each is nil if it does not exist or can't be read.
    var head: (branch: String?, commit: String?) {
        guard let line = PlainFile.line(of: own + "/HEAD") else { return (nil, nil) }
        guard let reference = Self.target(line) else { return (nil, hash(line)) }
        let branch = reference.hasPrefix("refs/heads/") ? String(reference.dropFirst(11)) : nil
        // This name says that the repository stores its references in another format, which is not read.
        return reference == "refs/heads/.invalid" ? (nil, nil) : (branch, commit(reference))
    }

    /// Returns the commit that a reference names, or nil if the reference does not exist.
    func commit(_ reference: String, depth: Int = 0) -> String? {
        guard Self.isName(reference), depth < Self.depthMost else { return nil }
        let isOwn = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"].contains { reference.hasPrefix($0) }
        if let line = PlainFile.line(of: (isOwn ? own : common) + "/" + reference) {
            if let next = Self.target(line) { return commit(next, depth: depth + 1) }
            return hash(line)
        }
        return packed(reference)
    }

    /// Whether the repository has a local branch with this name.
    func hasBranch(_ name: String) -> Bool { commit("refs/heads/" + name) != nil }

    /// Looks for a reference in the file with packed references.
    ///
    /// Each line is the name of a commit and the name of a reference.
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

    /// Returns the reference that a line such as `ref: refs/heads/main` names, or nil if the line has another form.
    private static func target(_ line: String) -> String? {
        guard line.hasPrefix("ref:") else { return nil }
        let name = String(line.dropFirst(4).drop { $0 == " " || $0 == "\t" })
        return isName(name) || name == "refs/heads/.invalid" ? name : ""
    }

    /// Returns the name of a commit with which a line begins, or nil if it does not begin with one.
    private func hash(_ line: String) -> String? {
        let text = line.prefix { !$0.isWhitespace }
        let isHash =
            text.utf8.count == digits && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
        return isHash ? String(text) : nil
    }

    /// Whether git accepts a text as the name of a reference.
    ///
    /// The path of such a name never leads out of the repository's folder.
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
