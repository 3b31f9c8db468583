import Foundation
import Support

/// Two apps, each a process of its own, and whatever stands between them: one tells changes, the other hears of them.
final class AppPair {
    private let teller: TransportProgram
    private let hearer: TransportProgram
    /// The relays or nodes between them, which last as long as this object.
    private let between: Any
    /// How many rounds are left.
    private var rounds: Int
    /// How many changes a round has.
    static let each = 25
    /// Far enough apart that a node, which bounds how often one activity crosses, sends each at once.
    private static let pause = Duration.milliseconds(40)
    /// How many rounds it may take until the first is heard.
    private static let settling = 10

    /// Starts the apps; a place is the path of a socket or the number of a port.
    init(
        _ script: AppScript, telling: String, hearing: String, rounds: Int, between: Any,
        in folder: TemporaryFolder
    ) throws {
        (self.rounds, self.between) = (rounds + Self.settling, between)
        let path = folder.path + "/\(UUID().uuidString)"
        let count = (rounds + Self.settling) * Self.each
        try Data(try script.told(count)).write(to: URL(fileURLWithPath: path + ".told"))
        try Data(script.heard).write(to: URL(fileURLWithPath: path + ".heard"))
        let each = "\(Self.each)"
        hearer = try TransportProgram(
            .bare, ["hear", hearing, path + ".heard", each, script.how], in: folder)
        let pause = "\(Int(Self.pause / .microseconds(1)))"
        teller = try TransportProgram(.bare, ["tell", telling, path + ".told", each, pause], in: folder)
        try settle()
    }

    /// Waits until what is told is heard, by telling it; what was told before that counts for nothing.
    private func settle() throws {
        for number in 0..<Self.settling {
            _ = try tell()
            // All that came before has a line as well.
            if (try? hearer.numbers(within: .seconds(2))) != nil {
                for _ in 0..<number { _ = try hearer.numbers() }
                return
            }
        }
        throw BenchmarkFailure(
            "what one app tells is not heard by the other: \(hearer.errors)\(teller.errors)")
    }

    /// Tells a round of changes; answers when each was told.
    private func tell() throws -> [Double] {
        guard rounds > 0 else { throw BenchmarkFailure("more rounds than there are changes") }
        rounds -= 1
        teller.poke()
        // Waiting for the numbers means polling for them, which would disturb the measurement.
        usleep(UInt32(Self.pause * Self.each / .microseconds(1)))
        return try teller.numbers()
    }

    /// Hands over a round of changes; answers how many microseconds each took, from before it was told to after the
    /// other app had read it, or a later one.
    func round() throws -> [Double] {
        let told = try tell()
        let heard = try hearer.numbers().dropFirst()
        guard told.count == Self.each, heard.count == Self.each else {
            throw BenchmarkFailure("an app told or heard another number of changes")
        }
        return zip(told, heard).map { ($1 - $0) / 1000 }
    }
}
