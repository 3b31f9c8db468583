import OSLog
import Support
import Testing

@Suite struct `A logger` {
    private func logger(_ journal: JournalSocket, showsPrivate: Bool = false) -> Logger {
        let output = LogOutput(journal: journal.path, errors: journal.errors, showsPrivate: showsPrivate)
        return Logger(OSLog(subsystem: "org.example.notes", category: "sync", output: output))
    }

    @Test func `writes to the journal with the level, the subsystem and the source location`() throws {
        let journal = try JournalSocket()
        let logger = logger(journal)
        let calls: [(String, String, (OSLogMessage) -> Void)] = [
            ("trace", "7", { logger.trace($0) }), ("debug", "7", { logger.debug($0) }),
            ("info", "6", { logger.info($0) }), ("notice", "5", { logger.notice($0) }),
            ("log", "5", { logger.log($0) }), ("warning", "4", { logger.warning($0) }),
            ("error", "3", { logger.error($0) }), ("critical", "2", { logger.critical($0) }),
            ("fault", "2", { logger.fault($0) }), ("level", "3", { logger.log(level: .error, $0) }),
            ("level info", "6", { logger.log(level: .info, $0) }),
        ]
        for (name, priority, call) in calls {
            call("\(name, privacy: .public)")
            let fields = try journal.fields()
            #expect(fields["MESSAGE"] == name && fields["PRIORITY"] == priority)
            #expect(fields["SUBSYSTEM"] == "org.example.notes" && fields["CATEGORY"] == "sync")
            #expect(fields["CODE_FILE"] == "OSLogTests/LoggerTests.swift" && fields["CODE_LINE"] != nil)
            #expect(fields["SYSLOG_IDENTIFIER"]?.isEmpty == false)
        }
    }

    @Test func `keeps line breaks of a message, and writes a message that is too long for a datagram`() throws
    {
        let journal = try JournalSocket()
        let logger = logger(journal)
        logger.info("one\nPRIORITY=0\n\nthree")
        var fields = try journal.fields()
        #expect(fields["MESSAGE"] == "one\nPRIORITY=0\n\nthree" && fields["PRIORITY"] == "6")
        let long = String(repeating: "x", count: 600_000)
        logger.info("\(long, privacy: .public)")
        fields = try journal.fields()
        #expect(fields["MESSAGE"] == long && fields["CATEGORY"] == "sync")
    }

    @Test func `writes to standard error without a journal`() throws {
        let journal = try JournalSocket(isListening: false)
        logger(journal).error("not saved: \(3)")
        #expect(journal.errorText() == "error: [org.example.notes:sync] not saved: 3\n")
    }

    @Test func `that is disabled writes nothing`() {
        #expect(OSLog.default.isEnabled(type: .debug) && !OSLog.disabled.isEnabled(type: .fault))
    }
}

@Suite struct `A message of the log` {
    private struct Failure: Error {}

    private func text(_ message: OSLogMessage) -> String { message.text(showsPrivate: false) }

    @Test func `shows numbers and booleans, and hides other values by default`() {
        let (name, count) = ("Anna", 5)
        let error: any Error = Failure()
        #expect(
            text("\(name) has \(count), \(UInt8(1)), \(0.5), \(Float(2)), \(true)")
                == "<private> has 5, 1, 0.500000, 2.000000, true")
        #expect(
            text("\([1, 2]) \(error) \(Failure()) \(Int.self)") == "<private> <private> <private> Swift.Int")
    }

    @Test func `shows and hides values as their privacy option says`() {
        let (name, count) = ("Anna", 5)
        #expect(text("\(name, privacy: .public) \(count, privacy: .private)") == "Anna <private>")
        #expect(text("\(Failure(), privacy: .public) \(name, privacy: .sensitive)") == "Failure() <private>")
        let message: OSLogMessage =
            "\(name) \(count, privacy: .private) \(name, privacy: .sensitive) \(name, privacy: .private(mask: .hash))"
        #expect(message.text(showsPrivate: true) == "Anna 5 <private> Anna")
    }

    @Test func `masks equal values with the same number if the option says so`() {
        let names = ["Anna", "Anna", "Bo"].map { text("\($0, privacy: .private(mask: .hash))") }
        #expect(names[0] == names[1] && names[0] != names[2] && names[0].hasPrefix("<mask.hash: '"))
        #expect(!names[0].contains("Anna") && text("\(7, privacy: .auto(mask: .hash))") == "7")
    }

    @Test func `formats numbers and aligns columns`() {
        #expect(
            text("\(255, format: .hex) \(-255, format: .hex(includePrefix: true, uppercase: true))")
                == "ff -0xFF")
        #expect(
            text("\(5, format: .decimal(explicitPositiveSign: true, minDigits: 3)) \(8, format: .octal)")
                == "+005 10")
        #expect(
            text("\(1.25, format: .fixed(precision: 2)) \(1e9, format: .exponential(precision: 1))")
                == "1.25 1.0e+09")
        #expect(text("\(1.5, format: .hybrid) \(true, format: .answer)") == "1.5 yes")
        #expect(
            text("\(5, align: .right(columns: 3))|\("a", align: .left(columns: 3), privacy: .public)|")
                == "  5|a  |")
        #expect(text("\(1e300, format: .fixed(precision: 99))").count == 301 + 1 + 64)
    }
}

@Suite struct `The call os_log` {
    @Test func `accepts printf formats, and prints a value of an unexpected type in its default form`()
        throws
    {
        let journal = try JournalSocket()
        let log = OSLog(
            subsystem: "s", category: "c",
            output: LogOutput(journal: journal.path, errors: journal.errors, showsPrivate: false))
        os_log("%d and %{private}d, %.1f, %x %%", log: log, type: .error, 5, 6, 0.25, 255)
        var fields = try journal.fields()
        #expect(fields["MESSAGE"] == "5 and <private>, 0.2, ff %" && fields["PRIORITY"] == "3")
        #expect(fields["CODE_FILE"] == nil)
        os_log("%d %s %n %@", log: log, 1.5, 3)
        fields = try journal.fields()
        #expect(fields["MESSAGE"] == "1.5 3 <no value> <no value>" && fields["PRIORITY"] == "5")
        os_log(.info, log: log, "made of \(3)")
        #expect(try journal.fields()["MESSAGE"] == "made of 3")
        os_log(.debug, log: log, "%{public}d", 4)
        #expect(try journal.fields()["PRIORITY"] == "7")
    }
}

@Suite struct `A lock with a state` {
    @Test func `lets only one thread at a time change its state`() async {
        let lock = OSAllocatedUnfairLock(initialState: 0)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { lock.withLock { $0 += 1 } } }
            }
        }
        #expect(lock.withLock { $0 } == 8000 && lock.withLockIfAvailable { $0 } == 8000)
        let held = lock.withLock { _ in lock.withLockIfAvailable { $0 } == nil }
        #expect(held)
        #expect(OSAllocatedUnfairLock().withLock { true })
    }
}
