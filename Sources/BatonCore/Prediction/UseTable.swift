/// Statistics of the past uses for one moment, from which the signs of things are computed.
struct UseTable {
    /// The statistics of each thing that was used.
    private(set) var things: [KeyHash: Thing] = [:]
    /// The thing that was used last.
    let current: KeyHash?
    private let moment: WeekMoment
    private var after = Followers()
    private var pair = Followers()
    /// How often things came from each device.
    private var devices: [DeviceIdentifier?: Int] = [:]
    private let count: Int

    struct Thing {
        /// The number of uses.
        fileprivate(set) var times = 0
        fileprivate(set) var last: WallTime
        /// The place of the last use among all uses.
        fileprivate(set) var place = 0
        /// The device from which it came last.
        fileprivate(set) var device: DeviceIdentifier?
        /// The number of uses within two hours of this time of day, on weekdays or at weekends like now.
        fileprivate(set) var timesNow = 0
        fileprivate(set) var moments: [WeekMoment] = []
        fileprivate var (use, hour, day) = (0.0, 0.0, 0.0)
    }

    /// The things that were used right after one thing, or after two things in a row.
    private struct Followers {
        /// The number of followers, and the sum of their weights: followers long ago weigh less.
        var (total, weight) = (0, 0.0)
        var followers: [KeyHash: (times: Int, weight: Double)] = [:]

        /// Counts a follower; the latest follower has to be counted first.
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

    /// The number of days after which a use counts half as much.
    private static let useHalf = 14.0
    /// The number of days after which a thing that is current on another device counts half as much.
    private static let elsewhereHalf = 1.0
    /// A use counts for a time of day if it is fewer minutes away than this.
    private static let hourMinutes = 180.0
    /// The share of a day that counts for a time of day.
    private static let hourShare = hourMinutes / (24 * 60)
    /// Added to the use of each thing, because the logarithm of zero uses is undefined.
    private static let noUse = 0.01

    // MARK: Questions

    /// Returns how often a thing was used right after the current thing, and how often anything was used after it.
    func follows(_ thing: KeyHash) -> (times: Int, of: Int) {
        (after.followers[thing]?.times ?? 0, after.total)
    }

    /// Returns how often things came from a device.
    func times(from device: DeviceIdentifier?) -> Int { devices[device] ?? 0 }

    /// Returns the signs of candidates, in their order.
    func signs(of candidates: [Predictor.Candidate]) -> [Signs] {
        // The most recently used candidate comes first.
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
            // Half a use with the usual time and day is added, so that few uses have little effect.
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

    /// Returns the weighted number of uses; being current on another device counts as at most one more use.
    private func use(of candidate: Predictor.Candidate) -> Double {
        let used = Self.noUse + (things[candidate.thing]?.use ?? 0)
        guard candidate.isElsewhere else { return used }
        let age = max(moment.time.milliseconds - candidate.changed.milliseconds, 0)
        return used + 1 / (1 + Double(age) / 86_400_000 / Self.elsewhereHalf)
    }

    /// Returns the share of a thing among followers, to which `more` followers with the usual share are added.
    private static func share(
        of thing: KeyHash, among followers: Followers, usual: Double, counting more: Double
    ) -> Double {
        ((followers.followers[thing]?.weight ?? 0) + more * usual) / (followers.weight + more)
    }

    /// Returns the time of the last use, with its place among the uses, which orders equal times.
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
