import BatonCore
import BatonNode
import Glibc
import Support
import Synchronization
import Testing

/// Kills the process at the step with a number.
private final class Killer: Sendable {
    private let left: Mutex<Int>

    init(at step: Int) { left = Mutex(step) }

    func pass(_ step: FilePair.Step) {
        left.withLock { left in
            if left == 0 { die() }
            left -= 1
        }
    }

    func die() { kill(getpid(), SIGKILL) }
}

/// The settings before the change and after it.
private func copies(isRelaxing: Bool) -> [SettingsCopy] {
    var settings = [Settings(), Settings()]
    settings[isRelaxing ? 0 : 1].set(.private, to: 1)
    return [SettingsCopy(number: 1, settings: settings[0]), .init(number: 2, settings: settings[1])]
}

/// The keys of two statements; what they say does not matter here.
private let keys = (1...2).map { number in
    RecordKey(kind: .rosterStatement, parts: 1) { $0.unsigned(UInt64(number)) }
}

/// Processes that are killed at each step of writing the files beside an account's databases.
@Suite struct `Killing a process that writes files beside the databases` {
    /// The steps of writing both files, and the moment after the last one.
    static let steps = 0...2 * FilePair.Step.allCases.count

    @Test(arguments: steps, [false, true])
    func `leaves either the old settings or settings that are private`(
        step: Int, isRelaxing: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let both = copies(isRelaxing: isRelaxing)
        try SettingsFiles(folder: folder.path).write(both[0])
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, step, isRelaxing] in
            let killer = Killer(at: step)
            let both = copies(isRelaxing: isRelaxing)
            try SettingsFiles(folder: path) { killer.pass($0) }.write(both[1])
            killer.die()
        }
        let found = SettingsFiles(folder: folder.path).read()
        #expect(found.contains { $0 != nil })
        // The database has not been given the change yet.
        let joined = SettingsCopy.joined(files: found, note: both[0], witnessed: nil).settings
        #expect(joined.isPrivate || !isRelaxing && found[0]?.number == 1)
        // The next process goes on from there.
        try SettingsFiles(folder: folder.path).write(both[1])
        #expect(SettingsFiles(folder: folder.path).read() == [both[1], both[1]])
    }

    @Test(arguments: steps, [false, true])
    func `loses no revocation that was stored before`(step: Int, isFirst: Bool) async throws {
        let folder = try TemporaryFolder()
        if !isFirst { try RevocationFiles(folder: folder.path).write([keys[0]]) }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, step] in
            let killer = Killer(at: step)
            try RevocationFiles(folder: path) { killer.pass($0) }.write(keys)
            killer.die()
        }
        let found = RevocationFiles(folder: folder.path).read()
        #expect(found.damaged.isEmpty)
        #expect(isFirst || found.keys.contains(keys[0]))
        #expect(step < Self.steps.upperBound || found.keys == keys)
        try RevocationFiles(folder: folder.path).write(keys)
        #expect(RevocationFiles(folder: folder.path).read().keys == keys)
    }
}
