public import Foundation

/// An intent that takes a while and reports its progress.
@_alwaysEmitConformanceMetadata
public protocol ProgressReportingIntent: AppIntent {
    /// The progress, which `perform()` changes.
    var progress: Progress { get }
}

extension ProgressReportingIntent {
    /// The progress of the intent that is performed now.
    public var progress: Progress { IntentRun.current?.progress.progress ?? Progress(totalUnitCount: 0) }
}
