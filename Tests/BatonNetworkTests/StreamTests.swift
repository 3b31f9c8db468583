import BatonNetwork
import Glibc
import Support
import Testing

@Suite struct `Stream connection` {
    @Test(arguments: Kind.allCases)
    func `with a slow reader the backlog is limited, and 50 MB are echoed correctly`(kind: Kind) throws {
        try withLoop { loop in
            let total = 50 << 20
            let most = 1 << 20
            let pair = try Pair(kind, on: loop)
            let (near, far) = (pair.near, pair.far)
            let pattern = (0..<(2 << 16)).map { UInt8($0 % 251) }
            var (sent, got, mistakes, farMost, nearMost, ends) = (0, 0, 0, 0, 0, 0)

            func sendMore() {
                while sent < total, near.backlog < 256 << 10 {
                    let count = min(1 << 16, total - sent)
                    near.send(Array(pattern[(sent % 251)..<(sent % 251 + count)]))
                    sent += count
                    nearMost = max(nearMost, near.backlog)
                }
            }
            try far.start(
                .init(
                    received: { bytes in
                        far.send([UInt8](copying: bytes))
                        farMost = max(farMost, far.backlog)
                        if far.backlog >= most { far.pauseReading() }
                    }, drained: { far.resumeReading() }, ended: { _ in ends += 1 }))
            try near.start(
                .init(
                    received: { bytes in
                        let count = bytes.count
                        let isSame = bytes.withUnsafeBytes { bytes in
                            pattern[(got % 251)...].withUnsafeBytes {
                                memcmp($0.baseAddress!, bytes.baseAddress!, count) == 0
                            }
                        }
                        if !isSame { mistakes += 1 }
                        if (got + count) >> 20 != got >> 20, !near.isPaused {
                            near.pauseReading()
                            loop.schedule(after: .milliseconds(2)) { near.resumeReading() }
                        }
                        got += count
                    }, drained: sendMore, ended: { _ in ends += 1 }))
            sendMore()
            loop.expect("all bytes are echoed") { got == total }
            #expect(mistakes == 0)
            #expect(farMost >= most, "the reader was not slow enough to matter")
            #expect(farMost < most + (1 << 16))
            #expect(nearMost <= 320 << 10)
            near.closeAfterSending(deadline: loop.now + .seconds(10))
            loop.expect("both connections end") { ends == 2 }
        }
    }

    @Test(arguments: Kind.allCases)
    func `the end of high traffic is reported once, and the end of low traffic is not reported`(_ kind: Kind)
        throws
    {
        try withLoop { loop in
            var calms = 0
            loop.calmed = { calms += 1 }
            let (pair, log) = (try Pair(kind, on: loop), Log())
            try pair.near.start(log.handlers)
            try pair.far.start(log.handlers)
            pair.near.send([1, 2, 3])
            loop.expect("the small message arrives") { log.bytes.count == 3 }
            let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
            pair.near.send(content)
            pair.near.send(content[1_000_000..<2_000_000])
            loop.expect("the large messages arrive") { log.bytes.count == 4_000_003 }
            #expect(log.bytes == [1, 2, 3] + content + content[1_000_000..<2_000_000])
            #expect(calms == 0)
            loop.expect("calm is reported") { calms == 1 }
            let before = loop.wakeUps
            pair.near.send([4])
            loop.run(for: .milliseconds(1200))
            #expect(log.bytes.last == 4 && calms == 1)
            #expect(loop.wakeUps - before <= 3, "something else wakes a loop with low traffic")
        }
    }

    @Test func `while a connection is paused it reads nothing, and the peer's backlog grows`() throws {
        try withLoop { loop in
            let pair = try Pair(.unix, on: loop)
            let (near, far) = (Log(), Log())
            try pair.near.start(near.handlers)
            try pair.far.start(far.handlers)
            pair.far.pauseReading()
            pair.near.send([UInt8](repeating: 7, count: 4 << 20))
            loop.run(for: .milliseconds(50))
            #expect(far.bytes.isEmpty)
            #expect(pair.near.backlog > 3 << 20)
            #expect(near.drains == 0)
            pair.far.resumeReading()
            loop.expect("reading goes on") { far.bytes.count == 4 << 20 }
            #expect(pair.near.backlog == 0)
            #expect(near.drains == 1)
        }
    }

    @Test func `while a slow reader reads, acknowledgedCount grows before the kernel accepts more bytes`()
        throws
    {
        try withLoop { loop in
            let listener = try Listener(at: .loopback(port: 0), on: loop)
            var accepted: StreamConnection?
            try listener.start(accepted: { accepted = $0 })
            let reader = try RawConnection(port: try #require(listener.address?.port))
            loop.expect("the connection is accepted") { accepted != nil }
            let (near, log) = (try #require(accepted), Log())
            try near.start(log.handlers)
            try listener.close()
            #expect(near.acknowledgedCount == 0)
            // From now on the reader's kernel takes only what it has room for already.
            var room: Int32 = 1
            setsockopt(
                reader.descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
            near.send([UInt8](repeating: 7, count: 4 << 20))
            loop.run(for: .milliseconds(50))
            let (written, before) = (near.writtenCount, try #require(near.acknowledgedCount))
            #expect(before < written && near.backlog > 0)
            var got = 0
            while near.acknowledgedCount == before, got < 1 << 20 {
                got += reader.read(upTo: 1024)?.count ?? 1 << 20
            }
            #expect(try #require(near.acknowledgedCount) > before)
            #expect(near.writtenCount == written && log.drains == 0)
            near.close()
            #expect(near.acknowledgedCount == nil)
        }
    }

    @Test(arguments: Kind.allCases)
    func `closing after sending delivers all bytes before the end of the stream`(kind: Kind) throws {
        try withLoop { loop in
            let pair = try Pair(kind, on: loop)
            let (near, far) = (Log(), Log())
            try pair.near.start(near.handlers)
            try pair.far.start(far.handlers)
            // Bytes of the peer that nobody reads must not turn the end into a reset.
            pair.far.send([UInt8](repeating: 1, count: 100_000))
            pair.near.send([UInt8](repeating: 2, count: 3 << 20))
            pair.near.closeAfterSending(deadline: loop.now + .seconds(10))
            loop.expect("both connections end") { near.ends.count == 1 && far.ends.count == 1 }
            #expect(far.bytes.count == 3 << 20)
            #expect(near.ends == [.closedHere])
            #expect(far.ends == [.closedByPeer])
        }
    }

    @Test func `closing after sending gives up at its deadline`() throws {
        try withLoop { loop in
            let pair = try Pair(.tcp, on: loop)
            let (near, far) = (Log(), Log())
            try pair.near.start(near.handlers)
            try pair.far.start(far.handlers)
            pair.far.pauseReading()
            pair.near.send([UInt8](repeating: 2, count: 32 << 20))
            pair.near.closeAfterSending(deadline: loop.now + .milliseconds(50))
            loop.expect("the connection ends") { !near.ends.isEmpty }
            #expect(near.ends == [.timedOut])
        }
    }

    @Test(arguments: Kind.allCases)
    func `closing with unread bytes resets the connection of the peer`(kind: Kind) throws {
        try withLoop { loop in
            let pair = try Pair(kind, on: loop)
            let (near, far) = (Log(), Log())
            try pair.near.start(near.handlers)
            try pair.far.start(far.handlers)
            pair.far.pauseReading()
            pair.near.send([1, 2, 3])
            loop.run(for: .milliseconds(10))
            // The kernel resets a connection that is closed with bytes unread.
            pair.far.close()
            loop.expect("the connection ends") { !near.ends.isEmpty }
            #expect(near.ends == [.reset])
            #expect(far.ends == [.closedHere])
        }
    }

    @Test(arguments: Kind.allCases)
    func `bytes that a peer sent before closing are read even if writing to the peer fails`(kind: Kind) throws
    {
        try withLoop { loop in
            let pair = try Pair(kind, on: loop)
            let (near, far) = (Log(), Log())
            try pair.near.start(near.handlers)
            pair.near.send([UInt8](repeating: 5, count: 1000))
            loop.run(for: .milliseconds(10))
            pair.near.close()
            loop.run(for: .milliseconds(10))
            pair.far.send([1])
            try pair.far.start(far.handlers)
            loop.expect("the connection ends") { !far.ends.isEmpty }
            #expect(far.bytes.count == 1000)
        }
    }

    @Test(arguments: Kind.allCases)
    func `hurried bytes are written immediately, and all other bytes together at the end of the turn`(
        kind: Kind
    )
        throws
    {
        try withLoop { loop in
            let pair = try Pair(kind, on: loop)
            let (near, far) = (Log(), Log())
            try pair.near.start(near.handlers)
            try pair.far.start(far.handlers)
            var backlogs: [Int] = []
            loop.nextTurn {
                pair.near.send([1, 2])
                backlogs.append(pair.near.backlog)
                pair.near.hurry()
                backlogs.append(pair.near.backlog)
                pair.near.send([3])
                backlogs.append(pair.near.backlog)
            }
            loop.expect("all bytes arrive") { far.bytes.count >= 3 }
            #expect(backlogs == [2, 0, 1])
            #expect(far.bytes == [1, 2, 3] && pair.near.backlog == 0)
        }
    }

    @Test func `an error while writing hurried bytes is reported at the end of the turn`() throws {
        try withLoop { loop in
            let pair = try Pair(.unix, on: loop)
            let near = Log()
            try pair.near.start(near.handlers)
            pair.far.close()
            var isEnded: Bool?
            loop.nextTurn {
                pair.near.send([1])
                pair.near.hurry()
                isEnded = !near.ends.isEmpty
            }
            loop.expect("the connection ends") { !near.ends.isEmpty }
            #expect(isEnded == false, "a handler was called from within a call")
        }
    }

    @Test func `a reset by the peer is noticed while reading is paused`() throws {
        try withLoop { loop in
            let pair = try Pair(.tcp, on: loop)
            let (near, far) = (Log(), Log())
            try pair.near.start(near.handlers)
            try pair.far.start(far.handlers)
            pair.near.pauseReading()
            pair.far.pauseReading()
            pair.near.send([1])
            loop.run(for: .milliseconds(10))
            pair.far.close()
            loop.expect("the connection ends") { !near.ends.isEmpty }
            #expect(near.ends == [.reset])
        }
    }

    @Test func `a peer that closes wakes the loop of a paused connection only once`() throws {
        try withLoop { loop in
            let pair = try Pair(.unix, on: loop)
            let near = Log()
            try pair.near.start(near.handlers)
            try pair.far.start(Log().handlers)
            pair.near.pauseReading()
            pair.far.send([1, 2])
            pair.far.closeAfterSending(deadline: loop.now + .milliseconds(20))
            loop.run(for: .milliseconds(50))
            let before = loop.wakeUps
            loop.run(for: .milliseconds(200))
            #expect(loop.wakeUps - before == 1)
            #expect(near.ends.isEmpty)
            pair.near.resumeReading()
            loop.expect("the end is noticed after the pause") { !near.ends.isEmpty }
            #expect(near.bytes == [1, 2])
            #expect(near.ends == [.closedByPeer])
        }
    }

    @Test(arguments: Kind.allCases)
    func `calling close in the received handler ends the connection immediately`(kind: Kind) throws {
        try withLoop { loop in
            let pair = try Pair(kind, on: loop)
            let near = pair.near
            var (calls, ends): (Int, [StreamConnection.End]) = (0, [])
            try near.start(
                .init(
                    received: { _ in
                        calls += 1
                        near.close()
                        near.close()
                        near.send([1])
                        #expect(ends.isEmpty, "a handler was called from within a call to the connection")
                    },
                    ended: {
                        ends.append($0); near.close()
                    }))
            try pair.far.start(Log().handlers)
            pair.far.send([UInt8](repeating: 1, count: 1 << 20))
            loop.expect("the connection ends") { !ends.isEmpty }
            loop.run(for: .milliseconds(10))
            #expect(calls == 1)
            #expect(ends == [.closedHere])
        }
    }

    @Test func `calling close in the drained handler ends the connection immediately`() throws {
        try withLoop { loop in
            let pair = try Pair(.tcp, on: loop)
            let near = pair.near
            var ends: [StreamConnection.End] = []
            try near.start(.init(received: { _ in }, drained: { near.close() }, ended: { ends.append($0) }))
            try pair.far.start(Log().handlers)
            near.send([UInt8](repeating: 1, count: 1 << 20))
            loop.expect("the connection ends") { !ends.isEmpty }
            #expect(ends == [.closedHere])
        }
    }

    @Test func `a connection that has ended is released with its handlers`() throws {
        try withLoop { loop in
            weak var near: StreamConnection?
            var far: StreamConnection?
            var isEnded = false
            do {
                let pair = try Pair(.tcp, on: loop)
                let connection = pair.near
                near = connection
                far = pair.far
                try connection.start(
                    .init(
                        received: { _ in _ = connection }, drained: { _ = connection },
                        ended: { _ in
                            _ = connection; isEnded = true
                        }))
            }
            loop.run(for: .milliseconds(10))
            #expect(near != nil)
            far?.close()
            far = nil
            loop.expect("the connection ends") { isEnded }
            loop.run(for: .milliseconds(1))
            #expect(near == nil)
        }
    }

    @Test func `an event of a descriptor that an earlier handler of the same turn closed is dropped`() throws
    {
        try withLoop { loop in
            let pairs = try (0..<16).map { _ in try Pair(.unix, on: loop) }
            var received = 0
            for pair in pairs {
                try pair.far.start(Log().handlers)
                try pair.near.start(
                    .init(
                        received: { _ in
                            received += 1
                            // All are ready; the first handler closes all other connections.
                            for other in pairs where other !== pair { other.near.close() }
                        }, ended: { _ in }))
            }
            for pair in pairs { pair.far.send([1]) }
            loop.run(for: .milliseconds(50))
            #expect(received == 1)
        }
    }

    @Test func `a busy connection does not starve another`() throws {
        try withLoop { loop in
            let (busy, quiet) = (try Pair(.unix, on: loop), try Pair(.unix, on: loop))
            var (got, isAnswered) = (0, false)
            try busy.far.start(.init(received: { got += $0.count }, ended: { _ in }))
            try quiet.far.start(.init(received: { _ in isAnswered = true }, ended: { _ in }))
            try quiet.near.start(Log().handlers)
            try busy.near.start(.init(received: { _ in }, ended: { _ in }))
            busy.near.send([UInt8](repeating: 0, count: 64 << 20))
            loop.schedule(after: .milliseconds(1)) { quiet.near.send([1]) }
            loop.expect("the quiet connection is read") { isAnswered }
            #expect(got < 64 << 20)
        }
    }

    @Test func `a Unix connection knows the peer's process, and a TCP connection its address`() throws {
        try withLoop { loop in
            let pair = try Pair(.unix, on: loop)
            #expect(pair.far.unixPeer?.processID == getpid())
            #expect(pair.far.unixPeer?.userID == UnixPeer.ownUserID)
            #expect(pair.far.remoteAddress == nil)
            let other = try Pair(.tcp, on: loop)
            #expect(other.near.remoteAddress == other.far.localAddress)
            #expect(other.near.remoteAddress?.host == SocketAddress.loopback(port: 0).host)
            #expect(other.near.unixPeer == nil)
        }
    }
}
