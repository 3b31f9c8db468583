/// Statistics of the past uses at one moment, from which the signs of things are computed.
struct UseTable {
    /// The statistics of each thing that was used.
    private(set) var things: [KeyHash: Thing] = [:]
    /// The thing that was used last.
    let current: KeyHash?
    private let moment: WeekMoment
    private var after = Followers()
    private var pair = Followers()
    /// The number of uses in which a thing came from each device.
    private var devices: [DeviceIdentifier?: Int] = [:]
    private let count: Int

    struct Thing {
        /// The number of uses.
        fileprivate(set) var times = 0
        fileprivate(set) var last: WallTime
        /// The index of the last use of the thing among all uses.
        fileprivate(set) var place = 0
        /// The device from which the thing came at its last use.
        fileprivate(set) var device: DeviceIdentifier?
        /// The number of uses at most two hours from this time of day, and on the same kind of day: a weekday or a
        /// weekend.
        fileprivate(set) var timesNow = 0
        fileprivate(set) var moments: [WeekMoment] = []
        fileprivate var (use, hour, day) = (0.0, 0.0, 0.0)
    }

    /// The things that were used right after one thing, or after two things in a row.
    private struct Followers {
        /// The number of followers, and the sum of their weights; an older follower has a smaller weight.
        var (total, weight) = (0, 0.0)
        var followers: [KeyHash: (times: Int, weight: Double)] = [:]

        /// Counts a follower; the latest follower must be counted first.
        mutating func add(_ follower: KeyHash) {
            let weight = 1 / (1 + Double(total) / 20)
            followers[follower, default: (0, 0)].times += 1
            followers[follower, default: (0, 0)].weight += weight
            (total, self.weight) = (total + 1, self.weight + weight)
        }
    }

    init(_ uses: [PastUse], at moment: WeekMoment) {
        (self.moment, current, count) = (moment, uses.last?.thing, uses.count)
        let likeness = (0..<7).map { WeekMoment.likeness(moment.day, $0) }
        for (place, use) in uses.enumerated() {
            let distance = moment.minutesOfDay(to: use.moment)
            let age = Double(max(moment.time.milliseconds - use.moment.time.milliseconds, 0)) / 86_400_000
            things[use.thing, default: Thing(last: use.moment.time)].add(
                use, at: place, use: 1 / (1 + age / Self.useHalf),
                hour: max(0, 1 - Double(distance) / Self.hourMinutes), day: likeness[use.moment.day],
                isNow: distance <= 120 && use.moment.isWeekend == moment.isWeekend)
            devices[use.device, default: 0] += 1
        }
        guard uses.count > 1 else { return }
        let previous = uses[uses.count - 2].thing
        for place in uses.indices.dropLast().reversed() where uses[place].thing == current {
            after.add(uses[place + 1].thing)
            if place > 0, uses[place - 1].thing == previous { pair.add(uses[place + 1].thing) }
        }
    }

    /// The age in days at which a use counts half as much as a new one.
    private static let useHalf = 14.0
    /// The age in days at which the last change of a thing on another device counts half as much as a new change.
    private static let elsewhereHalf = 1.0
    /// The number of minutes from a time of day at which a use no longer counts for that time of day.
    private static let hourMinutes = 180.0
    /// The average weight of a use for a time of day, if the uses were spread evenly over the day.
    private static let hourShare = hourMinutes / (24 * 60)
    /// A number that is added to the weighted uses of each thing, because the logarithm of zero is undefined.
    private static let noUse = 0.01

    // MARK: Questions

    /// Returns how often a thing was used right after the current thing, and how often any thing was used right after
    /// it.
    func follows(_ thing: KeyHash) -> (times: Int, of: Int) {
        (after.followers[thing]?.times ?? 0, after.total)
    }

    /// Returns the number of uses in which a thing came from a device.
    func times(from device: DeviceIdentifier?) -> Int { devices[device] ?? 0 }

    /// Returns the signs of the candidates, in the order of the candidates.
    func signs(of candidates: [Predictor.Candidate]) -> [Signs] {
        // The most recently used candidate has rank 1.
        let order = candidates.indices.sorted { left, right in
            let (first, second) = (recency(of: candidates[left]), recency(of: candidates[right]))
            return first == second ? candidates[left].thing < candidates[right].thing : first > second
        }
        var ranks = [Double](repeating: 0, count: candidates.count)
        for (rank, place) in order.enumerated() { ranks[place] = Double(rank + 1) }
        let uses = candidates.map(use)
        let allUse = uses.reduce(0, +)
        let usualDay = (0..<7).reduce(0) { $0 + WeekMoment.likeness(moment.day, $1) } / 7
        return candidates.indices.map { place in
            let candidate = candidates[place]
            let thing = things[candidate.thing]
            let (times, used) = (Double(thing?.times ?? 0), uses[place])
            // Half a use at the usual time and day is added, so that a thing with few uses has signs near the usual
            // ones.
            let hour = ((thing?.hour ?? 0) + Self.hourShare / 2) / (times + 0.5)
            let day = ((thing?.day ?? 0) + usualDay / 2) / (times + 0.5)
            let share = used / allUse
            let follows = Self.share(of: candidate.thing, among: after, usual: share, counting: 2)
            let pairs = Self.share(of: candidate.thing, among: pair, usual: share, counting: 1)
            let device = Double(self.times(from: candidate.device) + 1) / Double(count + 2)
            return Signs(
                numbers: SIMD8(
                    -ranks[place].binaryLogarithm, used.binaryLogarithm, hour.binaryLogarithm,
                    day.binaryLogarithm, follows.binaryLogarithm,
                    pairs.binaryLogarithm - follows.binaryLogarithm, device.binaryLogarithm, 0))
        }
    }

    /// Returns the weighted number of uses of a candidate.
    ///
    /// If the candidate is current on another device, this counts as at most one more use.
    private func use(of candidate: Predictor.Candidate) -> Double {
        let used = Self.noUse + (things[candidate.thing]?.use ?? 0)
        guard candidate.isElsewhere else { return used }
        let age = max(moment.time.milliseconds - candidate.changed.milliseconds, 0)
        return used + 1 / (1 + Double(age) / 86_400_000 / Self.elsewhereHalf)
    }

    /// Returns the share of a thing among followers, after adding `more` followers in which the thing has its usual
    /// share.
    private static func share(
        of thing: KeyHash, among followers: Followers, usual: Double, counting more: Double
    ) -> Double {
        ((followers.followers[thing]?.weight ?? 0) + more * usual) / (followers.weight + more)
    }

    /// Returns the time of the last use of a candidate, and the index of that use, which decides between equal times.
    private func recency(of candidate: Predictor.Candidate) -> Recency {
        let thing = things[candidate.thing]
        let used = thing?.last ?? candidate.changed
        return Recency(
            time: candidate.isElsewhere ? max(used, candidate.changed) : used, place: thing?.place ?? -1)
    }

    private struct Recency: Comparable {
        let time: WallTime
        let place: Int

        static func < (left: Self, right: Self) -> Bool {
            left.time == right.time ? left.place < right.place : left.time < right.time
        }
    }
}

extension UseTable.Thing {
    fileprivate init(last: WallTime) { self.last = last }

    fileprivate mutating func add(
        _ use: PastUse, at place: Int, use recent: Double, hour: Double, day: Double, isNow: Bool
    ) {
        (times, self.place, device) = (times + 1, place, use.device)
        last = max(last, use.moment.time)
        (self.use, self.hour, self.day) = (self.use + recent, self.hour + hour, self.day + day)
        if isNow { timesNow += 1 }
        moments.append(use.moment)
    }
}
