package import BatonCore

extension SeededGenerator {
    package mutating func activity() -> Activity {
        var activity = Activity(type: "org.example." + text(), started: time())
        activity.title = maybe { $0.text() }
        activity.info = dictionary(depth: 2)
        activity.requiredKeys = maybe { $0.texts() }
        activity.webpage = maybe { $0.text() }
        activity.referrer = maybe { $0.text() }
        activity.keywords = texts()
        activity.targetContentIdentifier = maybe { $0.text() }
        activity.persistentIdentifier = maybe { $0.text() }
        if chance(50) { activity.eligibility = Eligibility(rawValue: chance(50) ? next() % 16 : next()) }
        activity.supportsStreams = chance(50)
        activity.entity = maybe { Activity.Entity(type: $0.text(), identifier: $0.text()) }
        activity.expiration = maybe { $0.time() }
        activity.changed = time()
        activity.continuation = maybe { Activity.Continuation(device: $0.identifier(), time: $0.time()) }
        activity.finished = maybe { $0.time() }
        activity.sent = maybe { Activity.Continuation(device: $0.identifier(), time: $0.time()) }
        activity.origin = maybe {
            let key = $0.key(of: 8)
            return Activity.Origin(
                device: $0.identifier(),
                identity: RecordIdentity(kind: .currentActivity, hash: key.identity.hash))
        }
        activity.isTaken = chance(50)
        if chance(20) {
            activity.protection = Activity.Protection(
                subject: identifier(), content: chance(50) ? sealedValue() : nil)
        }
        activity.attributes = attributes(0...4)
        activity.unknown = maybe { $0.unknownFields(22...31) } ?? Fields()
        return activity
    }

    /// Returns attributes of the system, of apps and of newer versions; some sealed, and some of a wrong type.
    package mutating func attributes(_ count: ClosedRange<Int> = 0...12) -> AttributeSet {
        var attributes = AttributeSet()
        let count = number(count)
        for _ in 0..<count {
            switch number(0...9) {
            case 0: attributes[.number(UInt64(number(250...400)))] = .unknown(unknownValue())
            case 1, 2: attributes[.custom(Array(text(0...3).utf8))] = attributeValue()
            default: attributes[pick(Attribute.allCases)] = attributeValue()
            }
        }
        return attributes
    }

    package mutating func attributeValue() -> AttributeValue {
        chance(20) ? .sealed(sealedValue()) : .plain(value(depth: 2))
    }

    package mutating func sealedValue() -> SealedValue { SealedValue(key: identifier(), box: bytes(0...60)) }

    package mutating func itemName() -> ItemName { ItemName(app: text(), index: text(), identifier: text()) }

    package mutating func item() -> Item {
        var item = Item(
            domain: maybe { $0.domain() }, expiration: maybe { $0.time() }, indexed: maybe { $0.time() },
            attributes: attributes())
        item.unknown = maybe { $0.unknownFields(4...31) } ?? Fields()
        return item
    }

    /// Returns any changes that an app may make to an item, except of its domain.
    package mutating func update() -> Item.Update {
        var update = Item.Update()
        update.expiration = maybe { $0.time() }
        update.indexed = maybe { $0.time() }
        update.attributes = attributes(0...6)
        let count = number(0...3)
        for _ in 0..<count { update.removed.insert(.number(pick(Attribute.allCases).number)) }
        return update
    }

    /// Returns a domain with parts of all kinds, some empty.
    package mutating func domain() -> String {
        let count = number(0...4)
        return (0...count).map { _ in text(0...2) }.joined(separator: ".")
    }

    package mutating func clientState() throws -> ClientState {
        var state = try ClientState(bytes(0...ClientState.bytesMost), covers: vector(), changed: time())
        state.unknown = maybe { $0.unknownFields(4...31) } ?? Fields()
        return state
    }

    package mutating func engagement() -> Engagement {
        var devices: Set<DeviceIdentifier> = []
        let count = number(0...4)
        for _ in 0..<count { devices.insert(identifier()) }
        return Engagement(
            devices.sorted().map { device in
                Engagement.Counter(device: device, times: chance(80) ? next() % 100 : next(), last: time())
            })
    }

    package mutating func device() -> Device {
        var device = Device(
            identifier: identifier(), name: text(), admitted: time(), owner: maybe { $0.identifier() },
            left: maybe { $0.time() })
        if chance(40) { device.remove(identifier(), seen: nil, at: time()) }
        device.unknown = maybe { $0.unknownFields(7...31) } ?? Fields()
        return device
    }

    // MARK: Additions of a newer version

    /// Returns fields without a meaning in this version: some with those numbers, and some with parts for devices.
    package mutating func unknownFields(_ numbers: ClosedRange<Int>) -> Fields {
        var fields = Fields()
        let count = number(1...3)
        for _ in 0..<count {
            let name: FieldName =
                chance(70) ? .number(UInt64(number(numbers))) : .part(UInt64(number(2...9)), identifier())
            fields[name] = unknownValue()
        }
        return fields
    }

    /// Returns an encoded value that no property list may have: with unknown tags, or the largest numbers.
    package mutating func unknownValue() -> [UInt8] {
        var writer = CBORWriter()
        switch number(0...3) {
        case 0:
            writer.tag(1000 + next() % 1000)
            writer.encoded(value(depth: 2).encoded)
        case 1: writer.unsigned(.max - next() % 1000)
        case 2:
            writer.map(count: 1)
            writer.array(count: 0)
            writer.tag(SealedValue.tag)
            writer.null()
        default: writer.encoded(value(depth: 2).encoded)
        }
        return writer.bytes
    }

    // MARK: Parts

    package mutating func time() -> WallTime { WallTime(milliseconds: integer()) }

    package mutating func texts() -> Set<String> { Set((0..<number(0...3)).map { _ in text() }) }

    /// Returns a value in one of two cases, and nil in the other.
    private mutating func maybe<Value>(_ make: (inout SeededGenerator) -> Value) -> Value? {
        chance(50) ? make(&self) : nil
    }
}
