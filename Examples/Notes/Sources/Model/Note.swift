import Foundation

/// A note in Markdown, whose first line is its title.
struct Note: Equatable, Sendable {
    /// The path of its file in the notebook, without ".md": "work/Ideas".
    ///
    /// It is the same on each machine that has the folder, so that it identifies the note in the search index.
    let name: String
    var text: String
    var modified: Date

    var title: String {
        let line = text.split(separator: "\n").first ?? ""
        let title = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
        return title.isEmpty ? name : title
    }

    var lines: [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// The beginning of the text below the title.
    var summary: String {
        String(text.split(separator: "\n").dropFirst().joined(separator: " ").prefix(200))
    }

    /// The words that are marked with a number sign: "#garden".
    var tags: [String] {
        text.matches(of: /(?:^|[^\w#])#(\w+)/).map { String($0.1) }
    }

    /// The folder of the note in the form of Core Spotlight, with a period between its components: "work.plans".
    var domain: String? {
        let folders = name.split(separator: "/").dropLast()
        return folders.isEmpty ? nil : Note.domain(ofFolder: folders.joined(separator: "/"))
    }

    static func domain(ofFolder folder: String) -> String {
        folder.split(separator: "/").map { $0.replacing(".", with: "_") }.joined(separator: ".")
    }

    /// The end of its time in the search index: a scratch note is found for a week, any other always.
    var expires: Date {
        name.hasPrefix("scratch/") ? modified.addingTimeInterval(7 * 24 * 60 * 60) : .distantFuture
    }
}
