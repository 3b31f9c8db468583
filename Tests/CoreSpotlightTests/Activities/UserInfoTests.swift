import CoreSpotlight
import Testing

/// The payload of an activity: what comes back can be cast as on Apple's systems.
@Suite struct `The payload of an activity` {
    /// Returns a value as it comes back from a payload.
    private func returned(_ value: Any) throws -> Any {
        let activity = NSUserActivity(activityType: "org.example.x")
        activity.userInfo = ["value": value]
        return try #require(activity.userInfo?["value"])
    }

    @Test(
        arguments: [5, Int8(5), UInt(5), Int64(5), 5.0, Float(5), NSNumber(value: 5), NSNumber(value: 5.0)]
            as [any Sendable])
    func `a number can be cast to every type that represents it`(number: any Sendable) throws {
        let value = try returned(number)
        #expect(value is NSNumber)
        #expect(value as? Int == 5)
        #expect(value as? Double == 5)
        #expect(value as? Float == 5)
        #expect(value as? UInt8 == 5)
        #expect(value as? String == nil)
        #expect(value as? Bool == nil)
    }

    @Test func `booleans, integers and reals keep their kind`() throws {
        let kinds: [(Any, String)] = [
            (true, "c"), (NSNumber(value: true), "c"), (1, "iq"), (NSNumber(value: 1), "iq"), (1.0, "d"),
            (NSNumber(value: 1.0), "d"), (Float(1), "d"), (UInt8(1), "iq"), (UInt64.max, "d"),
            (Int64.min, "q"),
        ]
        for (value, kind) in kinds {
            let number = try #require(try returned(value) as? NSNumber)
            #expect(kind.contains(String(cString: number.objCType)), "\(value)")
        }
        #expect(try returned(true) as? Bool == true && returned(false) as? Bool == false)
        #expect(try returned(1) as? Bool == true, "as on Apple's systems, one is true")
        #expect(try returned(2) as? Bool == nil)
    }

    @Test func `other values are returned as Swift's types, and can be cast to Foundation's`() throws {
        let (date, url) = (
            Date(timeIntervalSince1970: 1000.25), try #require(URL(string: "https://a.example/?q=ä#f"))
        )
        let uuid = UUID()
        for value in ["text", "text" as NSString] as [Any] {
            #expect(try returned(value) as? String == "text")
            #expect(try returned(value) as? NSString == "text")
        }
        for value in [date, date as NSDate] as [Any] {
            #expect(try returned(value) as? Date == date)
            #expect(try returned(value) as? NSDate == date as NSDate)
        }
        for value in [url, url as NSURL] as [Any] { #expect(try returned(value) as? URL == url) }
        for value in [uuid, uuid as NSUUID] as [Any] { #expect(try returned(value) as? UUID == uuid) }
        for value in [Data([1, 2]), Data([1, 2]) as NSData] as [Any] {
            #expect(try returned(value) as? Data == Data([1, 2]))
        }
        #expect(try returned(NSNull()) is NSNull)
    }

    @Test func `collections keep their members`() throws {
        for value in [[1, 2], [1, 2] as NSArray] as [Any] {
            #expect(try returned(value) as? [Int] == [1, 2])
            #expect((try returned(value) as? [Any])?.count == 2)
        }
        #expect(try returned(["a", "b"]) as? [String] == ["a", "b"])
        for value in [["k": 1], ["k": 1] as NSDictionary] as [Any] {
            #expect(try returned(value) as? [String: Int] == ["k": 1])
            #expect((try returned(value) as? [String: Any])?["k"] as? Int == 1)
            #expect((try returned(value) as? [AnyHashable: Any])?.count == 1)
        }
        for value in [Set(["a"]), NSSet(array: ["a"])] as [Any] {
            #expect(try returned(value) as? Set<String> == ["a"])
        }
        #expect(try (returned([["k": [1.5]]]) as? [[String: [Double]]]) == [["k": [1.5]]])
    }

    @Test func `entries are added, replaced and removed`() {
        let activity = NSUserActivity(activityType: "org.example.x")
        #expect(activity.userInfo == nil)
        activity.addUserInfoEntries(from: ["a": 1, "b": 2])
        activity.addUserInfoEntries(from: ["b": 3])
        #expect(activity.userInfo?["a"] as? Int == 1 && activity.userInfo?["b"] as? Int == 3)
        activity.userInfo?["a"] = nil
        #expect(activity.userInfo?.count == 1)
        activity.userInfo = [:]
        #expect(activity.userInfo?.isEmpty == true)
        activity.userInfo = nil
        #expect(activity.userInfo == nil)
        activity.userInfo = [5: "five"]
        #expect(activity.userInfo?[5] as? String == "five")
    }

    @Test func `a value that is not a property list, or a page that is not a web page, traps`()
        async
    {
        await #expect(processExitsWith: .failure) {
            struct Point { let x = 1 }
            NSUserActivity(activityType: "org.example.x").userInfo = ["point": Point()]
        }
        await #expect(processExitsWith: .failure) {
            NSUserActivity(activityType: "org.example.x").userInfo = ["list": [NSObject()]]
        }
        await #expect(processExitsWith: .failure) {
            NSUserActivity(activityType: "org.example.x").webpageURL = URL(string: "file:///etc/passwd")
        }
    }

    // MARK: Types

    private struct Place: Codable, Equatable {
        var name: String
        var line: Int
        var ratio: Double
        var isOpen: Bool
        var date: Date
        var data: Data
        var page: URL
        var id: UUID
        var tags: [String]
        var inner: [String: Int]
        var missing: String?
    }

    @Test func `a typed payload survives storing and reading`() throws {
        let place = Place(
            name: "n", line: 3, ratio: 2, isOpen: true, date: Date(timeIntervalSince1970: 5), data: Data([7]),
            page: try #require(URL(string: "https://a.example/")), id: UUID(), tags: ["t"], inner: ["a": 1])
        let activity = NSUserActivity(activityType: "org.example.x")
        activity.userInfo = ["old": 1]
        try activity.setTypedPayload(place)
        #expect(activity.userInfo?["old"] == nil && activity.userInfo?["line"] as? Int == 3)
        #expect(try activity.typedPayload(Place.self) == place)
    }

    @Test func `reading a payload of another type, or without content, throws an error`() {
        let activity = NSUserActivity(activityType: "org.example.x")
        #expect(throws: NSUserActivity.TypedPayloadError.invalidContent) {
            try activity.typedPayload(Place.self)
        }
        activity.userInfo = ["name": "n"]
        #expect(throws: NSUserActivity.TypedPayloadError.invalidContent) {
            try activity.typedPayload(Place.self)
        }
        #expect(throws: NSUserActivity.TypedPayloadError.encodingError) {
            try activity.setTypedPayload([1, 2])
        }
        #expect(throws: NSUserActivity.TypedPayloadError.encodingError) { try activity.setTypedPayload(5) }
    }
}
