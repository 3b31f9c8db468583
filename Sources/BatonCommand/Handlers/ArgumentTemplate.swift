import BatonClient
import BatonCore

/// One argument of a command: text with placeholders such as `{file}` or, if the value may be missing, `{line?}`.
///
/// Values are inserted as they are, and never parsed for placeholders. `{{` and `}}` are braces.
package struct ArgumentTemplate: Equatable, Sendable {
    /// The template as it was written.
    package let text: String
    private let pieces: [Piece]

    private enum Piece: Equatable {
        case text(String)
        case value(String, isOptional: Bool)
    }

    /// The longest argument; the system accepts four times as much.
    package static let mostBytes = 32 << 10

    /// The names of its placeholders.
    package var names: [String] {
        pieces.compactMap { piece in if case .value(let name, _) = piece { name } else { nil } }
    }

    /// Parses an argument at a place of the configuration file.
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

    /// Returns the argument with the values inserted, or nil if an optional one is missing.
    ///
    /// Unless `--` came before, no value may turn the argument into an option: the argument may not begin with a hyphen
    /// or plus sign that comes from a value, and a value after hyphens or plus signs alone must be digits.
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

    /// Whether it begins with hyphens and plus signs alone, followed by a value.
    private var beginsWithSigns: Bool {
        guard case .text(let text)? = pieces.first, pieces.count > 1 else { return false }
        return text.unicodeScalars.allSatisfy { $0 == "-" || $0 == "+" }
    }
}

extension String {
    /// Whether a program could take it for an option, or an editor for a command.
    fileprivate var beginsLikeOption: Bool {
        // The program compares bytes; to Swift, a hyphen with an accent is another character.
        utf8.first == UInt8(ascii: "-") || utf8.first == UInt8(ascii: "+")
    }
}
