/// The rank of a thing in a search, made of the score of its texts and the other factors of its score.
///
/// This file has the formula of the score, and computes all other factors. `TextRank` computes the score of the texts,
/// and `Embedding` the score of the meaning.
package struct ItemRank: Equatable, Sendable {
    /// The score of the thing's texts.
    package let text: Double
    /// The factor for how often and how recently the person opened the thing on any device; at least 1.
    package let use: Double
    /// The factor for the ranking hint of the thing's app, and for what a person chose to keep; close to 1.
    package let hint: Double
    /// The factor for how new the thing is; at least 1.
    package let freshness: Double
    /// The score for how close the meaning of the thing is to the meaning of the search.
    ///
    /// It is zero if the person has no program for meanings.
    package let meaning: Double

    package init(text: Double, use: Double, hint: Double, freshness: Double, meaning: Double = 0) {
        self.text = text
        self.use = use
        self.hint = hint
        self.freshness = freshness
        self.meaning = meaning
    }

    /// Creates the rank of a thing from the score of its texts and of its meaning, from its use, and from other facts.
    package init(
        text: Double, meaning: Double = 0, use: Engagement?, _ facts: RankFacts, at now: WallTime
    ) {
        self.init(
            text: text, use: Self.factor(of: use, at: now), hint: facts.hint,
            freshness: facts.freshness(at: now), meaning: meaning)
    }

    // MARK: The formula

    /// The score by which results are sorted.
    package var score: Double {
        Self.firstScore(text: text, meaning: meaning, use: use) * hint * freshness
    }

    /// Returns the part of the score that is known before the thing is read.
    ///
    /// The factors for the hint of the app and for newness are not known then.
    package static func firstScore(text: Double, meaning: Double, use: Double) -> Double {
        (text + meaning) * use
    }

    /// The age in days at which an opening counts half as much as a new one.
    private static let useHalf = 30.0

    /// Returns the factor for how often and how recently a thing was opened.
    package static func factor(of use: Engagement?, at now: WallTime) -> Double {
        guard let use else { return 1 }
        let openings = use.counters.reduce(0) { sum, counter in
            sum + Double(counter.times) / (1 + now.days(since: counter.last) / useHalf)
        }
        return 1 + 0.5 * (1 + openings).binaryLogarithm
    }
}

/// The facts about a thing that its rank depends on, except its texts and its use.
package struct RankFacts: Equatable, Sendable {
    /// The factor for the ranking hint of the app, and for what a person chose to keep.
    let hint: Double
    /// The time when the thing was last used or changed, in seconds since 1970.
    ///
    /// If this is not known, it is the time when the thing was indexed.
    package let date: Double?

    /// Reads the facts from fields; `time` is the date for fields that have no time of use or change.
    package init(_ fields: Fields, since time: WallTime?) {
        var values = RankValues()
        fields.visit(where: values.areAbout) { number, value in values.setField(number, Fields.plain(value)) }
        self.init(values, since: time)
    }

    /// Creates the facts from values; `time` is the date for values that have no time of use or change.
    fileprivate init(_ values: RankValues, since time: WallTime?) {
        hint = values.hint
        date = values.date ?? time.map { Double($0.milliseconds) / 1000 }
    }

    /// The age in days at which the bonus for newness is half as large as for a new thing.
    private static let freshnessHalf = 60.0

    /// The factor for how new the thing is.
    func freshness(at now: WallTime) -> Double {
        guard let date else { return 1 }
        let age = (Double(now.milliseconds) / 1000 - date) / 86_400
        return 1 + 0.15 / (1 + max(age, 0) / Self.freshnessHalf)
    }
}

/// The values of the attributes that the rank of a thing depends on, collected while they are read.
private struct RankValues {
    private var hintOfApp = 1.0, isCurated = false
    /// The time of the last use or the last change, whichever is later, in seconds since 1970.
    private(set) var date: Double?

    /// Whether a field has one of the values that the rank depends on.
    func areAbout(_ number: UInt64) -> Bool {
        switch number {
        case Attribute.lastUsedDate.number, Attribute.contentModificationDate.number,
            Attribute.rankingHint.number, Attribute.userCurated.number:
            true
        default: false
        }
    }

    mutating func setField(_ number: UInt64, _ value: PropertyValue?) {
        switch number {
        case Attribute.rankingHint.number:
            guard let hint = value?.real, !hint.isNaN else { return }
            hintOfApp = 0.9 + 0.2 * min(max(hint, 0), 100) / 100
        case Attribute.userCurated.number: isCurated = value == .boolean(true)
        default:
            guard case .date(let seconds)? = value, seconds.isFinite else { return }
            date = max(date ?? seconds, seconds)
        }
    }

    /// The factor for the ranking hint of the app, which is a number from 0 to 100, and for what a person chose to
    /// keep.
    var hint: Double { isCurated ? hintOfApp * 1.1 : hintOfApp }
}

/// The part of an item's fields that its rank needs and that tells it from other things.
///
/// All of it is read in one pass.
package struct RankedFields {
    package let facts: RankFacts
    package let names: ThingNames
    /// The time when the item was indexed; nil if it can't be read.
    package let indexed: WallTime?

    package init(_ name: ItemName, _ fields: Fields) {
        var (values, contentURL, indexed) = (RankValues(), PropertyValue?.none, WallTime?.none)
        fields.visit(where: { number in
            number == Item.indexedNumber || number == Attribute.contentURL.number || values.areAbout(number)
        }) { number, value in
            switch number {
            case Item.indexedNumber: indexed = FoundItem.time(value)
            case Attribute.contentURL.number: contentURL = Fields.plain(value)
            default: values.setField(number, Fields.plain(value))
            }
        }
        facts = RankFacts(values, since: indexed)
        (names, self.indexed) = (ThingNames(name, contentURL), indexed)
    }
}

extension PropertyValue {
    /// The value as a number; nil if it is not a number.
    fileprivate var real: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }
}

extension WallTime {
    /// Returns the number of days from the other date to this date; zero if this date is earlier.
    fileprivate func days(since earlier: WallTime) -> Double {
        max((Double(milliseconds) - Double(earlier.milliseconds)) / 86_400_000, 0)
    }
}
