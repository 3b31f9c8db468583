package import BatonCore

/// The lines of a local file around the position that an activity names.
package struct FilePreview: Equatable, Sendable {
    let path: String
    /// The number of the first line that was read, counted from one.
    let first: Int
    let lines: [String]
    /// The number of the line that the activity names, or nil if it names no line.
    let line: Int?

    /// The maximum size of the file in bytes, and the maximum numbers of lines before and after the position and of
    /// characters in a line.
    private static let (most, around, longest) = (1 << 20, 200, 400)

    /// Keeps the lines of a text around a line.
    init(path: String, text: String, line: Int?) {
        (self.path, self.line) = (path, line)
        let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let start = max(min((line ?? 1) - 1, all.count) - Self.around, 0)
        first = start + 1
        lines = all.dropFirst(start).prefix(2 * Self.around).map(Self.spaced)
    }

    /// Reads the file that an activity names, from the same path or from a clone on this machine.
    package static func read(
        _ summary: ActivitySummary, places: PrivatePlaces, environment: (String) -> String?
    ) -> Result<FilePreview, LocalFailure> {
        Result { () throws(LocalFailure) in
            let values = ActivityValues(summary, schemes: [], environment: environment)
            return try FilePreview(values, places: places, environment: environment)
        }
    }

    /// Reads the file that the values of an activity name.
    ///
    /// Another machine named the file. So only a regular file that is not private is read. Links are resolved before
    /// these checks.
    private init(
        _ values: ActivityValues, places: PrivatePlaces, environment: (String) -> String?
    ) throws(LocalFailure) {
        let place = try values.place("file", of: .file, environment: environment)
        let scope = ChangeScope(place.path, home: environment("HOME"), places: places)
        guard let real = LocalPath.resolved(place.path) else {
            throw values.failure("names a file that is gone")
        }
        guard !scope.isPrivate(place.path), !scope.isPrivate(real) else {
            throw values.failure("is in a private place, and is not shown")
        }
        guard let bytes = PlainFile.content(of: real, most: Self.most) else {
            throw values.failure("is larger than \(Self.most >> 20) MiB or can't be read")
        }
        guard !bytes.contains(0) else { throw values.failure("is not text") }
        self.init(
            path: place.path, text: String(decoding: bytes, as: UTF8.self),
            line: try values.count("line").map { Int(clamping: $0) })
    }

    /// Returns the beginning of a line, with tabs replaced by spaces.
    private static func spaced(_ line: Substring) -> String {
        var spaced = ""
        var cells = 0
        // One character may have any number of combining marks. So the number of scalars is limited first.
        let beginning = Substring(line.unicodeScalars.prefix(4 * longest))
        for character in beginning.prefix(longest) {
            let width = character == "\t" ? 8 - cells % 8 : CellWidth.of(character)
            spaced += character == "\t" ? String(repeating: " ", count: width) : String(character)
            cells += width
        }
        return spaced
    }
}
