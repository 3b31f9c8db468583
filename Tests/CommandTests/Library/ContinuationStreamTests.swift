import Foundation
import Support
import Testing

/// Continuation streams between programs in Swift, through two nodes.
@Suite struct `Continuation streams of programs in Swift` {
    private let account: Account
    private let writing, reading: ChildProcess

    init() throws {
        account = try Account("laptop", "desktop")
        (writing, reading) = (try account[0].program(), try account[1].program())
        try writing.take("make a org.example.chat Chat", "stream a")
        try reading.take("handle org.example.chat")
    }

    /// Makes the activity current, and has the other program continue it.
    private func meet() throws {
        try writing.take("current a")
        try account[1].waitForActivity(titled: "Chat")
        try eventually("a program that continues it") {
            try account[1].baton("continue", "org.example.chat").output.contains("continues in")
        }
        try reading.hear("continue org.example.chat Chat")
    }

    @Test(arguments: [[], ["events"]])
    func `bytes are sent in both directions, by blocking calls or by events of a run loop`(lines: [String])
        throws
    {
        for line in lines {
            try writing.take(line)
            try reading.take(line)
        }
        try meet()
        try reading.take("pour 70001")
        try writing.hear("streams true")
        try reading.hear("streams true")
        try reading.hear("read 300000 right true end true error false")
        try writing.hear("read 70001 right true end true error false")
        #expect(!writing.output.contains("wrong") && !reading.output.contains("wrong"))
    }

    @Test func `killing a program breaks its peer's stream`() throws {
        try meet()
        try reading.take("pour 30000000")
        try writing.hear("streams true")
        reading.end(SIGKILL)
        let heard = try writing.hear("read ")
        #expect(heard.hasSuffix("end false error true"), "\(heard)")
    }

    @Test func `requesting streams of an activity without streams fails`() throws {
        try writing.take("make b org.example.mute Mute", "current b")
        try reading.take("handle org.example.mute")
        try account[1].waitForActivity(titled: "Mute")
        try eventually("a program that continues it") {
            try account[1].baton("continue", "org.example.mute").output.contains("continues in")
        }
        try reading.hear("continue org.example.mute Mute")
        try reading.take("pour 1")
        let heard = try reading.hear("no streams: ")
        #expect(heard != "no streams: 0", "\(heard)")
    }
}
