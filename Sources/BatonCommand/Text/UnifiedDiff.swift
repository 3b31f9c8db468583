/// Makes and applies differences of texts, in the format of `diff -u` and `patch`.
package enum UnifiedDiff {
    /// A line of a text, with its newline.
    ///
    /// The last line may have no newline.
    private typealias Line = ArraySlice<UInt8>

    /// The number of unchanged lines that surround a change.
    private static let context = 3
    /// The largest number of pairs of lines that are compared to find a short difference.
    ///
    /// If there are more pairs, all lines from the first change to the last one are replaced.
    private static let pairsMost = 4_000_000
    /// The largest line number in the header of a received difference.
    ///
    /// No file whose changes are sent has more lines.
    private static let linesMost = 1 << 20
    private static let noEnd = Array("\n\\ No newline at end of file\n".utf8)

    // MARK: Making

    /// Returns the difference of two texts, or an empty text if they are equal.
    package static func text(from old: [UInt8], to new: [UInt8], name: String) -> String {
        let (old, new) = (lines(old), lines(new))
        let changes = changes(old, new)
        guard !changes.isEmpty else { return "" }
        var output = Array("--- \(name)\n+++ \(name)\n".utf8)
        var next = 0
        while next < changes.count {
            var last = next
            while last + 1 < changes.count,
                changes[last + 1].old.lowerBound - changes[last].old.upperBound <= 2 * context
            { last += 1 }
            append(changes[next...last], old, new, to: &output)
            next = last + 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Lines of the old text, and the lines of the new text that replace them.
    ///
    /// Either range may be empty.
    private struct Change {
        var old: Range<Int>
        var new: Range<Int>
    }

    private static func changes(_ old: [Line], _ new: [Line]) -> [Change] {
        var (start, oldEnd, newEnd) = (0, old.count, new.count)
        while start < min(oldEnd, newEnd), old[start] == new[start] { start += 1 }
        while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
            (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
        }
        guard start < max(oldEnd, newEnd) else { return [] }
        guard (oldEnd - start) * (newEnd - start) <= pairsMost else {
            return [Change(old: start..<oldEnd, new: start..<newEnd)]
        }
        let difference = new[start..<newEnd].difference(from: old[start..<oldEnd])
        let removed = Set(difference.removals.map { place($0) + start })
        let inserted = Set(difference.insertions.map { place($0) + start })
        var changes: [Change] = []
        var (here, there) = (start, start)
        while here < oldEnd || there < newEnd {
            let (first, second) = (here, there)
            while removed.contains(here) { here += 1 }
            while inserted.contains(there) { there += 1 }
            if here > first || there > second {
                changes.append(Change(old: first..<here, new: second..<there))
            } else {
                (here, there) = (here + 1, there + 1)
            }
        }
        return changes
    }

    private static func place(_ change: CollectionDifference<Line>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }

    /// Appends a hunk, which has neighbouring changes and the unchanged lines around them.
    private static func append(
        _ changes: ArraySlice<Change>, _ old: [Line], _ new: [Line], to output: inout [UInt8]
    ) {
        guard let first = changes.first, let last = changes.last else { return }
        let start = max(first.old.lowerBound - context, 0)
        let end = min(last.old.upperBound + context, old.count)
        let newStart = first.new.lowerBound - (first.old.lowerBound - start)
        let newEnd = last.new.upperBound + (end - last.old.upperBound)
        output += "@@ -\(range(start..<end)) +\(range(newStart..<newEnd)) @@\n".utf8
        var here = start
        for change in changes {
            for line in old[here..<change.old.lowerBound] { append(" ", line, to: &output) }
            for line in old[change.old] { append("-", line, to: &output) }
            for line in new[change.new] { append("+", line, to: &output) }
            here = change.old.upperBound
        }
        for line in old[here..<end] { append(" ", line, to: &output) }
    }

    /// The number of the first line, and the number of lines.
    ///
    /// For an empty range, it is the number of the line before it.
    private static func range(_ range: Range<Int>) -> String {
        "\(range.isEmpty ? range.lowerBound : range.lowerBound + 1),\(range.count)"
    }

    private static func append(_ sign: Character, _ line: Line, to output: inout [UInt8]) {
        output += String(sign).utf8
        output += line
        if line.last != UInt8(ascii: "\n") { output += noEnd }
    }

    // MARK: Checking

    /// Checks a received difference, and returns it with this machine's file name in the header.
    ///
    /// Returns nil if it is not the difference of one text. Further headers may name other files. They may be between
    /// hunks, or look like lines of a hunk. Programs such as `patch` would change those files. So only two lines may
    /// precede the hunks, each hunk must have the stated length, and no lines within it may look like a header.
    package static func plain(_ diff: String, named name: String) -> String? {
        let whole = lines(Array(diff.utf8))
        guard whole.count > 2, whole[0].starts(with: "--- ".utf8), whole[1].starts(with: "+++ ".utf8) else {
            return nil
        }
        var rest = whole[2...]
        while let head = rest.popFirst() {
            guard var (old, new) = counts(of: head), old + new > 0 else { return nil }
            var isHead = false
            while old > 0 || new > 0 {
                guard let line = rest.popFirst() else { return nil }
                switch line.first {
                case UInt8(ascii: " "): (old, new) = (old - 1, new - 1)
                case UInt8(ascii: "-"): old -= 1
                case UInt8(ascii: "+"): new -= 1
                case UInt8(ascii: "\\"): continue
                default: return nil
                }
                if old < 0 || new < 0 || isHead && line.starts(with: "+++ ".utf8) { return nil }
                isHead = line.starts(with: "--- ".utf8)
            }
            while rest.first?.first == UInt8(ascii: "\\") { rest.removeFirst() }
        }
        return "--- \(name)\n+++ \(name)\n" + String(decoding: whole[2...].joined(), as: UTF8.self)
    }

    /// Returns the numbers of old and new lines from a header such as `@@ -7,6 +7,8 @@`, or nil if it is malformed.
    private static func counts(of head: Line) -> (old: Int, new: Int)? {
        let words = String(decoding: head, as: UTF8.self).split(separator: " ")
        guard words.count >= 4, words[0] == "@@", words[3].hasPrefix("@@"), words[1].hasPrefix("-"),
            words[2].hasPrefix("+")
        else { return nil }
        let numbers = words[1...2].map { word -> Int? in
            let parts = word.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count <= 2, lineNumber(parts[0]) != nil else { return nil }
            return parts.count == 2 ? lineNumber(parts[1]) : 1
        }
        guard let old = numbers[0], let new = numbers[1] else { return nil }
        return (old, new)
    }

    /// Parses a number of a header; returns nil if it contains anything but digits, or is too large.
    private static func lineNumber(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text), number <= linesMost else {
            return nil
        }
        return number
    }

    // MARK: Applying

    /// Applies a difference to a text; returns nil if the difference does not match the text or is malformed.
    package static func apply(_ diff: String, to text: [UInt8]) -> [UInt8]? {
        let old = lines(text)
        var output: [UInt8] = []
        var (done, hunks) = (0, 0)
        var rest = lines(Array(diff.utf8))[...]
        while let head = rest.popFirst() {
            guard head.starts(with: "@@ ".utf8) else {
                // The names of files may only precede the first hunk.
                guard hunks == 0 else { return nil }
                continue
            }
            guard let start = start(of: head), let hunk = Hunk(&rest),
                let place = place(of: hunk.old, in: old, from: done, near: start)
            else { return nil }
            for line in old[done..<place] { output += line }
            for line in hunk.new { output += line }
            (done, hunks) = (place + hunk.old.count, hunks + 1)
        }
        guard hunks > 0 else { return nil }
        for line in old[done...] { output += line }
        return output
    }

    /// The old and the new lines of a hunk, including the unchanged lines around the changes.
    private struct Hunk {
        var old: [Line] = []
        var new: [Line] = []

        /// Reads lines up to the next hunk; nil if a line is malformed.
        init?(_ rest: inout ArraySlice<Line>) {
            while let line = rest.first, !line.starts(with: "@@ ".utf8) {
                rest.removeFirst()
                var content = line.dropFirst()
                if let next = rest.first, next.first == UInt8(ascii: "\\") {
                    rest.removeFirst()
                    if content.last == UInt8(ascii: "\n") { content.removeLast() }
                }
                switch line.first {
                case UInt8(ascii: " "): (old, new) = (old + [content], new + [content])
                case UInt8(ascii: "-"): old.append(content)
                case UInt8(ascii: "+"): new.append(content)
                default: return nil
                }
            }
        }
    }

    /// Returns the index of the first old line from a header such as `@@ -7,6 +7,8 @@`, or nil if it is malformed.
    private static func start(of head: Line) -> Int? {
        let words = head.split(separator: UInt8(ascii: " "))
        guard words.count >= 4, words[1].first == UInt8(ascii: "-") else { return nil }
        let numbers = words[1].dropFirst().split(separator: UInt8(ascii: ","))
        guard let first = numbers.first, let line = Int(String(decoding: first, as: UTF8.self)), line >= 0
        else { return nil }
        let isEmpty = numbers.count > 1 && numbers[1].elementsEqual("0".utf8)
        return isEmpty ? line : max(line - 1, 0)
    }

    /// Finds the old lines of a hunk in a text.
    ///
    /// The stated position is tried first, and then the positions nearest to it.
    private static func place(of wanted: [Line], in lines: [Line], from least: Int, near start: Int) -> Int? {
        let most = lines.count - wanted.count
        guard least <= most else { return nil }
        let start = min(max(start, least), most)
        for distance in 0...(most - least) {
            for place in distance == 0 ? [start] : [start - distance, start + distance]
            where least...most ~= place && lines[place..<(place + wanted.count)].elementsEqual(wanted) {
                return place
            }
        }
        return nil
    }

    /// Splits a text into lines, which keep their newlines.
    private static func lines(_ bytes: [UInt8]) -> [Line] {
        var (lines, start): ([Line], Int) = ([], 0)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
            lines.append(bytes[start..<end])
            start = end
        }
        return lines
    }
}
