import BatonCore

extension Write {
    /// Describes a write in a few words: its record, its action, and its names.
    func told(in world: World) -> String {
        let what =
            switch action {
            case .full: identity.kind.isClear ? "clear" : "full"
            case .deletion: "deletion"
            case .partial(let base, _): "change of \(base.told(in: world))"
            case .count(let begun, _): "count begun \(begun.told(in: world))"
            }
        return "\(what) \(identity.told)\(toldContent) at \(stamp.told(in: world)) as \(dot.told(in: world))"
    }

    /// Describes the scope that it writes to or clears, and the fields that it sets.
    private var toldContent: String {
        let (scope, fields): (Scope?, Fields) =
            switch action {
            case .full(let content), .count(_, let content):
                (Record(self).clear?.scope ?? content.scope, content.fields)
            case .partial(_, let fields): (nil, fields)
            case .deletion: (nil, Fields())
            }
        let names = fields.map { $0.name.told }.joined(separator: ",")
        return (scope.map { $0.isEmpty ? "" : " in \($0.told)" } ?? "") + (names.isEmpty ? "" : " {\(names)}")
    }
}

extension Stamp {
    /// The milliseconds since the world began, followed by the counter.
    func told(in world: World) -> String {
        "\(time.told)/\(life.told(in: world))"
    }
}

extension HybridTime {
    /// The milliseconds since the world began, followed by the counter.
    var told: String {
        self == .zero ? "none" : "\(Int64(value >> 16) - NodeClock.beginning).\(value & 0xffff)"
    }
}

extension Dot {
    func told(in world: World) -> String { "\(origin.told(in: world))\(sequence).\(place)" }
}

extension VersionVector {
    func told(in world: World) -> String {
        sorted.map { "\($0.origin.told(in: world))\($0.sequence)" }.joined(separator: " ")
    }
}

extension Life {
    /// The life's number among the lives of its node, such as `N1#2`; for a life that no node of the world began, the
    /// end of its identifier.
    func told(in world: World) -> String { world.name(of: self) ?? String(description.suffix(4)) }
}

extension Origin {
    func told(in world: World) -> String { "\(life.told(in: world))/\(lane == .index ? "i" : "a")" }
}

extension Scope {
    /// The parts of the scope, the widest first.
    var told: String {
        var (reader, parts): (CBORReader, [String]) = (CBORReader(encoded), [])
        do throws(CBORError) {
            while reader.nextType == .text { parts.append(try reader.text()) }
        } catch {
            preconditionFailure("a scope was read when it was made: \(error)")
        }
        return parts.joined(separator: "/")
    }
}

extension FieldName {
    var told: String {
        switch self {
        case .number(let number): "\(number)"
        case .custom(let text): "“\(String(decoding: text, as: UTF8.self))”"
        case .part(let number, let device): "\(number) of \(device.short)"
        }
    }
}

extension RecordIdentity {
    /// The kind and the beginning of the hash.
    var told: String { "\(kind.rawValue)/\(hash.short)" }
}

extension ResumeToken {
    /// The end of the name of the order of arrival, and how far its writes and clears were sent.
    var told: String {
        guard !bytes.isEmpty else { return "none" }
        let order = ArrivalOrder(bytes: Array(bytes.prefix(ArrivalOrder.byteCount)))
        guard let order, let cursor = cursor(in: order) else { return "unreadable" }
        return "\(String(order.description.suffix(4)))@\(cursor.told)"
    }
}

extension Cursor {
    /// The position up to which writes were sent, and that of clears if it is further.
    var told: String {
        "\(writes.value)" + (clears == writes ? "" : " (clears \(clears.value))")
    }
}

extension SnapshotProgress {
    func told(in world: World) -> String {
        "through \(through?.told ?? "nothing") with \(start.told(in: world)) from \(token.told)"
    }
}

extension Batch {
    /// The kind of transfer that it belongs to.
    var transfer: String {
        if let repair { return "repair of \(lane)\(repair == .last ? ", the last" : "")" }
        if let range {
            return "snapshot of \(lane) after \(range.after?.told ?? "the beginning") through "
                + "\(range.through?.told ?? "the end")\(range.isEndAhead ? ", its last record ahead" : "")"
                + ", horizon \(range.horizon.told)"
        }
        return isAhead ? "ahead of a range of \(lane)" : "changes of \(lane)"
    }
}
