package import BatonClient
package import BatonCore

/// Shows the status of the service to a person.
package struct ServiceText {
    private let status: ServiceStatus

    package init(_ status: ServiceStatus) { self.status = status }

    /// Lines with the status, and with commands that the person can type.
    package func lines(option: String, at time: PresentTime) -> [VisibleText] {
        guard let file = status.file else {
            return [
                "\(status.name): not installed; type `baton service install\(option)` to install it"
            ] + (status.trouble.map { ["The service manager can't be reached: \($0)."] } ?? [])
        }
        guard let manager = status.manager else {
            return [
                "\(status.name): installed as \(file)",
                "The service manager can't be reached: \(status.trouble ?? "it does not answer").",
                "Run the node with `baton node\(option)` meanwhile.",
            ]
        }
        var lines: [VisibleText] = ["\(status.name): \(state(manager, at: time))"]
        if let text = manager.text, manager.state == "active" { lines.append("  \(text)") }
        if manager.state == "failed", let explanation = manager.explanation {
            lines.append("  \(explanation)")
        }
        if manager.restarts > 0 {
            lines.append(
                "  restarted after a failure: \(HumanTime.count(Int64(manager.restarts), "time"))")
        }
        let isListening: VisibleText =
            manager.isListening
            ? "open; a connection starts the node" : "closed; `baton service start\(option)` opens them"
        lines += [
            "  sockets: \(isListening)",
            "  at login: \(manager.isEnabled ? "started" : "not started; `baton service install\(option)` changes that")",
            "  installed as \(file)", "  its log: journalctl --user -u \(status.name)",
        ]
        switch status.embedding {
        case "active"?: lines.append("  meaning: `baton embed` is running")
        case let state?:
            lines.append(
                "  meaning: `baton embed` is not running (\(state)); `journalctl --user -u \(status.name)-embed` shows why"
            )
        case nil: break
        }
        switch status.notifying {
        case "active"?: lines.append("  offers: `baton watch --notify` is running")
        case let state?:
            lines.append(
                "  offers: `baton watch --notify` is not running (\(state)); it runs while a desktop does, and `journalctl --user -u \(status.name)-notify` is its log"
            )
        case nil: break
        }
        if status.isLingering == false {
            lines.append("  it stops when you log out; `loginctl enable-linger` keeps it running")
        }
        return lines
    }

    private func state(_ manager: ServiceStatus.Manager, at time: PresentTime) -> VisibleText {
        let since: VisibleText = manager.since.map { " since \(time.text($0))" } ?? ""
        let process: VisibleText = manager.process.map { ", process \($0)" } ?? ""
        return switch manager.state {
        case "active": "the node is running\(process)\(since)"
        case "activating": "the node is starting\(process)"
        case "deactivating": "the node is stopping\(process)"
        case "failed": "the node has failed\(since)"
        case "inactive": "the node is not running"
        case let other: "the state is \(other)"
        }
    }

    /// The status of the service as JSON, for programs.
    package var json: JSON {
        let manager = status.manager
        return .object([
            .init("unit", .string(status.name)), .init("file", JSON(status.file)),
            .init("enabled", manager.map { .boolean($0.isEnabled) } ?? .null),
            .init("state", JSON(manager?.state)), .init("result", JSON(manager?.result)),
            .init("since", JSON(manager?.since)),
            .init("pid", manager?.process.map { .integer(Int64($0)) } ?? .null),
            .init("restarts", manager.map { .integer(Int64($0.restarts)) } ?? .null),
            .init("listening", manager.map { .boolean($0.isListening) } ?? .null),
            .init("lingering", status.isLingering.map { .boolean($0) } ?? .null),
            .init("embed", JSON(status.embedding)), .init("notify", JSON(status.notifying)),
            .init("trouble", JSON(status.trouble)),
        ])
    }
}
