/// A fault that stays with one device while all the others recover.
package enum LastingFault: String, CaseIterable, Sendable {
    /// Its disk has no room, and gets none.
    case full
    /// Its disk never answers; the process goes on.
    case stuck
    /// Its process stands still, and its connections stay open.
    case still
    /// Nothing that it sends arrives, and nobody is told.
    case mute
    /// Nothing arrives that is sent to it, and nobody is told.
    case deaf
    /// Nobody hears of it again.
    case gone
    /// Its clock is years ahead or behind, and all else is as it should be.
    case clock

    /// Whether the device takes part like all others.
    var takesPart: Bool { self == .clock }

    /// Whether connections with it stay open, although nothing comes of what is sent.
    var isSilent: Bool {
        switch self {
        case .stuck, .still, .mute, .deaf: true
        case .full, .gone, .clock: false
        }
    }
}
