import BatonNetwork
import Glibc
import Support
import Testing

@Suite(.serialized) struct `Processes` {
    @Test func `the end of a process is reported once`() throws {
        try withLoop { loop in
            let child = try spawn("/bin/sleep", ["60"])
            let identity = try #require(try ProcessIdentity.find(child))
            #expect(try identity.isAlive())
            var (ends, identityEnds) = (0, 0)
            _ = try ProcessWatch(child, on: loop) { ends += 1 }
            _ = try ProcessWatch(identity, on: loop) { identityEnds += 1 }
            loop.run(for: .milliseconds(20))
            #expect(ends == 0 && identityEnds == 0)
            kill(child, SIGKILL)
            loop.expect("its end is reported") { ends == 1 && identityEnds == 1 }
            // A zombie counts as ended.
            #expect(try !identity.isAlive())
            #expect(try ProcessIdentity.find(child) == nil)

            var late = 0
            _ = try ProcessWatch(child, on: loop) { late += 1 }
            loop.expect("the end of a zombie is reported") { late == 1 }
            var status: Int32 = 0
            #expect(waitpid(child, &status, 0) == child)
            _ = try ProcessWatch(child, on: loop) { late += 1 }
            #expect(late == 1)
            loop.expect("the end of a process that is gone is reported") { late == 2 }
            loop.run(for: .milliseconds(10))
            #expect(ends == 1 && identityEnds == 1 && late == 2)
        }
    }

    @Test func `a process whose ID now belongs to another process counts as ended`() throws {
        try withLoop { loop in
            let own = try #require(try ProcessIdentity.find(getpid()))
            #expect(try own.isAlive())
            let before = ProcessIdentity(
                processID: own.processID, startTicks: own.startTicks - 1, bootID: own.bootID)
            let elsewhere = ProcessIdentity(
                processID: own.processID, startTicks: own.startTicks, bootID: "another start")
            #expect(try !before.isAlive())
            #expect(try !elsewhere.isAlive())
            var ends = 0
            _ = try ProcessWatch(before, on: loop) { ends += 1 }
            _ = try ProcessWatch(elsewhere, on: loop) { ends += 1 }
            let closed = try ProcessWatch(own, on: loop) { ends += 100 }
            loop.expect("both ends are reported") { ends == 2 }
            closed.close()
        }
    }

    @Test(arguments: ["x) S 1 2 3", ") Z 1 (", "((", "a b\nc", ") R"])
    func `a process's name can't forge its state`(name: String) throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/" + name
        try #require(symlink("/bin/sleep", program) == 0)
        let child = try spawn(program, ["60"])
        let honest = try spawn("/bin/sleep", ["60"])
        defer {
            for process in [child, honest] {
                kill(process, SIGKILL)
                var status: Int32 = 0
                waitpid(process, &status, 0)
            }
        }
        let identity = try #require(try ProcessIdentity.find(child))
        #expect(try identity.isAlive())
        #expect(try ProcessIdentity.parent(of: child) == getpid())
        let other = try #require(try ProcessIdentity.find(honest))
        #expect(other.startTicks - identity.startTicks < 1000)
        let own = try #require(try ProcessIdentity.find(getpid()))
        #expect(own.startTicks <= identity.startTicks)
    }

    @Test func `a signal calls its handler on the loop`() throws {
        try withLoop { loop in
            var signals: [SignalWatch.Signal] = []
            let watch = try SignalWatch([.hangUp, .terminate], on: loop) { signals.append($0) }
            // The signals go to this thread only, because the other threads of the tests do not block them.
            pthread_kill(pthread_self(), SIGHUP)
            loop.expect("the first comes") { signals == [.hangUp] }
            pthread_kill(pthread_self(), SIGTERM)
            loop.expect("the second comes") { signals == [.hangUp, .terminate] }
            watch.close()
        }
    }
}
