/// One number that came out, and what it should be.
struct Figure {
    let name: String
    let value: Double
    let unit: String
    let reach: Reach?

    /// A bound that the number must keep.
    enum Reach {
        case atLeast(Double)
        case atMost(Double)
    }

    init(_ name: String, _ value: Double, _ unit: String, reach: Reach? = nil) {
        (self.name, self.value, self.unit, self.reach) = (name, value, unit, reach)
    }

    /// Whether the number is what it should be; true of one that only informs.
    var holds: Bool {
        switch reach {
        case .atLeast(let least): value >= least
        case .atMost(let most): value <= most
        case nil: true
        }
    }
}

extension Figure: Encodable {
    private enum Key: CodingKey { case name, value, unit, reach, holds }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(unit, forKey: .unit)
        switch reach {
        case .atLeast(let number), .atMost(let number): try container.encode(number, forKey: .reach)
        case nil: try container.encodeNil(forKey: .reach)
        }
        try container.encode(holds, forKey: .holds)
    }
}
