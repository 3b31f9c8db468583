import BatonCore

/// One argument of a command: text, and places for values such as `{file}` or, where one may be missing, `{line?}`.
///
/// A value is put in as it is: what looks like a place in it is none. `{{` and `}}` are braces.
package struct ArgumentTemplate: Equatable, Sendable {
    /// As it was written.
    package let text: String
    private let pieces: [Piece]

    private enum Piece: Equatable {
        case text(String)
        case value(String, isOptional: Bool)
    }

    /// The longest argument; the system takes no more than four times that.
    package static let mostBytes = 32 << 10

    /// The names that stand in it.
    package var names: [String] {
        pieces.compactMap { piece in if case .value(let name, _) = piece { name } else { nil } }
    }

    /// An argument as the person's file has it at that place.
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

    /// The argument with the values in their places; nothing if one is missing that may.
    ///
    /// Unless all options are over, no value makes it an option: it may not begin with a hyphen or a plus sign
    /// because of one, and behind such signs alone stands nothing but digits.
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

    /// Whether it begins with text that is all hyphens and plus signs, and then with a value.
    private var beginsWithSigns: Bool {
        guard case .text(let text)? = pieces.first, pieces.count > 1 else { return false }
        return text.unicodeScalars.allSatisfy { $0 == "-" || $0 == "+" }
    }
}

extension String {
    /// Whether a program could take it for an option, or an editor for a command.
    fileprivate var beginsLikeOption: Bool {
        // Of the bytes, as the program reads them: to Swift, a hyphen with an accent is another character.
        utf8.first == UInt8(ascii: "-") || utf8.first == UInt8(ascii: "+")
    }
}
