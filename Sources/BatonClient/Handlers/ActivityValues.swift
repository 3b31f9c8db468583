package import BatonCore

/// What an activity gives to the places in a command, and the rules for it: all of it came from another machine.
package struct ActivityValues {
    package let summary: ActivitySummary
    /// The schemes of what may be opened as a web page.
    private let schemes: [String]
    /// The person's home folder here.
    private let home: String?

    package init(_ summary: ActivitySummary, schemes: [String], environment: (String) -> String?) {
        (self.summary, self.schemes) = (summary, schemes)
        home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The value of that name as text; nothing if there is none.
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

    /// The value of that name as the path of something that is here; nothing if there is no such value.
    package func path(_ name: String) throws(LocalFailure) -> String? {
        guard let path = try wholePath(name) else { return nil }
        guard LocalPath.kind(path) != nil else { throw gone("“\(Self.shown(path))”") }
        return path
    }

    /// The value of that name as the path of a file, or of a folder, that is here; nothing if there is no such value.
    func path(_ name: String, of kind: LocalPath.Kind) throws(LocalFailure) -> String? {
        guard let path = try wholePath(name) else { return nil }
        let what = kind == .folder ? "folder" : "file"
        switch LocalPath.kind(path) {
        case kind: return path
        case nil: throw gone("the \(what) “\(Self.shown(path))”")
        case _?: throw failure("points to “\(Self.shown(path))”, which is not a \(what) on this machine")
        }
    }

    /// An address that may be opened.
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

    /// What can't be done with the activity, and perhaps what to do.
    func failure(_ text: String, _ advice: String? = nil) -> LocalFailure {
        let foreign = VisibleText(text).text
        return LocalFailure(
            .failed, "\(summary.label.text) \(foreign)." + (advice.map { "\n" + VisibleText($0).text } ?? ""))
    }

    private func gone(_ what: String) -> LocalFailure {
        LocalFailure(
            .notFound,
            "\(summary.label.text) points to \(VisibleText(what).text), which is not on this machine.")
    }

    /// A value as far as an error shows it.
    static func shown(_ text: String) -> String { text.count > 200 ? text.prefix(200) + "…" : text }

    // MARK: Helpers

    /// Why a text can't be an argument: programs and terminals would read more into it, or it is too long.
    static func problem(with text: String) -> String? {
        if text.utf8.count > ArgumentTemplate.mostBytes {
            return "is longer than \(ArgumentTemplate.mostBytes >> 10) KiB"
        }
        let control = text.unicodeScalars.first { scalar in controls.contains { $0 ~= scalar.value } }
        return control.map {
            "contains the control character U+\(String($0.value, radix: 16, uppercase: true))"
        }
    }

    /// The characters that no argument may have: those that steer a terminal or break a line, and those that turn the
    /// reading direction of what stands behind them, also in the text of a program that shows the argument.
    ///
    /// Titles in Hebrew or Arabic need none of these. The marks that such text does have (U+200E, U+200F, U+061C) and
    /// the joiners of other scripts and of emoji turn nothing and are let through; addresses may have none of them
    /// either.
    private static let controls: [ClosedRange<UInt32>] = [
        0x00...0x1f, 0x7f...0x9f, 0x2028...0x2029, 0x202a...0x202e, 0x2066...0x206f, 0xfff9...0xfffb,
    ]

    private func wholePath(_ name: String) throws(LocalFailure) -> String? {
        guard let text = try text(name) else { return nil }
        guard let path = LocalPath.whole(text, home: home) else {
            throw failure(
                "has “\(Self.shown(text))” as its `\(name)`, which has no meaning on another machine",
                "A path must begin with / or, below the home folder, with ~/.")
        }
        return path
    }

    /// An entry of the payload as text; what is null is missing.
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
