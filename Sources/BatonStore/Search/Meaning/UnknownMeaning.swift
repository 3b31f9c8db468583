package import BatonCore

/// A text of an item or an activity whose meaning is not known here.
package struct UnknownMeaning: Equatable, Sendable {
    let subject: Subject
    /// The number of the record, or the number that stands for an activity without a record.
    package let number: Int64
    package let text: String

    /// The thing that has the text.
    enum Subject: Equatable {
        case item
        case activity
        /// An activity that this device keeps for itself, by its name.
        case kept(SavedActivityName)
    }

    /// The lane that keeps the vector.
    package var lane: Lane { subject == .item ? .index : .activities }
}

/// Texts whose meaning is not known.
package struct UnknownMeanings: Sendable {
    package var texts: [UnknownMeaning] = []
    /// Whether there may be more such texts.
    package var isMore: Bool
    /// Whether the full-text table is being filled; until it is full, no meaning is stored.
    package var isFilling = false
}

/// The vector that a program has made of the text of an item or an activity.
package struct MeaningVector: Sendable {
    let unknown: UnknownMeaning
    /// The vector; nil if the program has none for the text.
    let vector: Embedding?

    package init(_ unknown: UnknownMeaning, _ vector: Embedding?) {
        (self.unknown, self.vector) = (unknown, vector)
    }

    /// The lane that stores the vector.
    package var lane: Lane { unknown.lane }
}
