/// The folders, files and commands that are never made into activities automatically, because they probably have
/// secrets.
package struct PrivatePlaces: Equatable, Sendable {
    /// The private folders.
    ///
    /// The folders inside them are private, too.
    package var folders = PrivatePlaces.usualFolders
    /// Patterns for the paths of private files.
    ///
    /// `*` matches any text, and `~/` at the beginning means the home folder.
    package var files = PrivatePlaces.usualFiles
    /// Patterns for private commands.
    ///
    /// `*` matches any text, and capitals and small letters are equal.
    package var commands = PrivatePlaces.usualCommands

    package init() {}

    /// The private folders, unless the configuration names others.
    package static let usualFolders = [
        "~/.ssh", "~/.gnupg", "~/.password-store", "~/.aws", "~/.kube", "~/.config/gh", "~/.config/gcloud",
        "~/.local/share/keyrings", "~/.mozilla", "~/.config/BraveSoftware", "~/.config/chromium",
    ]

    /// The private files, unless the configuration names others.
    ///
    /// They are keys, passwords, and temporary files that programs open in an editor.
    package static let usualFiles = [
        "*.gpg", "*.pgp", "*.age", "*.kdbx", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore",
        "*/.env", "*/.env.*", "*/.netrc", "*/.pgpass", "*/.my.cnf", "*/.authinfo*", "*/.git-credentials",
        "*/.npmrc", "*/.pypirc", "*/id_rsa*", "*/id_ed25519*", "*/id_ecdsa*", "*/.*_history", "*/*secret*",
        "*/*password*", "*/*credential*", "/etc/shadow*", "/etc/gshadow*", "/etc/sudoers*", "*/.git/*",
        "*/.hg/*", "*/.svn/*", "/tmp/*", "/var/tmp/*", "/dev/*", "/run/*", "/proc/*", "/sys/*",
    ]

    /// The private commands, unless the configuration names others.
    package static let usualCommands = [
        "pass", "pass *", "gpg *", "ssh-add *", "ssh-keygen *", "bw *", "op *", "vault *", "keepassxc-cli *",
        "*password*", "*passwd*", "*passphrase*", "*secret*", "*token*", "*credential*", "*api_key*",
        "*api-key*",
        "*apikey*", "*authorization:*", "*bearer *", "*private_key*", "*://*:*@*", "* -u *:*", "mysql* -p*",
        "sshpass *", "*akia*", "*ghp_*", "*gho_*", "*github_pat_*", "*glpat-*", "*xoxb-*", "*xoxp-*",
        "* sk-*",
        "*=sk-*", "*eyj*.*",
    ]

    /// Whether a folder is private, or is inside a private folder.
    package func holds(folder: String, home: String?) -> Bool {
        folders.contains { named in
            guard let path = LocalPath.whole(named, home: home) else { return false }
            return LocalPath.isWithin(path, folder)
        }
    }

    /// Whether a file is private.
    ///
    /// The given path counts, and so does the path with its links resolved.
    package func holds(file: String, home: String?) -> Bool {
        let homes = home.map { [$0, LocalPath.resolved($0) ?? $0] } ?? []
        return Set([file, LocalPath.resolved(file) ?? file]).contains { path in
            let inner = homes.first { LocalPath.isWithin($0, path) }.flatMap {
                String(path.utf8.dropFirst($0.utf8.count))
            }
            let name = (inner.map { "~" + $0 } ?? path).lowercased()
            return homes.contains { holds(folder: path, home: $0) }
                || files.contains { Self.matches($0.lowercased(), name) }
        }
    }

    /// Whether a word of a command names a private file or folder, judged only by the text of the word.
    ///
    /// For a pattern, a relative path remains relative. Otherwise, a pattern such as `/tmp/*` would match every word
    /// that is typed in `/tmp`.
    func holds(word: String, in folder: String, home: String?) -> Bool {
        let whole = LocalPath.whole(word, home: home)
        let name = (word.first == "/" || word.first == "~" ? word : "./" + word).lowercased()
        return holds(folder: LocalPath.folded(whole ?? "\(folder)/\(word)"), home: home)
            || files.contains { Self.matches($0.lowercased(), name) }
    }

    /// Whether a line is private because the whole line, or one of its commands, matches a pattern.
    package func holds(command: String) -> Bool {
        let line = command.lowercased()
        let parts = line.split(whereSeparator: { "|;&(\n`".contains($0) }).map { part in
            var words = part.split(separator: " ")
            // Variables that are set before the command are removed here. A pattern can still match them, because the
            // whole line is compared, too.
            while let first = words.first, first == "sudo" || first == "exec" || first.contains("=") {
                words.removeFirst()
            }
            return words.joined(separator: " ")
        }
        return commands.contains { pattern in
            let pattern = pattern.lowercased()
            return ([line] + parts).contains { Self.matches(pattern, $0) }
        }
    }

    /// Whether a pattern matches the whole text.
    static func matches(_ pattern: String, _ text: String) -> Bool {
        let (pattern, text) = (Array(pattern.unicodeScalars), Array(text.unicodeScalars))
        var (place, at) = (0, 0)
        // The index of the last `*` in the pattern, and the offset up to which this `*` matches the text so far.
        var star: (pattern: Int, text: Int)?
        while at < text.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, at)
                place += 1
            } else if place < pattern.count, pattern[place] == text[at] {
                (place, at) = (place + 1, at + 1)
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                (place, at) = (last.pattern + 1, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
