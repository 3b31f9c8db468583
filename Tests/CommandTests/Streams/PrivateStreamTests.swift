import Support
import Testing

/// `baton private on` while streams are open.
@Suite struct `Streams of a private machine` {
    @Test(arguments: [0, 1])
    func `a machine that becomes private breaks its streams, and both sides report why`(private place: Int)
        throws
    {
        let (account, streams) = try (Account("laptop", "desktop"), StreamFolder())
        let processes = try streams.pour(through: account)
        try account[place].must("private", "on")
        let (here, there) =
            place == 0
            ? (processes.offered, processes.continued) : (processes.continued, processes.offered)
        #expect(try here.wait() == 20, "\(here.errors)")
        #expect(try there.wait() == 20, "\(there.errors)")
        #expect(here.errors.contains("This machine is private now, so nothing leaves it"), "\(here.errors)")
        #expect(here.errors.contains("`baton private off`"), "\(here.errors)")
        #expect(
            there.errors.contains("The other machine is private now, so nothing leaves it"), "\(there.errors)"
        )
        // The other machine does not become private by that, and the connection stays for everything else.
        try account[1 - place].must("start", "org.example.edit", "--instance", "w", "--title", "Draft")
        try account[place].waitForActivity(titled: "Draft")
    }

    @Test func `a machine opens no streams while it is private`() throws {
        let (account, streams) = try (Account("laptop", "desktop"), StreamFolder())
        try streams.fill("a", bytes: 70_000)
        let offered = try account[0].offer("file", from: "a", to: "none", in: streams)
        try account[1].waitForActivity(titled: "file")
        try account[1].must("private", "on")
        let refused = try account[1].baton("continue", "org.example.file", "--stream")
        expect(refused, 14, advice: "baton private off")
        try account[1].must("private", "off")
        try streams.fill("none", bytes: 0)
        let taken = try account[1].take("file", from: "none", to: "heard", in: streams)
        #expect(try taken.wait() == 0, "\(taken.errors)")
        #expect(try offered.wait() == 0, "\(offered.errors)")
        #expect(try streams.contents("heard") == streams.contents("a"))
    }
}
