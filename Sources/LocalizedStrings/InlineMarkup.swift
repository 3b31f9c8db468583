import Foundation

/// Reads the marks in a line of Markdown: emphasis, code, links and `^[…](…)`, which asks for an inflection.
///
/// Foundation on Linux has an attribute for links only, and inflects no words. So the other marks are removed, and their
/// text stays as it is. A mark that nothing closes is a part of the text.
struct InlineMarkup {
    private let text: [Character]

    init(_ text: String) { self.text = Array(text) }

    /// The text without marks, with its links as attributes.
    var attributed: AttributedString { attributed(0..<text.count, link: nil) }

    /// Returns a text that is read as itself.
    static func escaped(_ text: String) -> String {
        String(text.flatMap { $0.isMarkdownSign ? ["\\", $0] : [$0] })
    }

    private func attributed(_ range: Range<Int>, link: URL?) -> AttributedString {
        var (result, plain) = (AttributedString(), "")
        func flush() {
            var part = AttributedString(plain)
            if let link { part.link = link }
            result += part
            plain = ""
        }
        var index = range.lowerBound
        while index < range.upperBound {
            let character = text[index]
            if character == "\\", index + 1 < range.upperBound, text[index + 1].isMarkdownSign {
                plain.append(text[index + 1])
                index += 2
            } else if let span = span(at: index, in: range) {
                flush()
                switch span.kind {
                case .code: plain += unescaped(span.inner)
                case .marked: result += attributed(span.inner, link: link)
                case .link(let url): result += attributed(span.inner, link: url ?? link)
                }
                index = span.end
            } else {
                // A run of marks that open nothing is read as a whole; its rest opens nothing either.
                let count = "*_~`".contains(character) ? run(at: index, in: range) : 1
                plain += String(text[index..<(index + count)])
                index += count
            }
        }
        flush()
        return result
    }

    /// The text of code, in which values may be escaped.
    private func unescaped(_ range: Range<Int>) -> String {
        var (result, index) = ("", range.lowerBound)
        while index < range.upperBound {
            let isEscape =
                text[index] == "\\" && index + 1 < range.upperBound && text[index + 1].isMarkdownSign
            result.append(text[isEscape ? index + 1 : index])
            index += isEscape ? 2 : 1
        }
        return result
    }

    private enum Kind {
        case code
        case marked
        case link(URL?)
    }

    /// A part between marks, and the place after the closing mark.
    private struct Span {
        let kind: Kind
        let inner: Range<Int>
        let end: Int
    }

    private func span(at start: Int, in range: Range<Int>) -> Span? {
        switch text[start] {
        case "[": return bracketed(start, in: range)
        case "^" where start + 1 < range.upperBound && text[start + 1] == "[":
            guard let span = bracketed(start + 1, in: range) else { return nil }
            return Span(kind: .marked, inner: span.inner, end: span.end)
        case "`", "*", "_", "~": return delimited(start, in: range)
        default: return nil
        }
    }

    /// The span of `[…](…)`; nil if it lacks a part.
    private func bracketed(_ open: Int, in range: Range<Int>) -> Span? {
        guard let close = closing(open, "[", "]", in: range), close + 1 < range.upperBound,
            text[close + 1] == "(", let end = closing(close + 1, "(", ")", in: range)
        else { return nil }
        let address = String(text[(close + 2)..<end])
        return Span(kind: .link(URL(string: address)), inner: (open + 1)..<close, end: end + 1)
    }

    private func closing(_ open: Int, _ opening: Character, _ closing: Character, in range: Range<Int>)
        -> Int?
    {
        var (index, depth) = (open, 0)
        while index < range.upperBound {
            switch text[index] {
            case "\\": index += 1
            case opening: depth += 1
            case closing:
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The span between two runs of the same length of a sign.
    private func delimited(_ start: Int, in range: Range<Int>) -> Span? {
        let (sign, length) = (text[start], run(at: start, in: range))
        let isCode = sign == "`"
        let inner = start + length
        if !isCode {
            guard length <= 3, sign != "~" || length == 2, inner < range.upperBound,
                !text[inner].isWhitespace,
                sign != "_" || start == range.lowerBound || !text[start - 1].isLetterOrNumber
            else { return nil }
        }
        var index = inner
        while index < range.upperBound {
            if text[index] == "\\" {
                index += 2
                continue
            }
            guard text[index] == sign else {
                index += 1
                continue
            }
            let count = run(at: index, in: range)
            let end = index + count
            let closes =
                isCode
                || !text[index - 1].isWhitespace
                    && (sign != "_" || end == range.upperBound || !text[end].isLetterOrNumber)
            if count == length, closes {
                return Span(kind: isCode ? .code : .marked, inner: inner..<index, end: end)
            }
            index = end
        }
        return nil
    }

    /// How often a sign stands in a row.
    private func run(at start: Int, in range: Range<Int>) -> Int {
        text[start..<range.upperBound].prefix { $0 == text[start] }.count
    }
}

extension Character {
    /// Whether a backslash before the character makes it plain.
    fileprivate var isMarkdownSign: Bool { isASCII && (isPunctuation || isSymbol) }

    fileprivate var isLetterOrNumber: Bool { isLetter || isNumber }
}
