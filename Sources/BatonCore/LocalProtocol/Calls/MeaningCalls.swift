// The call by which a program gives the node vectors for the meanings of texts.

/// Passes vectors of texts to the node, and requests further texts.
///
/// The node answers when there are such texts.
///
/// Only one connection at a time may make this call. The first call of a connection has no vectors.
package struct AwaitTexts: ConnectionCall {
    package typealias Reply = TextsReply
    package static let number = LocalCallNumber.awaitTexts

    /// The name of the model that made the vectors; the node drops vectors of other models.
    package var model: String
    /// The vectors of the texts in the last answer.
    package var vectors: [TextVector]

    package init(model: String, _ vectors: [TextVector] = []) {
        (self.model, self.vectors) = (model, vectors)
    }

    package func encode(to writer: inout CBORWriter) { writer.pair(model, vectors) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (model, vectors) = try reader.pair()
    }
}

/// The vector of a text.
package struct TextVector: Equatable, Sendable {
    /// The number of the text in the answer of the node (`NumberedText`).
    package var text: UInt64
    /// The vector, of which only the direction matters; nil if the program has no vector for the text.
    package var vector: Embedding?

    package init(_ text: UInt64, _ vector: Embedding?) { (self.text, self.vector) = (text, vector) }
}

/// The texts for which the node requests vectors.
package struct TextsReply: SimpleReply {
    package static let kind = LocalReplyKind.texts

    package var texts: [NumberedText]

    package init(_ texts: [NumberedText]) { self.texts = texts }

    package func encode(to writer: inout CBORWriter) { writer.value(texts) }

    package init(from reader: inout CBORReader) throws(CBORError) { texts = try reader.value() }
}

/// A text, and the number with which the program returns its vector.
package struct NumberedText: Equatable, Sendable {
    package var number: UInt64
    package var text: String

    package init(_ number: UInt64, _ text: String) { (self.number, self.text) = (number, text) }
}

extension NumberedText: LocalValue {
    func encode(to writer: inout CBORWriter) { writer.pair(number, text) }

    init(from reader: inout CBORReader) throws(CBORError) { (number, text) = try reader.pair() }
}

extension TextVector: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.unsigned(text)
        if let vector { writer.data(vector.bytes) } else { writer.null() }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        text = try reader.unsigned()
        let start = reader.offset
        vector = try reader.optional { (reader) throws(CBORError) -> Embedding in
            guard let vector = Embedding(bytes: try reader.data()) else {
                throw CBORError(.outOfRange, at: start)
            }
            return vector
        }
    }
}
