package import BatonCore

/// The text of an item or an activity that has no vector in this store.
package struct UnknownMeaning: Equatable, Sendable {
    let subject: Subject
    /// The number of the record, or the number that identifies an activity without a record.
    package let number: Int64
    package let text: String

    /// The kind of thing that has the text.
    enum Subject: Equatable {
        case item
        case activity
        /// An activity that this device keeps for itself, by its name.
        case kept(SavedActivityName)
    }

    /// The lane that stores the vector.
    package var lane: Lane { subject == .item ? .index : .activities }
}

/// Texts that have no vector in this store.
package struct UnknownMeanings: Sendable {
    package var texts: [UnknownMeaning] = []
    /// Whether there may be more such texts.
    package var isMore: Bool
    /// Whether the full-text table is being filled.
    ///
    /// No vector is stored until the table is complete.
    package var isFilling = false
}

/// The vector that a program of the person has made of the text of an item or an activity.
package struct MeaningVector: Sendable {
    let unknown: UnknownMeaning
    /// The vector; nil if the program gives this text no vector.
    let vector: Embedding?

    package init(_ unknown: UnknownMeaning, _ vector: Embedding?) {
        (self.unknown, self.vector) = (unknown, vector)
    }

    /// The lane that stores the vector.
    package var lane: Lane { unknown.lane }
}
