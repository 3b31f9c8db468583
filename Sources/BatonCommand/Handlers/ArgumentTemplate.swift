import BatonClient
import BatonCore

/// One argument of a command: a text that may contain placeholders.
///
/// A placeholder is written `{file}`, or `{line?}` if its value may be missing. Values are inserted unchanged;
/// placeholders in a value are not replaced. `{{` and `}}` mean the braces themselves.
package struct ArgumentTemplate: Equatable, Sendable {
    /// The template as the configuration file has it.
    package let text: String
    private let pieces: [Piece]

    private enum Piece: Equatable {
        case text(String)
        case value(String, isOptional: Bool)
    }

    /// The maximum length of an argument in bytes.
    ///
    /// The system would accept four times this length.
    package static let mostBytes = 32 << 10

    /// The names of the template's placeholders.
    package var names: [String] {
        pieces.compactMap { piece in if case .value(let name, _) = piece { name } else { nil } }
    }

    /// Parses an argument; `place` is its position in the configuration file.
    init(_ text: String, at place: TextPlace) throws(TextError) {
        self.text = text
        if let problem = ActivityValues.problem(with: text) {
            throw TextError(place, "this argument \(problem)")
        }
        var pieces: [Piece] = []
        var (plain, name): (String, String?) = ("", nil)
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if let begun = name {
                guard scalar != "{" else { break }
                name = scalar == "}" ? nil : begun + String(scalar)
                guard scalar == "}" else { continue }
                let bare = begun.hasSuffix("?") ? String(begun.dropLast()) : begun
                guard !bare.isEmpty else { throw TextError(place, "{} does not name a value") }
                if !plain.isEmpty { pieces.append(.text(plain)) }
                pieces.append(.value(bare, isOptional: begun != bare))
                plain = ""
            } else if scalar == "{", rest.first != "{" {
                name = ""
            } else {
                if scalar == "{" || scalar == "}" {
                    guard rest.first == scalar else {
                        throw TextError(place, "unmatched }; write }} for a brace")
                    }
                    rest.removeFirst()
                }
                plain.unicodeScalars.append(scalar)
            }
        }
        guard name == nil else {
            throw TextError(place, "unmatched {; write {{ for a brace")
        }
        if !plain.isEmpty || pieces.isEmpty { pieces.append(.text(plain)) }
        self.pieces = pieces
    }

    /// Returns the argument with the values inserted, or nil if an optional value is missing.
    ///
    /// Unless the argument `--` came before, no value may turn this argument into an option. So a value at the
    /// beginning may not begin with a hyphen or plus sign. After text that consists only of such signs, a value must
    /// consist of digits.
    func word(
        _ values: ActivityValues, paths: [String], isBehindOptions: Bool
    ) throws(LocalFailure) -> String? {
        var word = ""
        let isGuarded = !names.isEmpty && !isBehindOptions
        let isOnlySigns = isGuarded && beginsWithSigns
        for piece in pieces {
            switch piece {
            case .text(let text): word += text
            case .value(let name, let isOptional):
                let found = paths.contains(name) ? try values.path(name) : try values.text(name)
                guard let value = found else {
                    if isOptional { return nil }
                    throw values.failure("has no `\(name)`, which is needed to continue it")
                }
                if isOnlySigns, value.isEmpty || !value.unicodeScalars.allSatisfy(\.isDigit) {
                    throw values.failure(
                        "has a `\(name)` that is not a number, and could be taken for an option after “\(text.prefix(1))”"
                    )
                }
                word += value
            }
        }
        if isGuarded, !isOnlySigns, case .value(let name, _)? = pieces.first, word.beginsLikeOption {
            throw values.failure(
                "has a `\(name)` that could be taken for an option; put \"--\" before it in the handler")
        }
        guard word.utf8.count <= Self.mostBytes else {
            throw values.failure("would make an argument longer than \(Self.mostBytes >> 10) KiB")
        }
        return word
    }

    /// Whether the argument begins with only hyphens and plus signs, and a value follows them.
    private var beginsWithSigns: Bool {
        guard case .text(let text)? = pieces.first, pieces.count > 1 else { return false }
        return text.unicodeScalars.allSatisfy { $0 == "-" || $0 == "+" }
    }
}

extension String {
    /// Whether a program could read the text as an option, or an editor as a command.
    fileprivate var beginsLikeOption: Bool {
        // The program compares bytes. As a Swift character, a hyphen with an accent is not equal to a hyphen.
        utf8.first == UInt8(ascii: "-") || utf8.first == UInt8(ascii: "+")
    }
}
