/// Explains why a search shows an item, or why it does not.
package struct ExplainItem: ConnectionCall, ReadingCall {
    package typealias Reply = ExplanationReply
    package static let number = LocalCallNumber.explainItem

    package var app: String
    /// The identifier that the app gave to the item; the item may be in any index of the app.
    package var identifier: String
    /// The words of the search; nil if the words do not matter.
    package var words: String?

    package init(app: String, _ identifier: String, words: String? = nil) {
        (self.app, self.identifier, self.words) = (app, identifier, words)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(app) }
            fields.field(2) { $0.text(identifier) }
            fields.field(3, words) { $0.text($1) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var app: String?, identifier: String?, words: String?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: app = try reader.text()
            case 2: identifier = try reader.text()
            case 3: words = try reader.text()
            default: break
            }
        }
        self.init(
            app: try app.required(1, in: reader), try identifier.required(2, in: reader), words: words)
    }
}

/// Explains why a search shows an activity, or why it does not.
package struct ExplainActivity: ConnectionCall, ReadingCall {
    package typealias Reply = ExplanationReply
    package static let number = LocalCallNumber.explainActivity

    /// The beginning of the activity's identifier.
    package var identifier: String
    /// The words of the search; nil if the words do not matter.
    package var words: String?

    package init(_ identifier: String, words: String? = nil) {
        (self.identifier, self.words) = (identifier, words)
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(identifier) }
            fields.field(2, words) { $0.text($1) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var identifier: String?, words: String?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: identifier = try reader.text()
            case 2: words = try reader.text()
            default: break
            }
        }
        self.init(try identifier.required(1, in: reader), words: words)
    }
}

/// The explanations of all matching items or activities; there is at least one.
package struct ExplanationReply: SimpleReply {
    package static let kind = LocalReplyKind.explanation

    package var explanations: [SearchExplanation]

    package init(_ explanations: [SearchExplanation]) { self.explanations = explanations }

    package func encode(to writer: inout CBORWriter) { writer.value(explanations) }

    package init(from reader: inout CBORReader) throws(CBORError) { explanations = try reader.value() }
}

extension SearchExplanation: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.unsigned(outcome.rawValue) }
            fields.field(2, title) { $0.text($1) }
            fields.field(3, app) { $0.text($1) }
            fields.field(4, index) { $0.text($1) }
            fields.field(5, words.isEmpty ? nil : words) { $0.value($1) }
            fields.field(6, place.map { UInt64($0) }) { $0.unsigned($1) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var outcome: Outcome?, title: String?, app: String?, index: String?
        var (words, place): ([String], UInt64?) = ([], nil)
        try reader.fields { (number, reader) throws(CBORError) in
            let start = reader.offset
            switch number {
            case 1:
                outcome = Outcome(rawValue: try reader.unsigned())
                guard outcome != nil else { throw CBORError(.outOfRange, at: start) }
            case 2: title = try reader.text()
            case 3: app = try reader.text()
            case 4: index = try reader.text()
            case 5: words = try reader.value()
            case 6: place = try reader.unsigned(upTo: 1 << 31)
            default: break
            }
        }
        self.init(try outcome.required(1, in: reader), title: title, app: app, index: index)
        (self.words, self.place) = (words, place.map { Int($0) })
    }
}
