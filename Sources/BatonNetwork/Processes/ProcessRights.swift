import CLinux

/// The rights of this process.
package enum ProcessRights {
    /// Whether the process has more rights than the person who started it, for example by a setuid bit.
    ///
    /// The words and variables of that person must not direct such a process.
    package static var areRaised: Bool { getauxval(UInt(AT_SECURE)) != 0 }
}
