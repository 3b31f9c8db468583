import BatonCore
import Support
import Testing

@Suite struct `The predictor` {
    private static func thing(_ name: String) -> KeyHash {
        SavedActivityName(app: "org.example", identifier: name).key.identity.hash
    }

    /// A Monday, at midnight.
    private static let monday = WallTime(milliseconds: 1_767_571_200_000)

    private static func moment(day: Int = 0, hour: Double) -> WeekMoment {
        WeekMoment(monday.advanced(by: .seconds(Int64(day) * 86_400 + Int64(hour * 3600))), offset: 0)
    }

    private static func use(_ name: String, day: Int = 0, hour: Double) -> PastUse {
        PastUse(thing(name), at: moment(day: day, hour: hour))
    }

    private static func candidate(_ name: String) -> Predictor.Candidate {
        Predictor.Candidate(thing(name), on: nil, changed: monday)
    }

    /// A predictor that has learnt uses in this order, ten minutes apart on one day.
    private static func predictor(_ names: String) -> Predictor {
        var predictor = Predictor()
        for (place, name) in names.enumerated() {
            _ = predictor.learn(use(String(name), hour: Double(place) / 6))
        }
        return predictor
    }

    private static func order(
        _ predictor: Predictor, _ names: [String], at moment: WeekMoment
    ) -> [KeyHash] {
        predictor.predictions(of: names.map(candidate), at: moment).map(\.thing)
    }

    @Test func `a moment's place in the week follows the person's local time`() {
        let sunday = Self.monday.advanced(by: .seconds(-1))
        #expect(WeekMoment(Self.monday, offset: 0).minute == 0)
        #expect(WeekMoment(sunday, offset: 0).minute == 7 * 1440 - 1)
        #expect(WeekMoment(sunday, offset: 3600).minute == 59)
        #expect(WeekMoment(Self.monday, offset: -7200).minute == 6 * 1440 + 22 * 60)
        #expect(WeekMoment(WallTime(milliseconds: -1), offset: 0).minute == 2 * 1440 + 1439, "a Wednesday")
    }

    @Test func `a thing that usually follows the last one comes first`() throws {
        let predictor = Self.predictor("abxabyabzacabqa")
        let predictions = predictor.predictions(
            of: ["b", "c", "q", "z"].map(Self.candidate), at: Self.moment(hour: 3))
        let first = try #require(predictions.first)
        #expect(first.thing == Self.thing("b"))
        #expect(first.reasons.contains(.follows(times: 4, of: 5)), "\(first.reasons)")
    }

    @Test func `a thing that followed the last two things counts more than one that followed only the last`()
        throws
    {
        // Both ends have the same history, but for the thing before the last one.
        func lead(_ end: String) throws -> Double {
            let predictions = Self.predictor("abxcbyabxcbyabxcby" + end).predictions(
                of: ["x", "y"].map(Self.candidate), at: Self.moment(hour: 4))
            let score = { (name: String) in predictions.first { $0.thing == Self.thing(name) }?.score }
            return try #require(score("x")) - #require(score("y"))
        }
        #expect(try lead("ab") > lead("cb") + 0.3)
    }

    @Test func `a thing that is used at this time of day comes first, with that reason`() throws {
        var predictor = Predictor()
        for day in 0..<12 where day % 7 < 5 {
            for (name, hour) in [("m", 8.0), ("n\(day % 3)", 9), ("o", 20), ("n\(day % 3)", 21)] {
                _ = predictor.learn(Self.use(name, day: day, hour: hour))
            }
        }
        let morning = Self.moment(day: 14, hour: 8.2)
        #expect(Self.order(predictor, ["m", "o"], at: morning).first == Self.thing("m"))
        #expect(
            Self.order(predictor, ["m", "o"], at: Self.moment(day: 14, hour: 20.2)).first == Self.thing("o"))
        let reasons = predictor.predictions(of: ["m", "o", "n0"].map(Self.candidate), at: morning)
            .first { $0.thing == Self.thing("m") }?.reasons
        #expect(try #require(reasons).contains(.now(times: 10, of: 10)), "\(String(describing: reasons))")
    }

    @Test func `the reason for a thing names the part of the week in which the thing is mostly used`() throws
    {
        func mostly(_ hours: [(day: Int, hour: Double)]) -> WeekPart? {
            var predictor = Predictor()
            for (place, time) in hours.enumerated() {
                _ = predictor.learn(Self.use("a", day: time.day, hour: time.hour))
                _ = predictor.learn(Self.use("b\(place)", day: time.day, hour: time.hour + 0.1))
            }
            let candidates = (0..<hours.count).map { Self.candidate("b\($0)") } + [Self.candidate("a")]
            let prediction = predictor.predictions(of: candidates, at: Self.moment(day: 20, hour: 3))
                .first { $0.thing == Self.thing("a") }
            for case .often(_, let part) in prediction?.reasons ?? [] { return part }
            return nil
        }
        #expect(mostly([(0, 8), (1, 9), (2, 8), (3, 9), (4, 20)]) == WeekPart(.weekdays, .morning))
        #expect(mostly([(5, 14), (6, 15), (12, 14), (13, 13)]) == WeekPart(.weekends, .afternoon))
        #expect(mostly([(0, 20), (1, 19), (2, 21), (5, 20), (9, 22)]) == WeekPart(.all, .evening))
        #expect(mostly([(0, 1), (5, 2), (9, 23), (12, 4)]) == WeekPart(.all, .night))
        #expect(mostly([(5, 8), (6, 14), (12, 20), (13, 1)]) == WeekPart(.weekends, .all))
        #expect(mostly([(0, 8), (1, 14), (2, 20)]) == nil, "too few")
        #expect(mostly([(0, 8), (1, 14), (2, 20), (3, 2), (4, 9)]) == nil, "no part has most of them")
    }

    @Test func `a recent change on another device comes before an old use on this device`() throws {
        var predictor = Self.predictor("abc")
        _ = predictor.learn(Self.use("d", day: 3, hour: 8))
        let device = DeviceIdentifier(high: 1, low: 2)
        let elsewhere = Predictor.Candidate(
            Self.thing("far"), on: device, changed: Self.moment(day: 3, hour: 9).time, isElsewhere: true)
        let predictions = predictor.predictions(
            of: [Self.candidate("a"), elsewhere, Self.candidate("b")], at: Self.moment(day: 3, hour: 9.1))
        #expect(predictions.first?.thing == elsewhere.thing)
        #expect(predictions.first?.reasons == [.elsewhere(elsewhere.changed)])
    }

    @Test func `every candidate has a reason, and the order of candidates does not matter`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            let names = (0..<generator.number(0...60)).map { _ in Array("abcdefgh")[generator.number(0...7)] }
            let predictor = Self.predictor(String(names))
            let candidates = "abcdefghijk".map { Self.candidate(String($0)) }
            let predictions = predictor.predictions(of: candidates, at: Self.moment(day: 2, hour: 5))
            #expect(predictions.count == candidates.count)
            #expect(predictions.allSatisfy { !$0.reasons.isEmpty && $0.score.isFinite })
            let other = predictor.predictions(of: candidates.reversed(), at: Self.moment(day: 2, hour: 5))
            #expect(other == predictions)
        }
        #expect(Predictor().predictions(of: [], at: Self.moment(hour: 1)).isEmpty)
    }

    // MARK: Notes

    /// Applies notes as a store does.
    private static func store(_ notes: [LocalNote], in stored: inout [[UInt8]: LocalNote]) {
        for note in notes {
            let name = [note.space.rawValue] + note.name
            stored[name] = note.value == nil ? nil : note
        }
    }

    private static func loaded(_ stored: [[UInt8]: LocalNote]) -> Predictor {
        Predictor(stored.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value))
    }

    @Test func `a predictor restored from its notes is equal`() {
        var (predictor, stored) = (Predictor(), [[UInt8]: LocalNote]())
        let device = DeviceIdentifier(high: 3, low: 4)
        for (place, visit) in VisitTrace.days(30, seed: 2).visits.enumerated() {
            let use = PastUse(
                Self.thing(visit.name), at: WeekMoment(visit.time, offset: 3600),
                from: place % 5 == 0 ? device : nil)
            Self.store(predictor.learn(use), in: &stored)
        }
        #expect(predictor.uses.count > 200)
        #expect(Self.loaded(stored) == predictor)
        #expect(stored.values.contains { $0.space == .signWeights })
    }

    @Test func `the notes contain nothing of a forgotten thing`() {
        var (predictor, stored) = (Predictor(), [[UInt8]: LocalNote]())
        for (place, name) in "abcabdabcaab".enumerated() {
            Self.store(predictor.learn(Self.use(String(name), hour: Double(place))), in: &stored)
        }
        let gone = Self.thing("a")
        Self.store(predictor.forget { $0 == gone }, in: &stored)
        #expect(!predictor.things.contains(gone) && predictor.things.count == 3)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: gone.high >> (56 - 8 * UInt64($0))) }
        #expect(
            !stored.values.contains { note in note.value.map { $0.count >= 8 && Self.has($0, bytes) } ?? false
            })
        #expect(Self.loaded(stored) == predictor)
        #expect(predictor.forget { _ in false }.isEmpty)
    }

    private static func has(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    @Test func `stored uses are limited in number and age`() {
        var stored: [[UInt8]: LocalNote] = [:]
        let use = { Self.use("\($0 % 7)", hour: Double($0) / 60) }
        for number in 0..<Predictor.usesMost {
            let name = [UInt8](repeating: 0, count: 6) + [UInt8(number / 256), UInt8(number % 256)]
            Self.store([LocalNote(space: .pastUse, name: name, value: use(number).encoded)], in: &stored)
        }
        var predictor = Self.loaded(stored)
        #expect(predictor.uses.count == Predictor.usesMost)
        for number in Predictor.usesMost..<Predictor.usesMost + 20 {
            Self.store(predictor.learn(use(number)), in: &stored)
        }
        #expect(predictor.uses.first == use(20) && predictor.uses.last == use(Predictor.usesMost + 19))
        #expect(predictor.uses.count == Predictor.usesMost)
        #expect(stored.count == Predictor.usesMost + 1)
        Self.store(predictor.learn(Self.use("new", day: 1000, hour: 0)), in: &stored)
        #expect(predictor.uses.count == 1 && Self.loaded(stored) == predictor)
    }

    @Test func `uses that only an app reports change no weights, and the oldest of them are forgotten`() {
        var stored: [[UInt8]: LocalNote] = [:]
        var predictor = Self.predictor("abab")
        let apps = { (number: Int) in Self.use("app \(number % 3)", hour: 100 + Double(number)) }
        for number in 0..<30 {
            let notes = predictor.learn(apps(number), isOfPerson: false)
            #expect(notes.allSatisfy { $0.space == .pastUse })
            Self.store(notes, in: &stored)
            let things = Set((0..<3).map { apps($0).thing })
            Self.store(predictor.forgetOldest(of: things, beyond: 10), in: &stored)
        }
        #expect(predictor.uses.count == 14 && predictor.uses.last == apps(29))
        #expect(predictor.uses.prefix(4).map(\.thing) == Self.predictor("abab").uses.map(\.thing))
        #expect(stored.values.count { $0.value != nil } == 10)
        #expect(predictor.forgetOldest(of: [], beyond: 0).isEmpty)
    }

    @Test func `using a thing twice in a row counts as one use`() {
        var predictor = Self.predictor("ab")
        #expect(predictor.learn(Self.use("b", hour: 5)).isEmpty && predictor.uses.count == 2)
    }

    @Test func `notes that are damaged or of another version are skipped`() {
        let use = Self.use("a", hour: 1)
        let name = [UInt8](repeating: 0, count: 7) + [9]
        for value in [[], [0xff], Array(use.encoded.dropLast()), use.encoded + [0]] {
            #expect(Predictor([LocalNote(space: .pastUse, name: name, value: value)]) == Predictor())
            #expect(Predictor([LocalNote(space: .signWeights, name: [], value: value)]) == Predictor())
        }
        let kept = Predictor([LocalNote(space: .pastUse, name: name, value: use.encoded)])
        #expect(kept.uses == [use])
    }
}
