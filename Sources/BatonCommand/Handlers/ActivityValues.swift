package import BatonCore

/// The values of an activity for the placeholders of a command, each checked because another machine wrote it.
package struct ActivityValues {
    package let summary: ActivitySummary
    /// The schemes of addresses that may be opened.
    private let schemes: [String]
    /// The person's home folder on this machine.
    private let home: String?

    package init(_ summary: ActivitySummary, schemes: [String], environment: (String) -> String?) {
        (self.summary, self.schemes) = (summary, schemes)
        home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Returns the value of that name as text, or nil if there is none; `{info.title}` is always of the payload.
    package func text(_ name: String) throws(LocalFailure) -> String? {
        let text: String?
        switch name {
        case "title": text = summary.activity.title
        case "webpage":
            text = try summary.activity.webpage.map { (url) throws(LocalFailure) in try page(url) }
        case "type": text = summary.activity.type
        case "device": text = summary.device.name
        case "id": text = summary.identifier
        default: text = try entry(name.hasPrefix("info.") ? String(name.dropFirst(5)) : name)
        }
        if let text, let problem = Self.problem(with: text) {
            throw failure("has a `\(name)` that \(problem)")
        }
        return text
    }

    /// Returns the value of that name as the path of something on this machine, or nil if there is no such value.
    package func path(_ name: String) throws(LocalFailure) -> String? {
        guard let path = try wholePath(name) else { return nil }
        guard LocalPath.kind(path) != nil else { throw gone("“\(Self.shown(path))”") }
        return path
    }

    /// Returns the value of that name as the path of a file or folder on this machine, or nil if there is no such
    /// value.
    func path(_ name: String, of kind: LocalPath.Kind) throws(LocalFailure) -> String? {
        guard let path = try wholePath(name) else { return nil }
        let what = kind == .folder ? "folder" : "file"
        switch LocalPath.kind(path) {
        case kind: return path
        case nil: throw gone("the \(what) “\(Self.shown(path))”")
        case _?: throw failure("points to “\(Self.shown(path))”, which is not a \(what) on this machine")
        }
    }

    /// Returns an address that may be opened, or throws.
    func page(_ url: String) throws(LocalFailure) -> String {
        if let problem = WebAddress.problem(with: url) {
            throw failure("has a web page whose address \(problem)")
        }
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard url.utf8.count > scheme.utf8.count + 1, schemes.contains(scheme) else {
            throw failure(
                "points to “\(Self.shown(url))”, which may not be opened here",
                schemes.isEmpty
                    ? "The configuration file allows no addresses to be opened."
                    : "Addresses are opened if they begin with \(schemes.map { $0 + ":" }.joined(separator: ", "))."
            )
        }
        if scheme == "mailto", let problem = WebAddress.messageProblem(with: url) {
            throw failure("has a web page whose address \(problem)")
        }
        return url
    }

    // MARK: Failures

    /// A failure about the activity, optionally with advice.
    func failure(_ text: String, _ advice: String? = nil) -> LocalFailure {
        let foreign = VisibleText(text).text
        return LocalFailure(
            .failed, "\(summary.label.text) \(foreign)." + (advice.map { "\n" + VisibleText($0).text } ?? ""))
    }

    /// The failure for a folder in a repository that this machine does not know.
    func unknownClone(of repository: Repository, at path: String) -> LocalFailure {
        let address = repository.identity.remotes.sorted().first.map { VisibleText($0).text }
        return LocalFailure(
            .notFound,
            "\(summary.label.text) is in \(VisibleText(path).text), which is not on this machine.\n"
                + "No shell of this machine has visited a clone of \(address ?? "its repository"). Go to your clone once, or clone it."
        )
    }

    private func gone(_ what: String) -> LocalFailure {
        LocalFailure(
            .notFound,
            "\(summary.label.text) points to \(VisibleText(what).text), which is not on this machine.")
    }

    /// Shortens a value for an error.
    static func shown(_ text: String) -> String { text.count > 200 ? text.prefix(200) + "…" : text }

    // MARK: Helpers

    /// Returns why a text can't be an argument, or nil: programs and terminals would misread it, or it is too long.
    static func problem(with text: String) -> String? {
        if text.utf8.count > ArgumentTemplate.mostBytes {
            return "is longer than \(ArgumentTemplate.mostBytes >> 10) KiB"
        }
        let control = text.unicodeScalars.first { scalar in controls.contains { $0 ~= scalar.value } }
        return control.map {
            "contains the control character U+\(String($0.value, radix: 16, uppercase: true))"
        }
    }

    /// The characters that no argument may have: those that control a terminal or break a line, and those that change
    /// the reading direction of the text after them, also in the text of a program that shows the argument.
    ///
    /// Titles in Hebrew or Arabic need none of these. The marks that such text contains (U+200E, U+200F, U+061C) and
    /// the joiners of other scripts and of emoji change nothing and are accepted, except in addresses.
    private static let controls: [ClosedRange<UInt32>] = [
        0x00...0x1f, 0x7f...0x9f, 0x2028...0x2029, 0x202a...0x202e, 0x2066...0x206f, 0xfff9...0xfffb,
    ]

    /// Returns the path of this machine for a text of the payload; nil for text that has no meaning here.
    func whole(_ text: String) -> String? { LocalPath.whole(text, home: home) }

    func wholePath(_ name: String) throws(LocalFailure) -> String? {
        guard let text = try text(name) else { return nil }
        guard let path = whole(text) else {
            throw failure(
                "has “\(Self.shown(text))” as its `\(name)`, which has no meaning on another machine",
                "A path must begin with / or, below the home folder, with ~/.")
        }
        return path
    }

    /// Returns a value of the payload as text; null counts as missing.
    private func entry(_ key: String) throws(LocalFailure) -> String? {
        switch summary.activity.info[.string(key)] {
        case nil, .null?: return nil
        case .string(let text)?, .url(let text)?: return text
        case .integer(let number)?: return String(number)
        case .real(let number)?: return number.description
        case .boolean(let value)?: return value ? "true" : "false"
        case .some(let value):
            guard case .uuid = value, case .object(let members) = JSON(value),
                case .string(let text)? = members.first?.value
            else { throw failure("has a `\(key)` that is neither text nor a number") }
            return text
        }
    }
}
