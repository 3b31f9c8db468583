import CLinux
import Glibc

/// The processes that run in the foreground of a shell's terminal.
///
/// The arguments of the processes are never read, because they may contain passwords.
package struct ForegroundGroup: Equatable, Sendable {
    /// The processes, beginning with the leader of the group; empty if the system hides them.
    package let members: [Member]

    package struct Member: Equatable, Sendable {
        package let processID: Int32
        /// The name of the program; the kernel keeps only its first 15 bytes.
        package let name: String
    }

    /// Returns the processes in the foreground of a shell's terminal.
    ///
    /// The result is nil if only the shell itself is in the foreground, or if there is no terminal. Some shells start
    /// programs in their own process group. In that case, the children of the shell in this group count.
    package static func find(of shell: Int32) throws(NetworkError) -> ForegroundGroup? {
        guard let status = try ProcessStatus.read(shell), status.foregroundGroup > 0 else { return nil }
        let group = status.foregroundGroup
        let isOwn = group == status.group
        let all = FolderContents.names(in: "/proc").compactMap { Int32($0) }.sorted()
        let members = all.compactMap { number -> Member? in
            guard number != shell, number != getpid() else { return nil }
            return member(number, of: group, parent: isOwn ? shell : nil)
        }
        if isOwn, members.isEmpty { return nil }
        let leaders = members.filter { $0.processID == group }
        return ForegroundGroup(members: leaders + members.filter { $0.processID != group })
    }

    private static func member(_ number: Int32, of group: Int32, parent: Int32?) -> Member? {
        do throws(NetworkError) {
            guard let status = try ProcessStatus.read(number), status.isAlive, status.group == group,
                parent == nil || status.parent == parent
            else { return nil }
            return Member(processID: number, name: status.name)
        } catch {
            // The process has just ended, or the system hides it, so it does not count as running.
            return nil
        }
    }
}
