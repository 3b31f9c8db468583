import BatonClient

/// Reads the settings of one repository from its own files.
///
/// The person's own settings are not read, and neither are files that the settings include.
struct GitSettings {
    /// One setting, which is written as `[section "part"] key = value`.
    struct Setting: Equatable {
        var section: String
        var part: String?
        var key: String
        var value: String
    }

    private(set) var settings: [Setting] = []

    /// The maximum size of a file in bytes.
    private static let bytesMost = 256 << 10

    /// Reads files in their order; nil if the first file is missing, or if any existing file can't be read or parsed.
    init?(_ paths: [String]) {
        for (place, path) in paths.enumerated() {
            guard let bytes = PlainFile.content(of: path, most: Self.bytesMost) else {
                // The file exists, but is not read here. Git would also follow a link, and read a larger file. So the
                // settings are unknown.
                guard place > 0, PlainFile.isMissing(path) else { return nil }
                continue
            }
            guard let text = String(validating: bytes, as: UTF8.self), let file = Self(text: text)
            else { return nil }
            settings += file.settings
        }
    }

    /// Parses the text of a file; nil if git would refuse the text.
    init?(text: String) { guard read(text) else { return nil } }

    /// Returns the value of a setting, or nil if it is not set.
    ///
    /// If it is set several times, the last value counts.
    func value(_ section: String, _ part: String? = nil, _ key: String) -> String? {
        settings.last { $0.section == section && $0.part == part && $0.key == key }?.value
    }

    /// Returns the values that a setting has in all sections with a part.
    func values(_ section: String, _ key: String) -> [String] {
        settings.filter { $0.section == section && $0.part != nil && $0.key == key }.map(\.value)
    }

    /// Whether a setting is on.
    ///
    /// As in git, every number except 0 means on.
    func isOn(_ section: String, _ key: String) -> Bool {
        value(section, nil, key).map { !["false", "no", "off", "0"].contains($0.lowercased()) } ?? false
    }

    // MARK: Programs

    /// Whether git may start a program because of these settings.
    ///
    /// Examples are a filter, a file system monitor, and the fetching of missing objects. The harmless settings are
    /// listed. Every other setting counts as if it named a program, because later versions of git may have new settings
    /// that do.
    var mayStartPrograms: Bool { !settings.allSatisfy(Self.isHarmless) }

    private static func isHarmless(_ setting: Setting) -> Bool {
        switch setting.section {
        case "branch", "user", "color", "gui", "pull", "push", "fetch", "rebase", "log", "advice": true
        case "core": setting.part == nil && harmlessCore.contains(setting.key)
        case "remote":
            ["url", "pushurl", "fetch", "push", "tagopt", "prune", "prunetags", "mirror", "gh-resolved"]
                .contains(
                    setting.key)
        case "submodule": ["url", "active", "branch", "ignore"].contains(setting.key)
        case "extensions": ["objectformat", "worktreeconfig", "noop"].contains(setting.key)
        case "lfs": ["repositoryformatversion", "access"].contains(setting.key)
        case "init": setting.key == "defaultbranch"
        case "merge": setting.part == nil && setting.key == "conflictstyle"
        default: false
        }
    }

    /// The settings of `core` that name no program.
    ///
    /// `hookspath` names hooks, but is harmless, because Baton overrides it whenever it starts git.
    private static let harmlessCore: Set<String> = [
        "repositoryformatversion", "filemode", "bare", "logallrefupdates", "symlinks", "ignorecase",
        "precomposeunicode", "autocrlf", "eol", "safecrlf", "quotepath", "abbrev", "compression",
        "bigfilethreshold", "longpaths", "untrackedcache", "preloadindex", "fscache", "checkstat",
        "trustctime",
        "commentchar", "whitespace", "sparsecheckout", "sparsecheckoutcone", "commitgraph", "multipackindex",
        "worktree", "hookspath",
    ]

    // MARK: Reading

    /// Parses a text as git does; returns false if git would refuse the text.
    private mutating func read(_ text: String) -> Bool {
        var (section, part): (String?, String?) = (nil, nil)
        var rest = Substring(text.replacing("\r\n", with: "\n")).unicodeScalars
        while let scalar = rest.first {
            if Self.isSpace(scalar) || scalar == "\n" || scalar == "\u{feff}" {
                rest.removeFirst()
            } else if scalar == "#" || scalar == ";" {
                rest = rest.drop { $0 != "\n" }
            } else if scalar == "[" {
                guard let head = Self.head(&rest) else { return false }
                section = head.section
                part = head.part
            } else {
                let key = String(
                    rest.prefix { $0.isASCII && ($0.properties.isAlphabetic || $0 == "-" || $0.isDigit) })
                guard let section, !key.isEmpty, let value = Self.value(&rest, after: key) else {
                    return false
                }
                settings.append(Setting(section: section, part: part, key: key.lowercased(), value: value))
            }
        }
        return true
    }

    private typealias Scalars = Substring.UnicodeScalarView

    /// Whether git treats a character as a space within a line.
    ///
    /// A carriage return is a space, even if no newline follows it.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\r"
    }

    /// Reads the head of a section: `[section]`, `[section "part"]` or `[section.part]`.
    private static func head(_ rest: inout Scalars) -> (section: String, part: String?)? {
        rest.removeFirst()
        let name = String(
            rest.prefix {
                $0.isASCII && ($0.properties.isAlphabetic || "-.".unicodeScalars.contains($0) || $0.isDigit)
            })
        rest = rest.dropFirst(name.unicodeScalars.count).drop(while: isSpace)
        guard !name.isEmpty else { return nil }
        var part: String?
        if rest.first == "\"" {
            rest.removeFirst()
            var text = ""
            while let scalar = rest.popFirst(), scalar != "\"" {
                guard scalar != "\n", let next = scalar == "\\" ? rest.popFirst() : scalar else { return nil }
                text.unicodeScalars.append(next)
            }
            part = text
        }
        guard rest.popFirst() == "]" else { return nil }
        guard part == nil, let dot = name.firstIndex(of: ".") else { return (name.lowercased(), part) }
        return (name[..<dot].lowercased(), name[name.index(after: dot)...].lowercased())
    }

    /// Reads the part of a line after a key: `=` and a value.
    ///
    /// The part may also be empty, which means that the setting is on. The result is nil if git would refuse the line.
    private static func value(_ rest: inout Scalars, after key: String) -> String? {
        rest = rest.dropFirst(key.unicodeScalars.count).drop { $0 == " " || $0 == "\t" }
        guard rest.first == "=" else { return rest.first == "\n" || rest.isEmpty ? "" : nil }
        rest = rest.dropFirst().drop(while: isSpace)
        var (text, spaces, isQuoted) = ("", "", false)
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\n": return isQuoted ? nil : text
            case "\"":
                (text, spaces) = (text + spaces, "")
                isQuoted.toggle()
            case "#" where !isQuoted, ";" where !isQuoted: rest = rest.drop { $0 != "\n" }
            case _ where !isQuoted && isSpace(scalar): spaces.unicodeScalars.append(scalar)
            case "\\":
                guard let next = rest.popFirst() else { return nil }
                if next == "\n" { continue }
                guard let meant = ["n": "\n", "t": "\t", "b": "\u{8}", "\\": "\\", "\"": "\""][String(next)]
                else { return nil }
                (text, spaces) = (text + spaces + meant, "")
            default:
                text += spaces
                text.unicodeScalars.append(scalar)
                spaces = ""
            }
        }
        return isQuoted ? nil : text
    }
}
