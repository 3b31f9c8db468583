import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Glibc
import Support
import Testing

@Suite struct `Native messages` {
    /// A length in the byte order of the machine, and the content.
    private func framed(_ content: [UInt8], length: UInt32? = nil) -> [UInt8] {
        withUnsafeBytes(of: length ?? UInt32(content.count)) { Array($0) } + content
    }

    private func read(
        _ bytes: [UInt8], most: Int, pieces: () -> Int
    ) -> [LineBuffer.Line] {
        var (buffer, found, place) = (NativeMessageBuffer(most: most), [LineBuffer.Line](), 0)
        while place < bytes.count {
            let end = min(place + pieces(), bytes.count)
            buffer.feed(bytes[place..<end])
            place = end
            while let message = buffer.next() { found.append(message) }
        }
        return found
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `messages are read in pieces of any size, and messages that are too long are skipped`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let most = random.number(0...12)
        let contents = (0..<random.number(0...8)).map { _ in
            (0..<random.number(0...20)).map { _ in UInt8(random.number(0...255)) }
        }
        let found = read(contents.flatMap { framed($0) }, most: most) { random.number(1...9) }
        #expect(found == contents.map { $0.count <= most ? .whole($0) : .tooLong })
    }

    @Test func `a message that is cut off at the end is never returned`() {
        let bytes = framed(Array("{\"devices\":true}".utf8))
        for length in 0..<bytes.count {
            #expect(read(Array(bytes[..<length]), most: 100, pieces: { 3 }).isEmpty, "\(length)")
        }
        #expect(read(bytes, most: 100, pieces: { 3 }).count == 1)
    }

    @Test func `an announced length of four gigabytes is refused without reserving memory`() {
        var buffer = NativeMessageBuffer()
        buffer.feed(framed([], length: .max))
        #expect(buffer.next() == .tooLong)
        let part = [UInt8](repeating: 0x20, count: 1 << 20)
        let before = residentBytes
        for _ in 0..<64 {
            buffer.feed(part)
            #expect(buffer.next() == nil)
        }
        #expect(residentBytes - before < 16 << 20)
    }

    private var residentBytes: Int {
        let pages = File.read("/proc/self/statm")?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    @Test func `a message that exceeds the size that browsers accept is not sent`() throws {
        let file = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        let most = NativeMessageBuffer.sentBytes - 2
        #expect(
            failure { () throws(LocalFailure) in
                try NativeMessageBuffer.send(.string(String(repeating: "x", count: most)), to: file)
            } == nil)
        #expect(
            failure { () throws(LocalFailure) in
                try NativeMessageBuffer.send(.string(String(repeating: "x", count: most + 1)), to: file)
            }?.code == .tooLarge)
    }
}
