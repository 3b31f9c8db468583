import BatonClient
package import BatonCore

/// Provides the values of an activity for the placeholders of a command.
///
/// Another machine wrote the activity, so every value is checked.
package struct ActivityValues {
    package let summary: ActivitySummary
    /// The schemes that an address must have so that it may be opened.
    private let schemes: [String]
    /// The person's home folder on this machine.
    private let home: String?

    package init(_ summary: ActivitySummary, schemes: [String], environment: (String) -> String?) {
        (self.summary, self.schemes) = (summary, schemes)
        home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Returns the value that a placeholder names, as text, or nil if there is none.
    ///
    /// The names `title`, `webpage`, `type`, `device` and `id` mean the activity itself. Any other name means the
    /// payload, and so does every name after `info.`, such as `{info.title}`.
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

    /// Returns a value as a path of this machine, or nil if there is no such value.
    ///
    /// Throws if nothing exists at the path.
    package func path(_ name: String) throws(LocalFailure) -> String? {
        guard let path = try wholePath(name) else { return nil }
        guard LocalPath.kind(path) != nil else { throw gone("“\(Self.shown(path))”") }
        return path
    }

    /// Returns a value as the path of a file or folder on this machine, or nil if there is no such value.
    ///
    /// Throws if no file or folder, as `kind` says, exists at the path.
    func path(_ name: String, of kind: LocalPath.Kind) throws(LocalFailure) -> String? {
        guard let path = try wholePath(name) else { return nil }
        let what = kind == .folder ? "folder" : "file"
        switch LocalPath.kind(path) {
        case kind: return path
        case nil: throw gone("the \(what) “\(Self.shown(path))”")
        case _?: throw failure("points to “\(Self.shown(path))”, which is not a \(what) on this machine")
        }
    }

    /// Returns the address if it may be opened; throws if it may not.
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

    /// Creates a failure about the activity, optionally with advice.
    func failure(_ text: String, _ advice: String? = nil) -> LocalFailure {
        let foreign = VisibleText(text).text
        return LocalFailure(
            .failed, "\(summary.label.text) \(foreign)." + (advice.map { "\n" + VisibleText($0).text } ?? ""))
    }

    /// Creates the failure for an activity in a repository of which this machine knows no clone.
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

    /// Shortens a value for an error message.
    static func shown(_ text: String) -> String { text.count > 200 ? text.prefix(200) + "…" : text }

    // MARK: Helpers

    /// Returns the reason why a text can't be an argument, or nil if it can be.
    ///
    /// Programs and terminals would misread some characters. Some texts are too long.
    static func problem(with text: String) -> String? {
        if text.utf8.count > ArgumentTemplate.mostBytes {
            return "is longer than \(ArgumentTemplate.mostBytes >> 10) KiB"
        }
        let control = text.unicodeScalars.first { scalar in controls.contains { $0 ~= scalar.value } }
        return control.map {
            "contains the control character U+\(String($0.value, radix: 16, uppercase: true))"
        }
    }

    /// The characters that no argument may contain.
    ///
    /// Some control a terminal or break a line. Others change the reading direction of the text after them, which may
    /// be text of the program that shows the argument.
    ///
    /// Titles in Hebrew or Arabic don't need any of them. Such titles may contain the marks U+200E, U+200F and U+061C,
    /// and other scripts and emoji need joiners. All of these are harmless and are accepted, except in addresses.
    private static let controls: [ClosedRange<UInt32>] = [
        0x00...0x1f, 0x7f...0x9f, 0x2028...0x2029, 0x202a...0x202e, 0x2066...0x206f, 0xfff9...0xfffb,
    ]

    /// Returns the path on this machine that a text of the payload means, or nil if the text is no path or has no
    /// meaning here.
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

    /// Returns a value of the payload as text, or nil if it is missing or null.
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
