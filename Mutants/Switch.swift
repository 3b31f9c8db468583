import Glibc

/// Turns on the mutant that BATON_MUTANT names; this file exists in the mutated copy of the sources only.
package enum Mutants {
    package static let number = getenv("BATON_MUTANT").flatMap { Int(String(cString: $0)) }

    /// The largest number of a mutant.
    private static let most = 9999

    /// Whether each mutant's place was evaluated since `takeReached()`.
    // Threads that write it at once write the same value, and it is read where one thread plays worlds.
    nonisolated(unsafe) private static let reached = {
        let reached = UnsafeMutablePointer<Bool>.allocate(capacity: most + 1)
        reached.initialize(repeating: false, count: most + 1)
        return reached
    }()

    /// Tells on standard error that the mutant's code was evaluated, the first time that it is.
    private static let announcement: Void = {
        let line = "mutants: reached\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }()

    package static func isOn(_ mutant: Int) -> Bool {
        reached[mutant] = true
        guard number == mutant else { return false }
        announcement
        return true
    }

    /// Returns the mutants whose places were evaluated since the last call, whether they are on or not.
    package static func takeReached() -> [Int] {
        let numbers = (0...most).filter { reached[$0] }
        reached.update(repeating: false, count: most + 1)
        return numbers
    }
}
