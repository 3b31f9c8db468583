import Glibc

/// Says which planted mistake is made; this file is part of the copy of the sources only.
package enum Mutants {
    private static let number = getenv("BATON_MUTANT").flatMap { Int(String(cString: $0)) }

    package static func isOn(_ mutant: Int) -> Bool { number == mutant }
}
