/// Expands `@UnionValue`.
struct UnionExpansion {
    /// The declarations in the enumeration: its kinds, and the way to and from contents.
    let members: String

    init(_ expansion: AttachedExpansion) throws(MacroError) {
        let reader = SourceReader(expansion.declaration)
        let tokens = reader.tokens
        guard let keyword = tokens.firstIndex(where: { $0.depth == 0 && $0.text == "enum" }) else {
            throw MacroError(message: "@UnionValue belongs to an enumeration.")
        }
        let cases = try Self.cases(in: reader)
        guard !cases.isEmpty else {
            throw MacroError(
                message: "@UnionValue needs cases with one value each, as in “case note(Note)”.",
                offset: tokens[keyword].offset)
        }
        let modifiers = tokens[..<keyword].filter { $0.depth == 0 }.map(\.text)
        let access = ["public", "package"].first { modifiers.contains($0) }.map { $0 + " " } ?? ""
        let forms = cases.map { "\($0.type)._form" }.joined(separator: ", ")
        let contents = cases.map { "case .\($0.name)(let value): value._content" }.joined(
            separator: "\n        ")
        let values = cases.map {
            "if let value = try await \($0.type)._valueIfFits(content) { return .\($0.name)(\($0.label)value) }"
        }.joined(separator: "\n    ")
        members = """
            \(access)static var _memberForms: [AppIntents._IntentValueForm] { [\(forms)] }

            \(access)var _content: AppIntents._IntentValueContent {
                switch self {
                \(contents)
                }
            }

            \(access)static func _value(of content: AppIntents._IntentValueContent) async throws -> Self {
                \(values)
                throw AppIntents.AppIntentError.Unrecoverable.entityNotFound
            }
            """
    }

    /// A case with its value.
    private struct Case {
        let name: String
        let label: String
        let type: String
    }

    private static func cases(in reader: SourceReader) throws(MacroError) -> [Case] {
        let tokens = reader.tokens
        var (cases, index): ([Case], Int) = ([], 0)
        while index < tokens.count {
            guard tokens[index].depth == 1, tokens[index].text == "case" else {
                index += 1
                continue
            }
            // Several cases may follow one `case`.
            repeat {
                index += 1
                guard index + 1 < tokens.count, tokens[index + 1].text == "(" else {
                    throw MacroError(
                        message: "Each case of a @UnionValue has one value, as in “case note(Note)”.",
                        offset: tokens[Swift.min(index, tokens.count - 1)].offset)
                }
                let (open, close) = (index + 1, reader.close(of: index + 1))
                let inner = tokens[(open + 1)..<close]
                if inner.contains(where: { $0.depth == 2 && $0.text == "," }) {
                    throw MacroError(
                        message: "A case of a @UnionValue has one value, not several.",
                        offset: tokens[index].offset)
                }
                let hasLabel = open + 2 < close && tokens[open + 2].text == ":"
                cases.append(
                    Case(
                        name: tokens[index].text, label: hasLabel ? "\(tokens[open + 1].text): " : "",
                        type: reader.text(from: hasLabel ? open + 3 : open + 1, to: close)))
                index = close + 1
            } while index < tokens.count && tokens[index].text == ","
        }
        return cases
    }
}
