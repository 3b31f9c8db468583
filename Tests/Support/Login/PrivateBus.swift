import Glibc
import Support

/// A message bus for one test, on which any program may take any name.
package final class PrivateBus {
    /// The address for connections.
    package let address: String
    private let folder: TemporaryFolder
    private let daemon: ChildProcess

    /// Whether this machine has the program of the bus and its library.
    package static let isThere =
        access("/usr/bin/dbus-daemon", X_OK) == 0 && dlopen("libsystemd.so.0", RTLD_NOW) != nil
    package static let advice =
        "dbus-daemon is not on this machine: `Scripts/install-dependencies test` installs it"

    /// Starts a bus, and waits until it takes connections.
    package init() throws {
        folder = try TemporaryFolder()
        address = "unix:path=\(folder.path)/bus"
        let settings = folder.path + "/bus.conf"
        try File.write(Self.settings(address), to: settings)
        let daemon = try ChildProcess(
            [
                "/usr/bin/dbus-daemon", "--config-file=\(settings)", "--nofork", "--nopidfile",
                "--print-address=1",
            ],
            environment: [:], files: folder.path + "/daemon")
        // The daemon prints its address once it listens.
        try eventually("a message bus, which said: \(daemon.errors)") { !daemon.output.isEmpty }
        self.daemon = daemon
    }

    private static func settings(_ address: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
            <allow user="*"/>
          </policy>
        </busconfig>
        """
    }
}
