package import BatonCore

/// A person's visits in order, each a time and a name, such as a folder.
package struct VisitTrace: Sendable {
    package struct Visit: Sendable {
        package let time: WallTime
        package let name: String

        package init(_ time: WallTime, _ name: String) { (self.time, self.name) = (time, name) }
    }

    package private(set) var visits: [Visit] = []

    package init(_ visits: [Visit]) {
        for visit in visits where visit.name != self.visits.last?.name { self.visits.append(visit) }
    }

    /// Reads lines, each with seconds since 1970, a tab and a name; nil if one is none.
    package init?(lines text: String) {
        var visits: [Visit] = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1)
            guard parts.count == 2, let seconds = Int64(parts[0]) else { return nil }
            visits.append(Visit(WallTime(milliseconds: seconds * 1000), String(parts[1])))
        }
        self.init(visits)
    }

    /// Stands for a name, as a thing's hash does.
    fileprivate static func thing(_ name: String) -> KeyHash {
        SavedActivityName(app: "org.example", identifier: name).key.identity.hash
    }
}

/// How often the next visit was among the first three guesses.
package struct TraceScore: Equatable, Sendable {
    /// The visits that were to be guessed.
    package private(set) var visits = 0
    /// How many of them were guessed by the predictor, as the most recent, and as the most frequent.
    package private(set) var (predicted, recent, frequent) = (0, 0, 0)

    package init() {}

    /// Follows a trace: from the given part on, each visit is guessed from all before it.
    ///
    /// Candidates are all that was visited in the last 30 days, for which a device keeps what ended, except for the place
    /// where the person is.
    package init(of trace: VisitTrace, learning part: Double = 0.7) {
        var predictor = Predictor()
        var (things, known): ([String: KeyHash], [KeyHash: (times: Int, last: Int)]) = ([:], [:])
        var recentFirst: [KeyHash] = []
        let (visits, start) = (trace.visits, Int(Double(trace.visits.count) * part))
        for (place, visit) in visits.enumerated() {
            let thing = things[visit.name] ?? VisitTrace.thing(visit.name)
            things[visit.name] = thing
            let oldest = visit.time.advanced(by: .seconds(-30 * 86_400))
            let gone = known.filter { visits[$0.value.last].time < oldest }
            if !gone.isEmpty {
                _ = predictor.forget { gone[$0] != nil }
                recentFirst.removeAll { gone[$0] != nil }
                for thing in gone.keys { known[thing] = nil }
            }
            let moment = WeekMoment(visit.time, offset: 0)
            if place >= start, let current = recentFirst.first {
                self.visits += 1
                let others = recentFirst.dropFirst()
                if others.prefix(3).contains(thing) { recent += 1 }
                let frequent = known.filter { $0.key != current }.sorted {
                    ($0.value.times, $0.value.last) > ($1.value.times, $1.value.last)
                }
                if frequent.prefix(3).contains(where: { $0.key == thing }) { self.frequent += 1 }
                let candidates = others.map {
                    Predictor.Candidate($0, on: nil, changed: visits[known[$0]?.last ?? place].time)
                }
                let predictions = predictor.predictions(of: candidates, at: moment)
                if predictions.prefix(3).contains(where: { $0.thing == thing }) { predicted += 1 }
            }
            _ = predictor.learn(PastUse(thing, at: moment))
            recentFirst.removeAll { $0 == thing }
            recentFirst.insert(thing, at: 0)
            known[thing] = ((known[thing]?.times ?? 0) + 1, place)
        }
    }

    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.visits += right.visits
        sum.predicted += right.predicted
        sum.recent += right.recent
        sum.frequent += right.frequent
        return sum
    }

    /// A number of hits as a share of the visits.
    package func share(_ hits: Int) -> Double { visits == 0 ? 0 : Double(hits) / Double(visits) }
}
