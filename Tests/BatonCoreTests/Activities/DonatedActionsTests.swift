import BatonCore
import Support
import Testing

/// The actions that apps donate, as one device keeps them.
@Suite struct `Donated actions` {
    private static let now = WallTime(milliseconds: 1_795_208_645_123)
    private static let app = "org.example.soup"

    private static func at(_ seconds: Int64) -> WallTime { now.advanced(by: .seconds(seconds)) }

    private static func order(_ soup: String) -> Activity {
        var activity = Activity(type: "OrderSoupIntent", started: now)
        (activity.title, activity.info) = ("Order \(soup)", [.string("soup"): .string(soup)])
        // None of that stays with an action.
        activity.persistentIdentifier = "an identifier"
        (activity.eligibility, activity.supportsStreams) = ([.handoff, .search], true)
        return activity
    }

    /// Donates an action, and keeps the notes as a store does.
    @discardableResult private static func donate(
        _ soup: String, as identifier: String, in group: String? = nil, at time: WallTime = now,
        by app: String = app, keeping: Duration = .seconds(86_400), to actions: inout DonatedActions,
        _ stored: inout [LocalNote]
    ) -> SavedActivityName {
        let (name, changed) = actions.add(
            Donation(identifier, in: group, at: time), of: order(soup), by: app, keeping: keeping, at: now)
        store(actions.notes(of: changed), in: &stored)
        #expect(DonatedActions(stored) == actions, "what is on the disk is what is known")
        return name
    }

    private static func store(_ notes: [LocalNote], in stored: inout [LocalNote]) {
        for note in notes {
            stored.removeAll { $0.name == note.name }
            if note.value != nil { stored.append(note) }
        }
    }

    private static func titles(_ actions: DonatedActions) -> Set<String> {
        Set(actions.activities.values.compactMap(\.title))
    }

    @Test func `repeated donations of the same action are one action, on this device only`() throws {
        var (actions, stored): (DonatedActions, [LocalNote]) = (.init(), [])
        let first = Self.donate("tomato", as: "1", at: Self.at(-50), to: &actions, &stored)
        let again = Self.donate("tomato", as: "2", at: Self.at(-20), to: &actions, &stored)
        let other = Self.donate("onion", as: "3", at: Self.at(-40), to: &actions, &stored)
        #expect(first == again && first != other && stored.count == 2)
        let action = try #require(actions.activities[first])
        #expect(action.eligibility == .prediction && action.persistentIdentifier == nil)
        #expect(action.started == Self.at(-50) && action.finished == Self.at(-20) && !action.supportsStreams)
        #expect(action.expiration == Self.at(86_400 - 20) && actions.last(of: first)?.identifier == "2")
        #expect(action.savedName(by: Self.app) == first, "a use of it is one of this thing")
        #expect(stored.allSatisfy { $0.space == .donation && $0.space.lane == .activities })
    }

    @Test
    func `donations are deleted by identifier, by group or all at once, and the last one deletes the action`()
    {
        var (actions, stored): (DonatedActions, [LocalNote]) = (.init(), [])
        Self.donate("tomato", as: "1", in: "lunch", to: &actions, &stored)
        Self.donate("tomato", as: "2", to: &actions, &stored)
        Self.donate("onion", as: "3", in: "lunch", to: &actions, &stored)
        Self.donate("onion", as: "3", by: "org.example.other", to: &actions, &stored)
        var changed = actions.remove(.identifiers(["2", "x"]), of: Self.app)
        Self.store(actions.notes(of: changed), in: &stored)
        #expect(DonatedActions(stored) == actions && Self.titles(actions) == ["Order tomato", "Order onion"])
        changed = actions.remove(.group("lunch"), of: Self.app)
        Self.store(actions.notes(of: changed), in: &stored)
        #expect(DonatedActions(stored) == actions && actions.activities.count == 1, "that of the other app")
        #expect(actions.remove(.all, of: Self.app).isEmpty)
        #expect(actions.remove(.all, of: "org.example.other").count == 1 && actions == DonatedActions())
    }

    @Test func `a donation with a known identifier takes the place of the earlier one`() {
        var (actions, stored): (DonatedActions, [LocalNote]) = (.init(), [])
        Self.donate("tomato", as: "1", to: &actions, &stored)
        Self.donate("onion", as: "1", to: &actions, &stored)
        #expect(Self.titles(actions) == ["Order onion"] && stored.count == 1)
        // Texts that only look alike are different identifiers.
        Self.donate("leek", as: "e\u{301}", to: &actions, &stored)
        Self.donate("pea", as: "\u{e9}", to: &actions, &stored)
        #expect(actions.remove(.identifiers(["\u{e9}"]), of: Self.app).count == 1)
        #expect(Self.titles(actions) == ["Order onion", "Order leek"])
    }

    @Test func `an action expires some time after its last donation, and no donation is dated in the future`()
    {
        var (actions, stored): (DonatedActions, [LocalNote]) = (.init(), [])
        let name = Self.donate("tomato", as: "1", at: Self.at(9_999_999), to: &actions, &stored)
        #expect(actions.last(of: name)?.time == Self.now)
        Self.donate("onion", as: "2", at: Self.at(-90_000), to: &actions, &stored)
        #expect(Self.titles(actions) == ["Order tomato"], "it would be gone by now")
        Self.donate("pea", as: "3", keeping: .zero, to: &actions, &stored)
        #expect(Self.titles(actions) == ["Order tomato"])
        #expect(actions.removeExpired(at: Self.at(86_399)).isEmpty)
        #expect(actions.removeExpired(at: Self.at(86_400)) == [name] && actions.activities.isEmpty)
    }

    @Test func `an app that donates without end displaces only its own donations`() {
        var (actions, stored): (DonatedActions, [LocalNote]) = (.init(), [])
        Self.donate("quiet", as: "1", at: Self.at(-5000), by: "org.example.quiet", to: &actions, &stored)
        for number in 0..<200 {
            Self.donate(
                "\(number)", as: "\(number)", at: Self.at(Int64(number - 1000)), to: &actions, &stored)
        }
        #expect(actions.names(of: Self.app).count == DonatedActions.ofAppMost)
        #expect(Self.titles(actions).isSuperset(of: ["Order 199", "Order 150", "Order quiet"]))
        for number in 0..<10 * DonatedActions.donationsMost {
            Self.donate("199", as: "again \(number)", to: &actions, &stored)
        }
        #expect(stored.allSatisfy { ($0.value?.count ?? 0) < 4096 }, "few donations of one action are kept")
        for number in 0..<30 {
            let large = String(repeating: "x", count: 15_000) + "\(number)"
            Self.donate(large, as: "large \(number)", to: &actions, &stored)
        }
        #expect(stored.reduce(0) { $0 + ($1.value?.count ?? 0) } <= DonatedActions.bytesOfAppMost + 4096)
        for number in 0..<400 {
            Self.donate("a", as: "1", by: "org.example.\(number % 350)", to: &actions, &stored)
        }
        #expect(stored.count == DonatedActions.most && actions.names(of: "org.example.quiet").count == 1)
    }

    @Test func `unreadable notes suggest nothing`() {
        var (actions, stored): (DonatedActions, [LocalNote]) = (.init(), [])
        let name = Self.donate("tomato", as: "1", to: &actions, &stored).key.name
        for value: [UInt8] in [[], [0xff], [0x82, 0xa0, 0x80], Array(stored[0].value!.dropLast())] {
            let note = LocalNote(space: .donation, name: name, value: value)
            #expect(DonatedActions([note]) == DonatedActions(), "\(value.count)")
        }
        #expect(DonatedActions([LocalNote(space: .donation, name: [1], value: stored[0].value)]) == .init())
    }
}
