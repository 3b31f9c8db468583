import BatonCore

/// Days of a person, from a seed.
extension VisitTrace {
    /// The days of somebody with projects, some of which change from month to month, a daily round in the morning, and
    /// evenings and weekends of their own.
    package static func days(_ count: Int, seed: UInt64) -> VisitTrace {
        var generator = SeededGenerator(seed: seed)
        var visits: [Visit] = []
        // A Monday.
        let first = WallTime(milliseconds: 1_767_571_200_000)
        var projects = (0..<4).map { "src/project-\($0)" }
        for day in 0..<count {
            if day > 0, day % 25 == 0 {
                projects[generator.number(0...3)] = "src/project-\(4 + day / 25)"
            }
            let (isWeekend, midnight) = (day % 7 >= 5, first.advanced(by: .seconds(Int64(day) * 86_400)))
            var blocks: [(hour: Double, names: [String])] = []
            if isWeekend {
                blocks = [(10, ["photos", "photos/\(day / 7 % 3)"]), (20, ["music", "music/new", "films"])]
            } else {
                let (main, other) = (projects[day % 7 < 3 ? 0 : 1], projects[generator.number(2...3)])
                blocks = [
                    (8.5, ["mail", "calendar", "notes"]), (9.5, [main, main + "/tests", main + "/docs"]),
                    (14, [other, other + "/tests"]), (20.5, ["blog", "blog/drafts"]),
                ]
                if day % 7 == 4 { blocks[2] = (14, ["reports", "reports/week"]) }
            }
            for (hour, names) in blocks where !generator.chance(12) {
                var time = midnight.advanced(
                    by: .seconds(Int64(hour * 3600) + Int64(generator.number(-2400...2400))))
                var place = 0
                for _ in 0..<generator.number(2...7) {
                    let isElsewhere = generator.chance(15)
                    visits.append(
                        Visit(
                            time, isElsewhere ? "odd/\(generator.number(0...25))" : names[place % names.count]
                        ))
                    // Mostly one goes on to the next, sometimes back to the first.
                    if !isElsewhere { place = generator.chance(75) ? place + 1 : 0 }
                    time = time.advanced(by: .seconds(Int64(generator.number(40...2400))))
                }
            }
        }
        return VisitTrace(visits.sorted { $0.time < $1.time })
    }
}
