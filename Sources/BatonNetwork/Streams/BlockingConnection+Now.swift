import CLinux
import Glibc

/// For a program that waits for several things at once: what can be done without waiting.
extension BlockingConnection {
    /// The number of the socket, to wait for it; borrowed.
    package var number: Int32 { connection.descriptor }

    /// Writes what the kernel takes at once, which may be nothing; answers with how much.
    package func sendNow(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
        let file = connection.descriptor
        let (count, error) = unsafe bytes.withUnsafeBytes { bytes in
            SystemCall.attempt {
                unsafe Glibc.send(file, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
        }
        if count >= 0 { return count }
        guard error == EAGAIN else {
            throw NetworkError(number: error, operation: "write to \(connection.path)")
        }
        return 0
    }

    /// Puts what is there behind the bytes of a buffer, so many at the most; nothing if there is none yet, and 0 at the
    /// end.
    package func receiveNow(
        into buffer: inout [UInt8], most: Int
    ) throws(NetworkError) -> Int? {
        let file = connection.descriptor
        var (count, error) = (-1, Int32(0))
        buffer.append(addingCapacity: most) { room in
            unsafe room.withUnsafeMutableBufferPointer { bytes, filled in
                (count, error) = SystemCall.attempt { unsafe recv(file, bytes.baseAddress, bytes.count, 0) }
                filled = max(count, 0)
            }
        }
        if count >= 0 { return count }
        guard error == EAGAIN else {
            throw NetworkError(number: error, operation: "read from \(connection.path)")
        }
        return nil
    }
}
