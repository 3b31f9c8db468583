/// Predicts which things a person wants next on this device, from the past uses of things on this device.
///
/// The predictor has no clock and does no I/O. The caller passes the present time to it, and each change returns the
/// notes to store. The number and the age of the uses are limited. A use has only the hash of its thing.
package struct Predictor: Equatable, Sendable {
    /// The uses, oldest first, each with the number that is the name of its note.
    private var numbered: [(number: UInt64, use: PastUse)] = []
    private var weights = SignWeights.initial

    /// The largest number of uses that are remembered, and their greatest age (`longest`).
    package static let usesMost = 2048
    package static let longest = Duration.seconds(90 * 86_400)

    /// A thing that may be suggested.
    package struct Candidate: Equatable, Sendable {
        package let thing: KeyHash
        /// The device on which the thing is; nil for this device.
        package let device: DeviceIdentifier?
        /// The time of the last change of the thing.
        package let changed: WallTime
        /// Whether the thing is current on another device.
        package let isElsewhere: Bool

        package init(
            _ thing: KeyHash, on device: DeviceIdentifier?, changed: WallTime, isElsewhere: Bool = false
        ) {
            (self.thing, self.device) = (thing, device)
            (self.changed, self.isElsewhere) = (changed, isElsewhere)
        }
    }

    /// Decodes the notes; a note that can't be read is ignored.
    package init(_ notes: [LocalNote] = []) {
        for note in notes {
            guard let value = note.value else { continue }
            do throws(CBORError) {
                switch note.space {
                case .pastUse where note.name.count == 8:
                    let number = note.name.reduce(0) { $0 << 8 | UInt64($1) }
                    numbered.append((number, try PastUse(encoded: value)))
                case .signWeights: weights = try SignWeights(encoded: value)
                default: break
                }
            } catch {
                // Another version of the program may have written the note.
            }
        }
        numbered.sort { $0.number < $1.number }
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.weights == right.weights && left.numbered.map(\.number) == right.numbered.map(\.number)
            && left.uses == right.uses
    }

    // MARK: Queries

    /// The uses that are remembered, oldest first.
    package var uses: [PastUse] { numbered.map(\.use) }

    /// The things that were used.
    package var things: Set<KeyHash> { Set(numbered.map(\.use.thing)) }

    /// The thing that was used last.
    package var current: KeyHash? { numbered.last?.use.thing }

    /// Returns predictions for the candidates at a moment, likeliest candidate first.
    package func predictions(of candidates: [Candidate], at moment: WeekMoment) -> [Prediction] {
        guard !candidates.isEmpty else { return [] }
        // The candidates are sorted, so that their numbers are always added in the same order. Otherwise, rounding
        // could change the sums.
        let candidates = candidates.sorted { $0.thing < $1.thing }
        let table = UseTable(uses, at: moment)
        let signs = table.signs(of: candidates)
        let mean = signs.reduce(SIMD8<Double>.zero) { $0 + $1.numbers } / Double(signs.count)
        var predictions: [Prediction] = []
        for (candidate, signs) in zip(candidates, signs) {
            let strengths = Signs(numbers: (signs.numbers - mean) * weights.numbers)
            predictions.append(
                Prediction(
                    thing: candidate.thing, score: weights.score(signs),
                    reasons: Self.reasons(for: candidate, strengths, in: table)))
        }
        // Equal scores are sorted by hash, so that the result is always the same.
        return predictions.sorted {
            $0.score == $1.score ? $0.thing < $1.thing : $0.score > $1.score
        }
    }

    /// Returns the reasons for a candidate.
    ///
    /// `strengths` says how much more each sign speaks for this candidate than for the average candidate.
    private static func reasons(
        for candidate: Candidate, _ strengths: Signs, in table: UseTable
    ) -> [PredictionReason] {
        let thing = table.things[candidate.thing]
        var reasons: [(strength: Double, reason: PredictionReason)] = []
        let follows = table.follows(candidate.thing)
        if follows.times > 0 {
            reasons.append(
                (strengths[.after] + strengths[.pair], .follows(times: follows.times, of: follows.of)))
        }
        if let thing {
            reasons.append(
                (strengths[.use], .often(times: thing.times, mostly: WeekPart.most(of: thing.moments))))
            if thing.timesNow > 1 {
                reasons.append(
                    (strengths[.hour] + strengths[.day], .now(times: thing.timesNow, of: thing.times)))
            }
        }
        let used = thing?.last ?? candidate.changed
        let isNews = candidate.isElsewhere && (thing == nil || candidate.changed > used)
        reasons.append((strengths[.recency], isNews ? .elsewhere(candidate.changed) : .recent(used)))
        let fromThere = table.times(from: candidate.device)
        if candidate.device != nil, fromThere > 1 {
            reasons.append((strengths[.device], .device(times: fromThere)))
        }
        reasons.sort { $0.strength > $1.strength }
        let strong = reasons.filter { $0.strength > Self.strengthLeast }
        return (strong.isEmpty ? Array(reasons.prefix(1)) : strong).map(\.reason)
    }

    /// A sign is given as a reason only if its strength is larger than this.
    private static let strengthLeast = 0.02

    // MARK: Changes

    /// Learns from a use that comes after all other uses; returns the notes to store.
    ///
    /// If the thing was also used last, the use is ignored. If only an app reported the use, the weights do not change,
    /// because they are used for the things of all apps.
    package mutating func learn(_ use: PastUse, isOfPerson: Bool = true) -> [LocalNote] {
        guard use.thing != current else { return [] }
        var notes = isOfPerson ? learnWeights(from: use) : []
        let number = (numbered.last?.number ?? 0) + 1
        numbered.append((number, use))
        notes.append(Self.note(number, use))
        let oldest = use.moment.time.advanced(by: .zero - Self.longest)
        let tooMany = max(numbered.count - Self.usesMost, 0)
        let tooOld = numbered.prefix { $0.use.moment.time < oldest }.count
        for (number, _) in numbered.prefix(max(tooMany, tooOld)) { notes.append(Self.note(number, nil)) }
        numbered.removeFirst(max(tooMany, tooOld))
        return notes
    }

    private mutating func learnWeights(from use: PastUse) -> [LocalNote] {
        let table = UseTable(uses, at: use.moment)
        guard table.things[use.thing] != nil else { return [] }
        let candidates = table.things.filter { $0.key != table.current }.sorted {
            $0.value.place > $1.value.place
        }
        .map { Candidate($0.key, on: $0.value.device, changed: $0.value.last) }
        guard candidates.count > 1, let place = candidates.firstIndex(where: { $0.thing == use.thing }) else {
            return []
        }
        weights.learn(place, among: table.signs(of: candidates))
        return [LocalNote(space: .signWeights, name: [], value: weights.encoded)]
    }

    /// Forgets the uses of some things; returns the notes that remove these uses.
    package mutating func forget(where isForgotten: (KeyHash) -> Bool) -> [LocalNote] {
        let notes = numbered.filter { isForgotten($0.use.thing) }.map { Self.note($0.number, nil) }
        numbered.removeAll { isForgotten($0.use.thing) }
        return notes
    }

    /// Forgets the oldest uses of some things; returns the notes that remove these uses.
    ///
    /// The last `most` uses of these things, counted together, are kept.
    package mutating func forgetOldest(of things: Set<KeyHash>, beyond most: Int) -> [LocalNote] {
        let oldest = Set(numbered.filter { things.contains($0.use.thing) }.dropLast(most).map(\.number))
        guard !oldest.isEmpty else { return [] }
        numbered.removeAll { oldest.contains($0.number) }
        return oldest.sorted().map { Self.note($0, nil) }
    }

    private static func note(_ number: UInt64, _ use: PastUse?) -> LocalNote {
        let name = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
        return LocalNote(space: .pastUse, name: name, value: use?.encoded)
    }
}
