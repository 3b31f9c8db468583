import BatonCore
import BatonStore
import Disks
import Foundation
import Support
import Testing

/// A store while its disk fails, and afterwards.
///
/// `BATON_DISK_FAULTS=1` tries a fault at every operation; otherwise some are tried.
@Suite struct `A store on a disk that fails` {
    private static let isThorough = ProcessInfo.processInfo.environment["BATON_DISK_FAULTS"] != nil
    private static let steps = 12

    /// Returns all places among this many, or some.
    private static func places(_ count: Int, some: Int = 12) -> [Int] {
        isThorough || count <= some ? Array(0..<count) : (0..<some).map { $0 * count / some }
    }

    @Test(arguments: Seeds.first(isThorough ? 2 : 1))
    func `writes on a full disk fail with that reason, and succeed once there is room`(
        seed: UInt64
    ) throws {
        let trial = FaultTrial(seed: seed, faults: DiskFaults())
        try trial.run(steps: Self.steps)
        let most = trial.disk.image.fileNames.reduce(0) { $0 + trial.disk.image.count(of: $1) }
        var refusals = 0
        for place in Self.places(Self.isThorough ? 200 : 12) {
            var faults = DiskFaults()
            faults.capacity = most * place / (Self.isThorough ? 200 : 12)
            let trial = FaultTrial(seed: seed, faults: faults)
            try trial.run(steps: Self.steps)
            guard let failure = trial.failure else { continue }
            refusals += 1
            #expect(failure.code == .full, "\(trial.failedStep): \(failure)")
        }
        #expect(refusals > 5)
    }

    @Test(arguments: DiskOperation.allCases, Seeds.first(isThorough ? 2 : 1))
    func `a step of a store is done completely or not at all, wherever the disk fails`(
        operation: DiskOperation, seed: UInt64
    )
        throws
    {
        let counts = try FaultTrial(seed: seed, faults: DiskFaults()).run(steps: Self.steps)
        var refusals = 0
        for place in Self.places(counts[operation] ?? 0) {
            for isLasting in [false, true] {
                var faults = DiskFaults()
                faults.failure = DiskFaults.Failure(operation, after: place, isLasting: isLasting)
                let trial = FaultTrial(seed: seed, faults: faults)
                do {
                    try trial.run(steps: Self.steps)
                } catch {
                    throw StoreViolation(
                        "\(operation) \(place), lasting: \(isLasting), \(trial.failedStep): \(error)")
                }
                guard let failure = trial.failure else { continue }
                refusals += 1
                #expect(failure.code == .failed, "\(trial.failedStep) at \(operation) \(place): \(failure)")
            }
        }
        // SQLite may find later again what it failed to remove or truncate.
        #expect(refusals > 0 || [.delete, .truncate].contains(operation))
    }
}
