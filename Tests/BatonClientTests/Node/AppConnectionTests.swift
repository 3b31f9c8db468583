import BatonClient
import BatonCore
import ClientSupport
import Testing

@Suite struct `An app's connection` {
    @Test func `several requests can wait for answers simultaneously`() throws {
        let node = try FakeNode { request in
            (request as? SearchItems).map { .failure(LocalFailure(.failed, $0.text)) }
        }
        var connection = try AppConnection(try node.home)
        #expect(try connection.receive().isEmpty)
        var asked: [UInt64: String] = [:]
        for number in 0..<AppConnection.most {
            asked[try connection.send(SearchItems("\(number)", most: 1))] = "\(number)"
        }
        #expect(connection.unanswered == AppConnection.most)
        while connection.unanswered > 0 {
            #expect(
                Waiting.forOne(of: [(connection.descriptor, connection.events)], within: .seconds(30)) == [
                    true
                ])
            for answer in try connection.receive() {
                let text = asked.removeValue(forKey: answer.number) ?? "nothing"
                #expect(try answer.result(of: SearchItems.self) == .failure(LocalFailure(.failed, text)))
            }
        }
        #expect(asked.isEmpty)
        // The end of the connection is thrown after all answers before it.
        try connection.send(SearchItems("last", most: 1))
        try connection.send(GetStatus())
        var (answers, failure): (Int, LocalFailure?) = (0, nil)
        while failure == nil {
            _ = Waiting.forOne(of: [(connection.descriptor, connection.events)], within: .seconds(30))
            do throws(LocalFailure) { answers += try connection.receive().count } catch { failure = error }
        }
        #expect(answers == 1 && failure?.text.contains("before it answered") == true)
    }

    @Test func `connecting to a node of another version fails with a version mismatch`() throws {
        let hello = LocalHello(version: 99, build: "9.9", process: 1).frame
        let node = try FakeNode(hello: hello) { _ in nil }
        var connection = try AppConnection(try node.home)
        var code: LocalFailure.Code?
        while code == nil {
            _ = Waiting.forOne(of: [(connection.descriptor, connection.events)], within: .seconds(30))
            do throws(LocalFailure) { _ = try connection.receive() } catch { code = error.code }
        }
        #expect(code == .versionMismatch)
    }
}
