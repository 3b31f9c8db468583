extension ItemRank {
    /// Ranks an item by the score of its texts, and by how it was used.
    package init(
        text: Double, meaning: Double = 0, use: Engagement?, _ fields: Fields, at now: WallTime
    ) {
        self.init(
            text: text, meaning: meaning, use: use, RankFacts(fields, since: FoundItem.indexed(in: fields)),
            at: now)
    }

    /// Ranks a thing by the score of its texts, by how it was used, and by what is known of it.
    package init(
        text: Double, meaning: Double = 0, use: Engagement?, _ facts: RankFacts, at now: WallTime
    ) {
        self.init(
            text: text, use: Self.factor(of: use, at: now), hint: facts.hint,
            freshness: facts.freshness(at: now), meaning: meaning)
    }

    // MARK: Use

    /// The days after which an opening counts half.
    private static let useHalf = 30.0
    /// Returns the factor for what was opened so often and so recently.
    package static func factor(of use: Engagement?, at now: WallTime) -> Double {
        guard let use else { return 1 }
        let openings = use.counters.reduce(0) { sum, counter in
            sum + Double(counter.times) / (1 + now.days(since: counter.last) / useHalf)
        }
        return 1 + 0.5 * (1 + openings).binaryLogarithm
    }

}

/// The facts about a thing that count in its rank, besides its texts and how it was used.
package struct RankFacts: Equatable, Sendable {
    /// The factor for the ranking hint of the app, and for what a person chose to keep.
    let hint: Double
    /// The time when the thing was last used or changed, or else indexed, in seconds since 1970.
    package let date: Double?

    /// Reads the facts from fields; the time counts if they have none of use or change.
    package init(_ fields: Fields, since time: WallTime?) {
        hint = Self.hint(in: fields)
        let dates = [Attribute.lastUsedDate, .contentModificationDate].compactMap { attribute -> Double? in
            guard case .date(let seconds)? = fields.readable(attribute), seconds.isFinite else { return nil }
            return seconds
        }
        date = dates.max() ?? time.map { Double($0.milliseconds) / 1000 }
    }

    /// The days after which being new counts half.
    private static let freshnessHalf = 60.0

    /// The factor for how new the thing is.
    func freshness(at now: WallTime) -> Double {
        guard let date else { return 1 }
        let age = (Double(now.milliseconds) / 1000 - date) / 86_400
        return 1 + 0.15 / (1 + max(age, 0) / Self.freshnessHalf)
    }

    /// The factor for the ranking hint of the app, a number from 0 to 100, and for what a person chose to keep.
    private static func hint(in fields: Fields) -> Double {
        var factor = 1.0
        if let hint = fields.readable(.rankingHint).flatMap(\.real), !hint.isNaN {
            factor *= 0.9 + 0.2 * min(max(hint, 0), 100) / 100
        }
        if fields.readable(.userCurated) == .boolean(true) { factor *= 1.1 }
        return factor
    }
}

extension PropertyValue {
    /// The number, if this is one.
    fileprivate var real: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }
}

extension WallTime {
    /// Returns how many days later this is than the other date; zero if it is earlier.
    fileprivate func days(since earlier: WallTime) -> Double {
        max((Double(milliseconds) - Double(earlier.milliseconds)) / 86_400_000, 0)
    }
}
