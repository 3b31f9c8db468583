import BatonCommand
import BatonCore
import ClientSupport
import Testing

/// The text about the last change that was received from a device.
@Suite struct `The last change of a device` {
    private static let time = Example.present

    private static func status(
        _ title: String?, kind: RecordKind = .item, isDeletion: Bool = false, isFromItself: Bool = false,
        takenLater: Duration = .zero
    ) -> DeviceStatus {
        var status = Example.peer(connected: false)
        let made = Example.now.advanced(by: .seconds(-720))
        status.lastChange = .init(
            kind: kind, title: title, isDeletion: isDeletion, made: made,
            taken: made.advanced(by: takenLater), sender: isFromItself ? status.device : Example.laptop)
        return status
    }

    @Test func `the line says what changed, when, and through which device`() {
        #expect(
            Self.status("Letter to Ann").lastChangeLine(at: Self.time).text
                == "last change received: “Letter to Ann”, 12 minutes ago, through “laptop”")
        #expect(
            Self.status("Letter", isFromItself: true, takenLater: .seconds(600)).lastChangeLine(at: Self.time)
                .text == "last change received: “Letter”, 12 minutes ago, directly, received 2 minutes ago"
        )
        #expect(
            Example.peer().lastChangeLine(at: Self.time).text == "no change was received from it")
    }

    @Test func `received changes are counted for the device that sent them, whichever device made them`() {
        var status = Example.peer()
        #expect(status.receivedLine(at: Self.time) == nil)
        status.received = ReceivedChanges(count: 3000, latest: Example.now.advanced(by: .seconds(-120)))
        #expect(status.lastChangeLine(at: Self.time).text == "no change that it made was received")
        #expect(
            status.receivedLine(at: Self.time)?.text
                == "changes received over its connections: 3000, the last one 2 minutes ago")
    }

    @Test func `control characters in a title are escaped`() {
        let line = Self.status("\u{1b}[2Jred\n“fine”").lastChangeLine(at: Self.time).text
        #expect(line.hasPrefix("last change received: “\\u{1b}[2Jred\\n“fine””, 12 minutes ago"), "\(line)")
    }

    @Test(arguments: [
        (RecordKind.item, "an item"), (.currentActivity, "an activity"), (.savedActivity, "an activity"),
        (.indexClear, "the deletion of a group of records"), (.device, "the record of a device"),
        (.rosterStatement, "the membership of the account"), (.clientState, "the state of an indexing job"),
        (.entityType, "the description of a type of entities"),
        (RecordKind(rawValue: 99), "a record of a kind that this version does not know"),
    ])
    func `a change without a title, and every deletion, is shown by its kind`(kind: RecordKind, words: String)
    {
        #expect(Self.status(nil, kind: kind).lastChange?.thing == words)
        #expect(Self.status("x", kind: kind).lastChange?.thing == "“x”")
        #expect(
            Self.status("x", kind: kind, isDeletion: true).lastChange?.thing == "the deletion of \(words)")
    }
}
