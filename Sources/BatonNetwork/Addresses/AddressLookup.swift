import CLinux
import Glibc

/// The system's way of finding addresses; blocks for as long as its name servers let it.
enum AddressLookup {
    /// Asks the system, on the thread of the caller.
    static func ask(for endpoint: Endpoint) -> Result<[SocketAddress], NetworkError> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV

        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(endpoint.host, String(endpoint.port), &hints, &list)
        let number = errno
        defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }

        guard code == 0 else { return .failure(error(code, number: number, endpoint)) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let system = unsafe entry.pointee.ai_addr, let address = unsafe SocketAddress(system),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe next = entry.pointee.ai_next
        }
        return .success(addresses)
    }

    /// What a failed question means; resolution has error numbers of its own.
    private static func error(_ code: Int32, number: Int32, _ endpoint: Endpoint) -> NetworkError {
        let operation = "find the addresses of \(endpoint.host)"
        let reason = unsafe gai_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        switch code {
        case EAI_SYSTEM: return NetworkError(number: number, operation: operation)
        case EAI_AGAIN: return NetworkError(.unavailable, operation: operation, reason: reason)
        case EAI_MEMORY: return NetworkError(.exhausted, operation: operation, reason: reason)
        default: return NetworkError(.notFound, operation: operation, reason: reason)
        }
    }
}
