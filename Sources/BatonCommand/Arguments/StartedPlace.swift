package import BatonCore

/// A file, folder or web address that a person types where a type of activity may be typed.
///
/// An example is `baton start notes.md:42`.
package struct StartedPlace: Equatable, Sendable {
    package let type: WellKnownType
    package let title: String
    /// The payload of the activity.
    ///
    /// Another machine finds the place with it.
    package let info: [PropertyValue: PropertyValue]
    /// The address if the place is a web page, and otherwise nil.
    package let webpage: String?

    /// Returns the identifier of an activity about this place, or nil for an address.
    ///
    /// All lines of a file have the same identifier. An address needs none, because it identifies its page. A title
    /// that the person gives is part of the identifier, so several activities at one place can be kept apart by their
    /// titles.
    package func identifier(titled title: String?) -> String? {
        guard let path = info[.string("file")]?.string ?? info[.string("folder")]?.string else { return nil }
        return PortablePaths.identifier(title.map { "\(path) \($0)" } ?? path)
    }

    /// Recognises a place in a text; returns nil if the text is a type of activity instead.
    ///
    /// An address has a scheme. A path contains a slash, or is `.`, `..` or `~`. Any other word is a file only if it
    /// contains a dot or ends with a line number, and names a file in the working folder. So a type without a dot means
    /// the same in every folder.
    package init?(_ text: String, in paths: PortablePaths) throws(LocalFailure) {
        if let scheme = Self.scheme(of: text) {
            try self.init(address: text, scheme: scheme)
            return
        }
        let parts = Self.lineAndColumn(in: text)
        let isPath = text.contains("/") || [".", "..", "~"].contains(text)
        guard isPath || text.contains(".") || parts.line != nil else { return nil }
        // The name of a file may itself end with a colon and a number, so the whole text is tried first.
        for (path, line, column) in [(text, nil, nil), (parts.path, parts.line, parts.column)] {
            let place: String
            do throws(LocalFailure) {
                place = try paths.whole(path)
            } catch {
                if isPath { throw error }
                // There is no working folder, so the word can't name a file in it.
                return nil
            }
            guard let kind = LocalPath.kind(place) else { continue }
            guard isPath || kind == .file else { return nil }
            try self.init(place, kind, line: line, column: column, in: paths)
            return
        }
        guard isPath else { return nil }
        throw LocalFailure(
            .notFound,
            "There is no file or folder \(VisibleText(parts.path).text) on this machine.\n"
                + "A type of activity, such as org.example.editing, has no slash.")
    }

    // MARK: Files and folders

    private init(
        _ path: String, _ kind: LocalPath.Kind, line: Int64?, column: Int64?, in paths: PortablePaths
    ) throws(LocalFailure) {
        let portable = paths.portable(path)
        if let problem = ActivityValues.problem(with: portable) {
            throw LocalFailure(.usage, "The path \(VisibleText(path).text) \(problem).")
        }
        let name = portable.split(separator: "/").last.map(String.init) ?? portable
        switch kind {
        case .folder:
            guard line == nil else {
                throw LocalFailure(.usage, "\(VisibleText(path).text) is a folder, which has no lines.")
            }
            (type, info) = (.folder, [.string("folder"): .string(portable)])
        case .file:
            var info: [PropertyValue: PropertyValue] = [.string("file"): .string(portable)]
            if let line { info[.string("line")] = .integer(line) }
            if let column { info[.string("column")] = .integer(column) }
            (type, self.info) = (.file, info)
        case .other:
            throw LocalFailure(.usage, "\(VisibleText(path).text) is neither a file nor a folder.")
        }
        (title, webpage) = (name, nil)
    }

    /// Splits `PATH:LINE` and `PATH:LINE:COLUMN` into their parts.
    ///
    /// After a colon, only a positive number is a line or a column. Any other text belongs to the path.
    private static func lineAndColumn(in text: String) -> (path: String, line: Int64?, column: Int64?) {
        var (path, numbers): (Substring, [Int64]) = (text[...], [])
        while numbers.count < 2, let colon = path.lastIndex(of: ":"), colon > path.startIndex {
            let digits = path[path.index(after: colon)...]
            guard let number = Int64(digits), number > 0, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                break
            }
            numbers.insert(number, at: 0)
            path = path[..<colon]
        }
        return (String(path), numbers.first, numbers.count > 1 ? numbers[1] : nil)
    }

    // MARK: Addresses

    /// Returns the scheme of a text that begins with `SCHEME://` or `mailto:`, in lower case; otherwise nil.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        let isWord = scheme.utf8.allSatisfy {
            0x61...0x7a ~= $0 || 0x30...0x39 ~= $0 || Array("+-.".utf8).contains($0)
        }
        guard isWord, let first = scheme.utf8.first, 0x61...0x7a ~= first else { return nil }
        return text[colon...].hasPrefix("://") || scheme == "mailto" ? scheme : nil
    }

    private init(address: String, scheme: String) throws(LocalFailure) {
        if let problem = WebAddress.problem(with: address) {
            throw LocalFailure(.usage, "The address \(VisibleText(address).text) \(problem).")
        }
        type = .web
        let isPage = scheme == "http" || scheme == "https"
        webpage = isPage ? address : nil
        info = isPage ? [:] : [.string("url"): .string(address)]
        let rest = address.dropFirst(scheme.utf8.count + 1)
        let bare = rest.hasPrefix("//") ? rest.dropFirst(2) : rest
        title = String(bare.hasSuffix("/") ? bare.dropLast() : bare)
    }
}
