import Foundation
import Support
import Testing

/// A desktop without a screen, for one test.
final class Desktop {
    /// The variables by which programs find it.
    let variables: [String: String]
    private let server: ChildProcess
    private let folder: TemporaryFolder

    /// Whether this machine has the programs of X11, and of Wayland.
    static let hasX11 = ["Xvfb", "xclip", "xsel"].allSatisfy { Tool.isThere($0) }
    static let hasWayland = ["sway", "wl-copy"].allSatisfy { Tool.isThere($0) }
    static let advice: Comment =
        "a program for desktops is not on this machine: `Scripts/install-dependencies test` installs it"

    /// Starts an X server, at a number that it chooses itself.
    static func x11() throws -> Desktop {
        let folder = try TemporaryFolder()
        let server = try ChildProcess(
            ["Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "320x200x24"],
            environment: ["PATH": "/usr/bin:/bin"], files: folder.path + "/server")
        let number = try eventual("an X server; it said: \(server.errors)") {
            server.output.split(separator: "\n").first.flatMap { Int($0) }
        }
        return Desktop(["DISPLAY": ":\(number)"], server, folder)
    }

    /// Starts sway, which draws into memory; it refuses to run for root, so another user runs it then.
    static func wayland() throws -> Desktop {
        let folder = try TemporaryFolder()
        let runtime = folder.path + "/runtime"
        try #require(mkdir(runtime, 0o700) == 0 && chmod(folder.path, 0o755) == 0)
        try File.write("xwayland disable\n", to: folder.path + "/settings")
        try #require(chmod(folder.path + "/settings", 0o644) == 0)
        let isRoot = geteuid() == 0
        if isRoot { try #require(chown(runtime, 65_534, 65_534) == 0) }
        let user = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        let server = try ChildProcess(
            user + ["sway", "-c", folder.path + "/settings"],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": runtime,
                "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1",
            ], files: folder.path + "/server")
        let name = try eventual("sway; it said: \(server.errors)") {
            try FileManager.default.contentsOfDirectory(atPath: runtime).first {
                $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock")
            }
        }
        // A path is used as it is, so that each machine keeps its own runtime folder.
        return Desktop(["WAYLAND_DISPLAY": "\(runtime)/\(name)"], server, folder)
    }

    private init(_ variables: [String: String], _ server: ChildProcess, _ folder: TemporaryFolder) {
        (self.variables, self.server, self.folder) = (variables, server, folder)
    }
}

extension Machine {
    /// Uses a desktop from now on.
    func use(_ desktop: Desktop) { variables.merge(desktop.variables) { $1 } }
}
