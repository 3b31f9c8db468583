/// What goes wrong in a world, and how often; each seed switches some of it on, with rates of its own.
struct Weather {
    /// The longest that anything takes, in milliseconds.
    var delay = 3
    /// Of a hundred groups of store work, how many fail.
    var storeFailures = 0
    /// How often what happens next is this, one against the others.
    var write = 10
    var connect = 10
    var cut = 0
    var crash = 0
    var powerLoss = 0
    var report = 0
    var collect = 0
    /// How often one node is backed up, and how often that is put back.
    var backup = 0
    var restore = 0
    /// By how many milliseconds a wall clock may be wrong.
    var clockError = 0
    /// How many transactions an app makes at once, at the most.
    var burst = 1
    /// How many things happen before all heals.
    var steps = 60

    /// Nothing goes wrong any more.
    static let fair = Weather()

    /// Draws the weather of a world.
    static func drawn(_ generator: inout SeededGenerator) -> Weather {
        var weather = Weather()
        weather.delay = generator.pick([0, 2, 20, 200])
        weather.connect = generator.number(3...12)
        weather.steps = generator.number(10...150)
        weather.burst = generator.pick([1, 1, 4, 10])
        if generator.chance(50) { weather.storeFailures = generator.pick([2, 10, 30]) }
        if generator.chance(70) { weather.cut = generator.number(1...10) }
        if generator.chance(50) { weather.crash = generator.number(1...4) }
        if generator.chance(40) { weather.powerLoss = generator.number(1...4) }
        if generator.chance(50) { weather.clockError = generator.pick([100, 100_000, 400_000_000_000]) }
        if generator.chance(80) {
            (weather.report, weather.collect) = (generator.number(1...8), generator.number(0...4))
        }
        if generator.chance(30) { (weather.backup, weather.restore) = (2, generator.number(1...2)) }
        return weather
    }
}
