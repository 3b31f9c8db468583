import BatonCore

extension Write {
    /// A write in a few words: what it is about, what it does, and its names.
    var told: String {
        let what =
            switch action {
            case .full: identity.kind.isClear ? "clear" : "full"
            case .deletion: "deletion"
            case .partial(let base, _): "change of \(base.told)"
            case .count(let begun, _): "count begun \(begun.told)"
            }
        return "\(what) \(identity.kind.rawValue)/\(identity.hash.short) at \(stamp.told) as \(dot.told)"
    }
}

extension Stamp {
    /// In milliseconds since the world began, with the counter behind.
    var told: String {
        "\(Int64(time.value >> 16) - NodeClock.beginning).\(time.value & 0xffff)/\(life.told)"
    }
}

extension Dot {
    var told: String {
        "\(origin.life.told)\(origin.lane == .index ? "i" : "a")\(sequence).\(place)"
    }
}

extension VersionVector {
    var told: String {
        sorted.map {
            "\($0.origin.life.told)\($0.origin.lane == .index ? "i" : "a")\($0.sequence)"
        }
        .joined(separator: " ")
    }
}

extension Life {
    /// The end of its name, which is random: lives that begin together begin alike.
    var told: String { String(description.suffix(4)) }
}
